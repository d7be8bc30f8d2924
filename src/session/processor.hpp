/// What code this machine's processor runs.
#pragma once

#include <filesystem>
#include <string>

namespace surefoot::session {

/// The processor's model and instruction sets, as text: ONNX Runtime lays weights out by them. Empty where
/// the system does not tell. `root` stands before /proc, so that tests describe machines as folders.
std::string processor(const std::filesystem::path& root = "/");

}  // namespace surefoot::session
