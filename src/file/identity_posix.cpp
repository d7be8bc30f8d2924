#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "file/identity.hpp"

namespace surefoot::file {

Result<Identity> identity_of(const std::filesystem::path& path) {
  struct stat found = {};
  if (stat(path.c_str(), &found) != 0) {
    const int problem = errno;
    return fail({.code = problem == ENOENT ? ErrorCode::NotFound : ErrorCode::IoFailed,
                 .what = fmt::format("cannot look at `{}`: {}", path.string(),
                                     std::generic_category().message(problem))});
  }
#ifdef __APPLE__
  const timespec& changed = found.st_mtimespec;
#else
  const timespec& changed = found.st_mtim;
#endif
  return Identity{.device = static_cast<std::uint64_t>(found.st_dev),
                  .number = static_cast<std::uint64_t>(found.st_ino),
                  .bytes = static_cast<std::uint64_t>(found.st_size),
                  .changed_ns = std::int64_t{changed.tv_sec} * 1'000'000'000 + changed.tv_nsec};
}

}  // namespace surefoot::file
