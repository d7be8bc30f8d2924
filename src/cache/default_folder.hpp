/// Where the user's cache lies when nobody says.
#pragma once

#include <filesystem>

#include "surefoot/result.hpp"

namespace surefoot::cache {

/// `$XDG_CACHE_HOME/surefoot/models`, else `~/.cache/surefoot/models` (XDG Base Directory Specification).
/// Errors: NotFound when neither variable is set to an absolute path.
Result<std::filesystem::path> default_folder();

}  // namespace surefoot::cache
