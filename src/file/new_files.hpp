/// Files that appear together, when all of them are complete, and never in the place of another.
#pragma once

#include <filesystem>
#include <utility>
#include <vector>

#include "surefoot/result.hpp"

namespace surefoot::file {

/// A hidden folder beside the main file's place, in which it and the files that it refers to are made under
/// their own names. commit() gives them these names outside, the main file last: who finds that one finds
/// all.
///
/// Crash     leaves the hidden folder, and at worst files of it that nothing refers to; the next create() for
///           the same place removes both.
/// Lifetime  what is not committed is removed.
class NewFiles {
 public:
  /// Errors: InvalidArgument where `main` exists; IoFailed with the system's reason (no such folder, no
  /// permission, no space).
  static Result<NewFiles> create(const std::filesystem::path& main);

  NewFiles(NewFiles&& other) noexcept
      : main_(std::move(other.main_)),
        folder_(std::exchange(other.folder_, {})),
        lock_(std::exchange(other.lock_, -1)) {}
  NewFiles& operator=(NewFiles&&) = delete;
  ~NewFiles();

  /// Where the main file is to be written.
  std::filesystem::path main() const { return folder_ / main_.filename(); }
  const std::filesystem::path& folder() const noexcept { return folder_; }
  /// What lies in the folder, the main file first. Errors: IoFailed (the main file is missing, or there is
  /// something else than files).
  Result<std::vector<std::filesystem::path>> files() const;

  /// Gives each file the permissions of a new one, whoever wrote it, brings it to the disk and links it to
  /// its place; the names that they have there. Errors: InvalidArgument where one of the places is taken,
  /// IoFailed: nothing of it is there then.
  Result<std::vector<std::filesystem::path>> commit();

 private:
  NewFiles(std::filesystem::path main, std::filesystem::path folder, int lock)
      : main_(std::move(main)), folder_(std::move(folder)), lock_(lock) {}

  std::filesystem::path main_, folder_;
  int lock_;  ///< descriptor of the folder, locked for as long as this process works in it
};

}  // namespace surefoot::file
