/// Reads the elements of a stored tensor: what tensor_reader.hpp jumps over.
#pragma once

#include <optional>

#include "onnx/wire.hpp"
#include "surefoot/tensor.hpp"

namespace surefoot::onnx {

/// Copies the elements of a TensorProto, whichever of its fields holds them. Nothing for a tensor whose
/// elements lie in another file, or do not fill its type and shape exactly. Throws Corrupt.
std::optional<Tensor> read_elements(Message tensor);

}  // namespace surefoot::onnx
