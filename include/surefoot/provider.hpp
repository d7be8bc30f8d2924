/// Execution providers: what is known of each, and what this machine has of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "surefoot/runtime.hpp"

namespace surefoot {

/// Options of one provider, as ORT names them. A key with the prefix "raw:" passes unchecked.
using ProviderOptions = std::map<std::string, std::string>;

/// What can be said of a provider before any session exists. `usable` needs a probe: see probe().
struct ProviderStatus {
  std::string name;      ///< short: "cuda"; a plugin's own name where the catalogue has no row
  std::string ort_name;  ///< "CUDAExecutionProvider"
  bool known = true;     ///< the catalogue has a row
  bool platform = true;  ///< made for this platform
  bool plugin = false;   ///< offered by a registered plugin library
  bool present = false;  ///< this ORT lists it and its libraries can be opened
  std::optional<Error> absent_because = {};
};

/// Every provider of the catalogue and every registered plugin's, in the catalogue's order.
/// Looks at files only: nothing is loaded. Remembered per runtime until its plugins change, the process opens
/// another library, or one appears where the system's loader would look.
std::vector<ProviderStatus> survey(const Runtime& runtime);

/// The short names of those that build an engine for each model and shape when they open it, which takes
/// from seconds to minutes: what a program that edits a model again and again leaves out.
std::vector<std::string> engine_builders();

}  // namespace surefoot
