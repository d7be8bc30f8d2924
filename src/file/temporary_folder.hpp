/// A folder of our own below the system's for temporary files.
#pragma once

#include <filesystem>
#include <string_view>
#include <utility>

#include "surefoot/result.hpp"

namespace surefoot::file {

/// Lifetime  removed with all that lies in it.
class TemporaryFolder {
 public:
  /// `purpose` begins its name: "surefoot-profile". Errors: IoFailed.
  static Result<TemporaryFolder> make(std::string_view purpose);

  TemporaryFolder(TemporaryFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace surefoot::file
