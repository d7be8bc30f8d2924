/// Reads declared types: TypeProto and what it is made of.
#pragma once

#include "onnx/wire.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::onnx {

/// Reads a TypeProto to its end. A type that is none of ours (opaque, or of a later ONNX) has the
/// kind None. Throws Corrupt; also for types inside types without end.
ValueType read_type(Message type);

/// Reads a ValueInfoProto to its end: an input or output. Throws Corrupt.
ValueInfo read_value_info(Message info);

}  // namespace surefoot::onnx
