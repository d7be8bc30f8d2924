/// Reads an ONNX model's facts in one pass over the file, weights jumped over.
#pragma once

#include <string_view>

#include "onnx/wire.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::onnx {

/// Reads `source` as a ModelProto; `subject` names it in errors: "`bert.onnx`".
/// Errors: InvalidModel, with the byte at which the file ends too early or is damaged, or what it
/// lacks to be a model.
Result<ModelInfo> read_model(Source& source, std::string_view subject);

}  // namespace surefoot::onnx
