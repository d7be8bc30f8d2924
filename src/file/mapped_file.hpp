/// A file's content as memory that the system pages in when it is touched.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <utility>

#include "surefoot/result.hpp"

namespace surefoot::file {

/// A read-only mapping of a whole file.
///
/// Lifetime  the mapping outlives a rename or removal of the file; a file that another process
///           shortens meanwhile faults when it is read, as with every mapping.
/// Threads   any number of readers.
class MappedFile {
 public:
  /// Maps the file at `path`, exactly as given: links are followed by the system.
  /// Errors: NotFound; IoFailed with the system's reason (no permission, a folder, a pipe).
  static Result<MappedFile> open(const std::filesystem::path& path);

  MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MappedFile();

  /// Empty for an empty file.
  std::span<const std::byte> bytes() const noexcept { return bytes_; }

  /// Gives back the memory of bytes [first, last) to the system; they stay readable.
  void forget(std::size_t first, std::size_t last) const noexcept;

 private:
  explicit MappedFile(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}
  std::span<const std::byte> bytes_;
};

}  // namespace surefoot::file
