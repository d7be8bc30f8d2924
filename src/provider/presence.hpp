/// Whether a provider is present: this ONNX Runtime has it, and its libraries would open. Nothing is loaded.
///
/// Present is not usable: whether there is a device, and whether the driver works, only a probe can tell.
/// Threads  functions of their arguments and the file system: call from any thread.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "provider/catalogue.hpp"
#include "runtime/library_search.hpp"
#include "surefoot/result.hpp"

namespace surefoot::provider {

/// What the check looks at. Views: the caller keeps the lists alive during the call.
struct PresenceQuery {
  std::span<const std::string> compiled_in = {};  ///< ORT's names, as GetAvailableProviders lists them
  std::filesystem::path ort_library = {};         ///< ORT's own file: its providers' libraries lie beside it
  std::string ort_version = {};                   ///< "1.31.1"
  const runtime::SearchPaths& paths;
  PlatformSet platform = this_platform();
};

/// Succeeds for a provider that is present; the error is the reason why it is not. Costs milliseconds at
/// most: of a provider's library, however large, only its headers and lists of names are read.
/// Errors: Unsupported (not for this platform, not built into this ORT),
///         NotFound (its library, or libraries that it needs, are missing: each named, with what brings it),
///         RuntimeUnavailable (its library is damaged or of another architecture).
Result<void> check_presence(const ProviderSpec& spec, const PresenceQuery& query);

/// The part that looks at a shared library alone, for plugins too: all that it needs would be found.
/// Errors: NotFound, RuntimeUnavailable, as above.
Result<void> check_library(const std::filesystem::path& library, const runtime::SearchPaths& paths);

}  // namespace surefoot::provider
