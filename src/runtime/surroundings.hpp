/// What the search for an ONNX Runtime may look at, as data: so that tests describe machines.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace surefoot::runtime {

struct Surroundings {
  /// A variable of the environment; empty optional when it is not set.
  std::function<std::optional<std::string>(const char* name)> variable;
  /// Put before every absolute path that the search makes up itself; "/" on a real machine.
  std::filesystem::path root = "/";
  /// The folder of Surefoot's own library or program.
  std::filesystem::path own_folder = {};
  /// Folders that the embedding program names.
  std::vector<std::filesystem::path> host_folders = {};
  /// ORT libraries that the process has mapped.
  std::vector<std::filesystem::path> mapped = {};

  /// This process on this machine.
  static Surroundings real();
};

}  // namespace surefoot::runtime
