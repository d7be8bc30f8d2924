/// What stands in a model's way, read from its file before any ONNX Runtime sees it.
#pragma once

#include <span>

#include "surefoot/explain.hpp"
#include "surefoot/model_info.hpp"
#include "surefoot/runtime.hpp"

namespace surefoot {

/// One thing that was found.
struct ModelFinding {
  /// Error: it will not open, or not run as it states. Warning: it runs, but not everywhere or not as
  /// expected. Note: good to know.
  Severity severity = Severity::Note;
  std::string topic;                      ///< "runtime", "operators", "weights", "shapes", "batch", …
  std::string what;                       ///< one clause, with the names in it
  std::vector<std::string> details = {};  ///< one line each: nodes, files, inputs
  std::string hint = {};                  ///< one action, or empty
  std::string slug = {};                  ///< the entry of the error that it leads to, or empty
};

/// Whether one ONNX Runtime of this machine reads the model's format and opsets.
struct RuntimeFit {
  std::string version;
  std::filesystem::path path;
  std::string refuses = {};  ///< why it does not; empty when it does
};

struct ModelCheck {
  ModelInfo info;
  std::string first_runtime = {};  ///< the oldest ORT that accepts it: "1.21"; empty when none does
  std::vector<RuntimeFit> runtimes = {};
  std::vector<ModelFinding> findings = {};  ///< worst first

  /// Whether nothing is an error.
  bool is_ready() const;
};

/// Says everything at once. `runtimes` are those of Runtime::discover(); those that were refused are
/// left out. Which ORT accepts what is known from 1.20 to 1.32; a newer one is taken to accept what 1.32
/// does. Of an ORT-format file only its size is known. Errors: those of inspect().
Result<ModelCheck> check_model(const std::filesystem::path& model,
                               std::span<const RuntimeFound> runtimes = {});

}  // namespace surefoot
