#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>

#include "file/new_file.hpp"

namespace surefoot::file {
namespace {

constexpr int kNamesTried = 100;
constexpr std::size_t kMostAtOnce = std::size_t{1} << 30;  // Linux writes less than 2 GiB in one call

Failure unwritable(const std::filesystem::path& path, int code) {
  return fail({.code = ErrorCode::IoFailed,
               .what = fmt::format("`{}` cannot be written: {}", path.string(),
                                   std::generic_category().message(code)),
               .hint = code == ENOSPC   ? "free some space on that disk"
                       : code == ENOENT ? "make the folder first"
                                        : ""});
}

std::filesystem::path temporary_name(const std::filesystem::path& target) {
  static std::atomic<unsigned> count = 0;
  std::filesystem::path name = target;
  name.replace_filename(fmt::format(".{}.{}.{}.part", target.filename().string(), ::getpid(), count++));
  return name;
}

}  // namespace

Result<NewFile> NewFile::create(const std::filesystem::path& target) {
  struct stat facts {};
  if (::stat(target.c_str(), &facts) == 0 && !S_ISREG(facts.st_mode))
    return fail({.code = ErrorCode::IoFailed,
                 .what = fmt::format("`{}` is {}, not a file", target.string(),
                                     S_ISDIR(facts.st_mode) ? "a folder" : "a pipe, socket or device")});
  for (int tried = 0;; ++tried) {
    std::filesystem::path temporary = temporary_name(target);
    const int descriptor = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor >= 0) return NewFile(target, std::move(temporary), descriptor);
    if (errno != EEXIST || tried == kNamesTried) return unwritable(target, errno);
  }
}

NewFile::~NewFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Failure NewFile::failed(int code) const { return unwritable(target_, code); }

Result<void> NewFile::write(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(descriptor_, bytes.data(), std::min(bytes.size(), kMostAtOnce));
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return failed(errno);
    bytes.remove_prefix(static_cast<std::size_t>(done));
    written_ += static_cast<std::uint64_t>(done);
  }
  return {};
}

Result<void> NewFile::pad_to(std::uint64_t offset) {
  const auto end = static_cast<off_t>(offset);
  if (::ftruncate(descriptor_, end) != 0 || ::lseek(descriptor_, end, SEEK_SET) != end) return failed(errno);
  written_ = offset;
  return {};
}

Result<void> NewFile::commit() {
  struct stat old {};
  if (::stat(target_.c_str(), &old) == 0 && ::fchmod(descriptor_, old.st_mode & 0777) != 0)
    return failed(errno);
  if (::fsync(descriptor_) != 0) return failed(errno);
  if (::close(std::exchange(descriptor_, -1)) != 0) return failed(errno);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return failed(errno);
  temporary_.clear();
  return {};
}

}  // namespace surefoot::file
