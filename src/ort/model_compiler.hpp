/// ORT's compile API: a provider's compiled form of a model, written to a file as EPContext nodes.
#pragma once

#include <filesystem>
#include <string>

#include "ort/session_options.hpp"

namespace surefoot::ort {

struct CompileSettings {
  std::filesystem::path source;
  std::filesystem::path destination;  ///< replaced where it exists
  bool embed = false;                 ///< the compiled parts inside the model, not in files beside it
  /// Takes the weights that no compiled part holds; empty: they stay in the model.
  std::filesystem::path weights = {};
  std::size_t weights_from_bytes = 0;  ///< smaller ones stay in the model
};

/// Compiles for the providers of `session`. Errors: Unsupported before ORT 1.22; what ORT said, also where
/// no provider compiled any node (from 1.23 on: before, look into what was written).
Result<void> compile_model(Environment& environment, const SessionSettings& session,
                           const CompileSettings& what);

}  // namespace surefoot::ort
