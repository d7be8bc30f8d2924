/// Results into a .npz file.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "apps/cli/input/input_spec.hpp"

namespace surefoot::cli {

/// Writes all values as arrays that numpy.load() reads. What is no tensor becomes several:
/// `name.0`, `name.1` … of a sequence, `name.keys` and `name.values` of a map; an absent optional
/// has no array. An existing file is replaced, once the new one is whole.
/// Errors: InvalidArgument (two arrays of one name), IoFailed.
Result<void> save_npz(const std::filesystem::path& path, std::span<const NamedValue> values);

}  // namespace surefoot::cli
