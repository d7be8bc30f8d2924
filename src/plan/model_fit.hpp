/// Whether an ONNX Runtime reads a model at all, whichever provider runs it.
#pragma once

#include "surefoot/plan.hpp"

namespace surefoot::plan {

/// Errors: InvalidModel, naming what the model states and the newest that this ORT reads: its IR version,
/// the opset of a domain. What is newer than all that was measured is left to ORT.
Result<void> check_model_fits(const MachineFacts& machine, const ModelInfo& model);

}  // namespace surefoot::plan
