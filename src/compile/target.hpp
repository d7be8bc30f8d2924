/// The provider that a model is compiled for.
#pragma once

#include <string>

#include "surefoot/compile.hpp"

namespace surefoot::compilation {

struct Target {
  std::string name;       ///< short
  std::string ort_name;   ///< as ORT and EPContext nodes have it
  bool compiles = false;  ///< writes EPContext nodes; a plugin that no row knows is expected to
  bool builds_engines = false;
  bool is_host = false;

  /// `options` with this provider alone, ORT's CPU for the rest of the nodes, and no other in its place.
  SessionOptions only(SessionOptions options) const;
  /// The form that is written when nobody says.
  CompiledForm form_for(const std::filesystem::path& destination) const;
};

/// Errors: InvalidArgument with the nearest spelling for a name that neither the catalogue nor a plugin has;
/// why the provider is not present on this machine.
Result<Target> find_target(const Runtime& runtime, const std::string& name);

/// Opens a model on the target. Errors: why the target was rejected; those of Session::open().
Result<Session> open_on(const Target& target, const std::filesystem::path& model,
                        const SessionOptions& options);

}  // namespace surefoot::compilation
