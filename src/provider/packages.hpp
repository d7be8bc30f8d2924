/// Which package usually brings a shared library that is missing.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace surefoot::provider {

/// The CUDA generation that a set of needed libraries belongs to: 13 for libcudart.so.13; 0 when none tells.
int cuda_major(std::span<const std::string> needed);

/// One action that brings these libraries, e.g. "pip install nvidia-cublas nvidia-cuda-runtime, and install
/// the NVIDIA driver"; empty when no package is known for any. `cuda` chooses between packages of
/// libraries whose own number does not tell (libcudnn.so.9); 0: unknown.
std::string how_to_get(std::span<const std::string> sonames, int cuda);

}  // namespace surefoot::provider
