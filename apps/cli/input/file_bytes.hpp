/// Reading a whole file that a person named.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include "surefoot/result.hpp"

namespace surefoot::cli {

/// The bytes of the file at `path`.
/// Errors: NotFound, with the nearest name in that folder; InvalidArgument (a folder); InvalidInput (a pipe
/// or device that does not end); IoFailed; OutOfMemory.
Result<std::vector<std::byte>> read_file(const std::filesystem::path& path);

}  // namespace surefoot::cli
