/// A file's content as memory that the system pages in when it is touched.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
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
  /// One of at most `read_up_to` bytes is read instead: what happens to the file afterwards is not seen,
  /// and where every page is touched anyway it costs less than their mapping.
  /// Errors: NotFound; IoFailed with the system's reason (no permission, a folder, a pipe).
  static Result<MappedFile> open(const std::filesystem::path& path, std::size_t read_up_to = 0);

  MappedFile(MappedFile&& other) noexcept
      : bytes_(std::exchange(other.bytes_, {})), read_(std::move(other.read_)) {}
  MappedFile& operator=(MappedFile&& other) noexcept {
    std::swap(bytes_, other.bytes_);
    std::swap(read_, other.read_);
    return *this;
  }
  ~MappedFile();

  /// Empty for an empty file.
  std::span<const std::byte> bytes() const noexcept { return bytes_; }

  /// Gives back the memory of bytes [first, last) to the system; they stay readable.
  void forget(std::size_t first, std::size_t last) const noexcept;

 private:
  using Memory = std::unique_ptr<std::byte[]>;
  explicit MappedFile(std::span<const std::byte> bytes, Memory read = nullptr) noexcept
      : bytes_(bytes), read_(std::move(read)) {}
  static Result<MappedFile> read(int descriptor, std::size_t size, const std::filesystem::path& path);

  std::span<const std::byte> bytes_;
  Memory read_;  ///< null where they are mapped
};

}  // namespace surefoot::file
