/// Tells what a file is from its content; its name is never looked at.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "surefoot/model_info.hpp"
#include "surefoot/result.hpp"

namespace surefoot::onnx {

/// The format of the model in `bytes`; `subject` names them in errors: "`bert.onnx`".
/// Looks at the first and last few kilobytes only, so what it takes for ONNX may still be damaged.
/// Errors: InvalidModel, which says what the bytes are instead and what to do about it.
Result<ModelFormat> sniff(std::span<const std::byte> bytes, std::string_view subject);

}  // namespace surefoot::onnx
