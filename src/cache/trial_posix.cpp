#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "cache/trial.hpp"

namespace surefoot::cache {
namespace {

/// As a draft's name, so that it is no entry, and goes with abandoned drafts when a day has passed.
std::filesystem::path mark_of(const std::filesystem::path& folder, const Digest& key) {
  return folder / (".draft-trial-" + key);
}

Failure tried_before(const std::filesystem::path& mark) {
  const int descriptor = ::open(mark.c_str(), O_RDONLY | O_CLOEXEC);
  const bool at_it = descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) != 0;
  if (descriptor >= 0) ::close(descriptor);
  if (at_it) return fail({.code = ErrorCode::InvalidState, .what = "another session is storing it"});
  return fail({.code = ErrorCode::InvalidState,
               .what = "a process ended while it tried the optimised model, which is not tried again",
               .hint = fmt::format("remove `{}` to have it tried again", mark.string())});
}

}  // namespace

Result<Trial> Trial::begin(const std::filesystem::path& folder, const Digest& key) {
  const std::filesystem::path mark = mark_of(folder, key);
  const int descriptor = ::open(mark.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor < 0 && errno == EEXIST) return tried_before(mark);
  if (descriptor < 0)
    return fail({.code = ErrorCode::IoFailed,
                 .what = fmt::format("cannot write `{}`: {}", mark.string(),
                                     std::generic_category().message(errno))});
  ::flock(descriptor, LOCK_EX | LOCK_NB);
  return Trial(mark, descriptor);
}

Trial::~Trial() {
  if (!mark_.empty()) ::unlink(mark_.c_str());
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace surefoot::cache
