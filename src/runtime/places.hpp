/// The places where an ONNX Runtime library may be, in the order of the search.
#pragma once

#include <filesystem>
#include <vector>

#include "runtime/surroundings.hpp"
#include "surefoot/runtime.hpp"

namespace surefoot::runtime {

struct Place {
  std::filesystem::path path;
  RuntimeOrigin origin;
};

/// The file that the caller or a variable names: it alone is tried then. Empty when none is named.
/// Errors: InvalidArgument when a variable is set but empty.
Result<std::optional<Place>> named_place(const std::filesystem::path& explicit_path,
                                         const Surroundings& around);

/// All library files found by searching, best first, each once (links resolved).
std::vector<Place> searched_places(const Surroundings& around);

/// The folders that the search looks into, with the origin that each stands for.
std::vector<Place> searched_folders(const Surroundings& around);

/// The ORT library files in a folder, newest version first, links to the same file once.
std::vector<std::filesystem::path> libraries_in(const std::filesystem::path& folder);

}  // namespace surefoot::runtime
