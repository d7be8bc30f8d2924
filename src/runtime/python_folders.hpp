/// Where Python environments keep the onnxruntime package's native library. No Python is run.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "runtime/surroundings.hpp"

namespace surefoot::runtime {

/// `onnxruntime/capi` folders of the active environment: VIRTUAL_ENV, CONDA_PREFIX, then the first
/// python3 on PATH, its system and user packages included. Only folders that exist.
std::vector<std::filesystem::path> active_python_folders(const Surroundings& around);

/// The same of the virtual environment that Surefoot's own command is installed in, whichever is active.
std::vector<std::filesystem::path> own_python_folders(const Surroundings& around);

/// The same of other Pythons that tools install: pyenv's and conda's.
std::vector<std::filesystem::path> other_python_folders(const Surroundings& around);

/// Where scripts/quickstart keeps the ORT it fetched.
std::vector<std::filesystem::path> quickstart_folders(const Surroundings& around);

/// The numbers in a name, in order: what comes first of "1.9" and "1.10" is seen by comparing these.
std::vector<int> version_key(std::string_view name);

/// Entries of `folder` whose names match `pattern`, where one `*` stands for any text; the newest
/// version first.
std::vector<std::filesystem::path> matching(const std::filesystem::path& folder, std::string_view pattern);

}  // namespace surefoot::runtime
