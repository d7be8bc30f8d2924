/// What kind of value an attribute of a node has.
#pragma once

namespace surefoot {

/// Numbers are those of ONNX's AttributeProto.AttributeType.
enum class AttributeKind : int {
  Undefined = 0,
  Float = 1,
  Int = 2,
  String = 3,
  Tensor = 4,
  Graph = 5,
  Floats = 6,
  Ints = 7,
  Strings = 8,
  Tensors = 9,
  Graphs = 10,
  SparseTensor = 11,
  SparseTensors = 12,
  Type = 13,
  Types = 14,
};

}  // namespace surefoot
