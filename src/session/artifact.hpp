/// What ONNX Runtime makes of a model on the CPU, or a provider compiles of it, kept as files that open
/// faster than the model.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "ort/session.hpp"
#include "session/source.hpp"

namespace surefoot::session {

/// A form in which ONNX Runtime writes an optimised model.
struct ArtifactForm {
  std::string_view name;  ///< "onnx", "ort", "in-place"; "compiled" of a provider's
  std::string_view file;
  bool ort_format = false;
  bool in_place = false;       ///< the file is mapped, and ORT takes the weights from where they lie
  bool compiled = false;       ///< EPContext nodes: opened with the settings of the model itself
  bool shares_packed = false;  ///< weights as ORT packs them lie in a mapped file, which sessions share
};

/// The form of that name, or null.
const ArtifactForm* find_form(std::string_view name) noexcept;

/// Opens an artifact with the settings of a session on the model. What ORT takes from the mapped file stays
/// mapped while the session lives. Errors: those of MappedFile::open(); what ORT said.
Result<std::shared_ptr<const ort::Session>> open_artifact(ort::Environment& environment,
                                                          const std::filesystem::path& file,
                                                          const ort::SessionSettings& settings,
                                                          const ArtifactForm& form);

/// Opens and runs an artifact where it can end no process of the caller's. Errors: why it is not to be used.
using OpenApart = std::function<Result<void>(const std::filesystem::path& file, const ArtifactForm& form)>;

struct ArtifactOrder {
  ort::Environment& environment;
  const Source& source;
  const ort::SessionSettings& settings;  ///< of a session on the model
  std::filesystem::path folder;          ///< where the artifact is to lie; empty of files
  OpenApart open_apart = {};  ///< empty: nothing is opened apart, and no form made that has crashed
};

/// Writes each form into the folder, and keeps the one that opens fastest, if its outputs are those of the
/// model: which one that is differs from model to model (subgraphs open faster in ORT's format, large
/// weights faster from a file of their own).
/// Errors: what ORT said; RunFailed where outputs differ; those of `open_apart`.
Result<const ArtifactForm*> make_artifact(const ArtifactOrder& order);

/// Has the provider of the settings compile the model into the folder, if the outputs are roughly those of
/// the CPU and the result opens faster than it was compiled. `open_apart` is not asked. Errors: Unsupported
/// before ORT 1.22 and, for external weights, 1.23; what ORT said; ProviderFailed where nothing was compiled,
/// or nothing would be gained; RunFailed where outputs differ.
Result<const ArtifactForm*> make_compiled_artifact(const ArtifactOrder& order);

}  // namespace surefoot::session
