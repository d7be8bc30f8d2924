/// The axes of declared types, in place.
#pragma once

#include <functional>
#include <string>

#include "onnx/part.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::model {

/// Calls `visit` with each axis (a TensorShapeProto.Dimension) of the type that an open ValueInfoProto
/// declares, those inside sequences, maps and optionals too.
void each_dimension(onnx::Part& value, const std::function<void(onnx::Part&)>& visit);

/// Whether the axis has that symbolic name, or that denotation.
bool has_symbol(const onnx::Part& dimension, std::string_view name);
bool has_denotation(const onnx::Part& dimension, std::string_view denotation);

/// Gives the axis a fixed size or a symbolic name; a denotation, and what is unknown to us, stay.
void change_size(onnx::Part& dimension, const Dimension& to);

}  // namespace surefoot::model
