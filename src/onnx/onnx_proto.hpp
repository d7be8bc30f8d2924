/// Field numbers of the ONNX file format: onnx.proto (ONNX 1.23, IR 14), only what is read or written.
#pragma once

#include <protozero/types.hpp>

namespace surefoot::onnx {

enum class ModelField : protozero::pbf_tag_type {
  IrVersion = 1,
  ProducerName = 2,
  ProducerVersion = 3,
  Domain = 4,
  ModelVersion = 5,
  DocString = 6,
  Graph = 7,
  OpsetImport = 8,
  MetadataProps = 14,
  Functions = 25,
};

enum class OpsetField : protozero::pbf_tag_type { Domain = 1, Version = 2 };

/// StringStringEntryProto: metadata and external data are lists of these.
enum class EntryField : protozero::pbf_tag_type { Key = 1, Value = 2 };

enum class FunctionField : protozero::pbf_tag_type {
  Name = 1,
  Input = 4,
  Output = 5,
  Attribute = 6,
  Node = 7,
  OpsetImport = 9,
  Domain = 10,
};

enum class GraphField : protozero::pbf_tag_type {
  Node = 1,
  Name = 2,
  Initializer = 5,
  DocString = 10,
  Input = 11,
  Output = 12,
  ValueInfo = 13,
  QuantizationAnnotation = 14,
  SparseInitializer = 15,
};

/// TensorAnnotation: its parameters are a list of entries whose values name tensors.
enum class AnnotationField : protozero::pbf_tag_type { TensorName = 1, Parameter = 2 };

enum class NodeField : protozero::pbf_tag_type {
  Input = 1,
  Output = 2,
  Name = 3,
  OpType = 4,
  Attribute = 5,
  DocString = 6,
  Domain = 7,
};

enum class AttributeField : protozero::pbf_tag_type {
  Name = 1,
  Float = 2,
  Int = 3,
  String = 4,
  Tensor = 5,
  Graph = 6,
  Floats = 7,
  Ints = 8,
  Strings = 9,
  Tensors = 10,
  Graphs = 11,
  TypeProto = 14,
  TypeProtos = 15,
  Type = 20,
  RefAttrName = 21,
  SparseTensor = 22,
  SparseTensors = 23,
};

enum class TensorField : protozero::pbf_tag_type {
  Dims = 1,
  DataType = 2,
  FloatData = 4,
  Int32Data = 5,
  StringData = 6,
  Int64Data = 7,
  Name = 8,
  RawData = 9,
  DoubleData = 10,
  Uint64Data = 11,
  ExternalData = 13,
  DataLocation = 14,
};

enum class SparseTensorField : protozero::pbf_tag_type { Values = 1, Indices = 2, Dims = 3 };

enum class ValueInfoField : protozero::pbf_tag_type { Name = 1, Type = 2 };

/// TypeProto; of these exactly one is set.
enum class TypeField : protozero::pbf_tag_type {
  Tensor = 1,
  Sequence = 4,
  Map = 5,
  Opaque = 7,
  SparseTensor = 8,
  Optional = 9,
};

/// TypeProto.Tensor and TypeProto.SparseTensor
enum class TensorTypeField : protozero::pbf_tag_type { ElementType = 1, Shape = 2 };

/// TypeProto.Sequence and TypeProto.Optional
enum class ItemTypeField : protozero::pbf_tag_type { ItemType = 1 };

enum class MapTypeField : protozero::pbf_tag_type { KeyType = 1, ValueType = 2 };

enum class ShapeField : protozero::pbf_tag_type { Dimension = 1 };

enum class DimensionField : protozero::pbf_tag_type { Value = 1, Parameter = 2, Denotation = 3 };

}  // namespace surefoot::onnx
