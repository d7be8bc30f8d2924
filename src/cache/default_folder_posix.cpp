#include <cstdlib>

#include "cache/default_folder.hpp"

namespace surefoot::cache {
namespace {

/// The specification says to ignore a path that is not absolute.
std::filesystem::path absolute_path_in(const char* variable) {
  const char* const value = std::getenv(variable);
  std::filesystem::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : std::filesystem::path();
}

}  // namespace

Result<std::filesystem::path> default_folder() {
  if (const auto cache = absolute_path_in("XDG_CACHE_HOME"); !cache.empty()) return cache / "surefoot/models";
  if (const auto home = absolute_path_in("HOME"); !home.empty()) return home / ".cache/surefoot/models";
  return fail(
      {.code = ErrorCode::NotFound,
       .what = "there is no folder for the cache: neither `XDG_CACHE_HOME` nor `HOME` is an absolute path",
       .hint = "name a folder for the cache"});
}

}  // namespace surefoot::cache
