/// What ONNX Runtime makes of a model on the CPU, kept as files that open faster than the model.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "ort/session.hpp"
#include "session/source.hpp"

namespace surefoot::session {

/// A form in which ONNX Runtime writes an optimised model.
struct ArtifactForm {
  std::string_view name;  ///< "onnx", "ort"
  std::string_view file;
  bool ort_format;
};

/// The form of that name, or null.
const ArtifactForm* find_form(std::string_view name) noexcept;

/// From the settings of a session on the model to those of one on an artifact: nothing is left to optimise.
ort::SessionSettings settings_for_artifact(ort::SessionSettings settings, const ArtifactForm& form);

/// Writes each form into `folder`, and keeps the one that opens fastest, if its outputs are those of the
/// model: which one that is differs from model to model (subgraphs open faster in ORT's format, large
/// weights faster from a file of their own).
/// Errors: what ORT said; RunFailed where outputs differ.
Result<const ArtifactForm*> make_artifact(ort::Environment& environment, const Source& source,
                                          const ort::SessionSettings& settings,
                                          const std::filesystem::path& folder);

}  // namespace surefoot::session
