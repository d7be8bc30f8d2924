/// The models that are timed, written to a folder: weights are noise, shapes are what matters.
#pragma once

#include <filesystem>

#include "surefoot/tensor.hpp"

namespace surefoot::benchmarks {

struct BenchmarkModel {
  std::filesystem::path path;
  Shape input;   ///< of `x`
  Shape output;  ///< of `y`
};

/// x[1,64] → two layers of 64 → y[1,64]: about 2 µs a run.
BenchmarkModel tiny_mlp(const std::filesystem::path& folder);
/// Convolutions over [1,16,64,64]: about 1 ms a run.
BenchmarkModel small_cnn(const std::filesystem::path& folder);
/// Layers of 1024 by 1024 weights, 4 MiB each, or a smaller one alone when `megabytes` is less.
BenchmarkModel layers(const std::filesystem::path& folder, int megabytes);
/// One Relu over 1 MiB.
BenchmarkModel megabyte_relu(const std::filesystem::path& folder);

}  // namespace surefoot::benchmarks
