/// A file that appears under its name only when it is complete.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "surefoot/result.hpp"

namespace surefoot::file {

/// Writes beside the target and takes its place at commit(), in one step: who opens the name sees the
/// old file or the new one, and who has the old one mapped keeps it. A link is replaced, not followed.
///
/// Lifetime  what is not committed is removed.
class NewFile {
 public:
  /// Errors: IoFailed with the system's reason (no such folder, no permission).
  static Result<NewFile> create(const std::filesystem::path& target);

  NewFile(NewFile&& other) noexcept
      : target_(std::move(other.target_)),
        temporary_(std::exchange(other.temporary_, {})),
        descriptor_(std::exchange(other.descriptor_, -1)),
        written_(other.written_) {}
  NewFile& operator=(NewFile&&) = delete;
  ~NewFile();

  /// Appends. Errors: IoFailed (no space, …).
  Result<void> write(std::string_view bytes);
  /// Zeros up to `offset`, which is at or behind the end: a hole where the file system has them.
  Result<void> pad_to(std::uint64_t offset);
  std::uint64_t written() const noexcept { return written_; }

  /// Brings the bytes to the disk and the file to its name, with the permissions of the file that was
  /// there. Errors: IoFailed; the old file then stands.
  Result<void> commit();

 private:
  NewFile(std::filesystem::path target, std::filesystem::path temporary, int descriptor)
      : target_(std::move(target)), temporary_(std::move(temporary)), descriptor_(descriptor) {}
  Failure failed(int code) const;

  std::filesystem::path target_, temporary_;
  int descriptor_;
  std::uint64_t written_ = 0;
};

}  // namespace surefoot::file
