/// Writing the compiled form of a model: the part that ONNX Runtime does.
#pragma once

#include "compile/target.hpp"

namespace surefoot::compilation {

struct WriteRequest {
  const Target& target;
  const std::filesystem::path& source;
  const ModelInfo& info;              ///< of the source
  const SessionOptions& options;      ///< `runtime` is set
  std::filesystem::path destination;  ///< in a folder where everything that appears belongs to it
  CompiledForm form = CompiledForm::Onnx;
  bool embed = false;
  bool external_weights = false;
};

/// Errors: those of Session::open(); ProviderFailed where the target compiled nothing, or refers to files
/// that it did not write beside the model; Unsupported before ORT 1.22 for compiled parts.
Result<ModelInfo> write_compiled(const WriteRequest& request);

}  // namespace surefoot::compilation
