#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>

#include "file/new_files.hpp"

namespace surefoot::file {
namespace {

namespace fs = std::filesystem;

constexpr int kFoldersTried = 100;

Failure unwritable(const fs::path& path, int code) {
  return fail({.code = ErrorCode::IoFailed,
               .what = fmt::format("`{}` cannot be written: {}", path.string(),
                                   std::generic_category().message(code)),
               .hint = code == ENOSPC   ? "free some space on that disk"
                       : code == ENOENT ? "make the folder first"
                                        : ""});
}

Failure taken(const fs::path& path) {
  return fail({.code = ErrorCode::InvalidArgument,
               .what = fmt::format("`{}` exists already", path.string()),
               .hint = "name another file, or remove that one"});
}

bool is_taken(const fs::path& path) {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0;
}

bool same_file(const fs::path& one, const fs::path& other) {
  struct stat first {
  }, second{};
  return ::lstat(one.c_str(), &first) == 0 && ::lstat(other.c_str(), &second) == 0 &&
         first.st_ino == second.st_ino && first.st_dev == second.st_dev;
}

std::string prefix_of(const fs::path& main) { return fmt::format(".{}.", main.filename().string()); }
constexpr std::string_view kSuffix = ".part";

fs::path place_of(const fs::path& main) { return main.has_parent_path() ? main.parent_path() : "."; }

/// The folder, open and locked; -1 where another process works in it or it is gone.
int lock_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return -1;
  struct stat open_one {
  }, named_one{};
  // Where locks are not to be had, on some network file systems, a folder counts as worked in.
  if (::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::fstat(descriptor, &open_one) == 0 &&
      ::lstat(folder.c_str(), &named_one) == 0 && open_one.st_ino == named_one.st_ino)
    return descriptor;
  ::close(descriptor);
  return -1;
}

bool has_another_name(const fs::path& path) {
  struct stat facts {};
  return ::lstat(path.c_str(), &facts) == 0 && facts.st_nlink > 1;
}

/// Takes back the names that files in the folder have outside.
void take_names_back(const fs::path& folder, const fs::path& place) {
  std::error_code problem;
  for (const auto& item : fs::directory_iterator(folder, problem))
    if (const fs::path published = place / item.path().filename(); same_file(item.path(), published))
      ::unlink(published.c_str());
}

/// Removes a folder whose process has ended, with what it put in place, unless that was all of it.
void clear_abandoned(const fs::path& folder, const fs::path& main) {
  const int lock = lock_folder(folder);
  if (lock < 0) return;
  if (!has_another_name(folder / main.filename())) take_names_back(folder, place_of(main));
  std::error_code problem;
  fs::remove_all(folder, problem);
  ::close(lock);
}

void clear_all_abandoned(const fs::path& main) {
  std::error_code problem;
  std::vector<fs::path> found;
  for (const auto& item : fs::directory_iterator(place_of(main), problem)) {
    const std::string name = item.path().filename().string();
    if (name.starts_with(prefix_of(main)) && name.ends_with(kSuffix)) found.push_back(item.path());
  }
  for (const fs::path& folder : found) clear_abandoned(folder, main);
}

/// Permissions of a file that is made here, as the process's mask and the folder's own rules have them.
Result<mode_t> mode_of_new(const fs::path& folder) {
  const fs::path probe = folder / ".mode";
  const int descriptor = ::open(probe.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0) return unwritable(probe, errno);
  struct stat facts {};
  ::fstat(descriptor, &facts);
  ::close(descriptor);
  ::unlink(probe.c_str());
  return facts.st_mode & 0777;
}

Result<void> finish(const fs::path& path, mode_t mode) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0) return unwritable(path, errno);
  const bool done = ::fchmod(descriptor, mode) == 0 && ::fsync(descriptor) == 0;
  const int code = errno;
  ::close(descriptor);
  if (!done) return unwritable(path, code);
  return {};
}

/// File systems without links (FAT) can rename without replacing.
Result<void> publish(const fs::path& from, const fs::path& to) {
  if (::link(from.c_str(), to.c_str()) == 0) return {};
  if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return {};
  }
  if (errno == EEXIST) return taken(to);
  return unwritable(to, errno);
}

void sync_folder(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

}  // namespace

Result<NewFiles> NewFiles::create(const fs::path& main) {
  if (is_taken(main)) return taken(main);
  clear_all_abandoned(main);
  static std::atomic<unsigned> count = 0;
  for (int tried = 0;; ++tried) {
    const fs::path folder =
        place_of(main) / fmt::format("{}{}-{}{}", prefix_of(main), ::getpid(), count++, kSuffix);
    if (::mkdir(folder.c_str(), 0700) != 0) {
      if (errno == EEXIST && tried < kFoldersTried) continue;
      return unwritable(main, errno);
    }
    // Another process may have taken it for abandoned in between.
    if (const int lock = lock_folder(folder); lock >= 0 || is_taken(folder))
      return NewFiles(main, folder, lock);
    if (tried == kFoldersTried) return unwritable(main, EAGAIN);
  }
}

NewFiles::~NewFiles() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

Result<std::vector<fs::path>> NewFiles::files() const {
  std::error_code problem;
  std::vector<fs::path> found;
  for (const auto& item : fs::directory_iterator(folder_, problem)) {
    if (!item.is_regular_file(problem) || item.is_symlink(problem))
      return fail({.code = ErrorCode::IoFailed,
                   .what = fmt::format("`{}` is no file, and files alone can be put in place",
                                       item.path().string())});
    found.push_back(item.path());
  }
  const auto at = std::ranges::find(found, main());
  if (at == found.end()) return unwritable(main_, ENOENT);
  std::iter_swap(found.begin(), at);
  std::ranges::sort(found.begin() + 1, found.end());
  return found;
}

Result<std::vector<fs::path>> NewFiles::commit() {
  auto made = files();
  if (!made) return made;
  auto mode = mode_of_new(folder_);
  if (!mode) return fail(std::move(mode).error());
  for (const fs::path& path : *made)
    if (auto done = finish(path, *mode); !done) return fail(std::move(done).error());
  std::vector<fs::path> places;
  Result<void> done;
  for (auto path = made->rbegin(); done && path != made->rend(); ++path) {
    const fs::path place = main_.parent_path() / path->filename();
    if (path + 1 == made->rend()) sync_folder(place_of(main_));  // the names of the others come first
    done = publish(*path, place);
    if (done) places.insert(places.begin(), place);
  }
  if (!done) {
    for (const fs::path& place : places) ::unlink(place.c_str());
    return fail(std::move(done).error());
  }
  sync_folder(place_of(main_));
  return places;
}

}  // namespace surefoot::file
