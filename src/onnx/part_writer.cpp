#include "onnx/part_writer.hpp"

#include "surefoot/attribute_kind.hpp"

namespace surefoot::onnx {
namespace {

/// Writes one attribute's content with its kind, which onnx.proto wants beside it.
struct AttributeWriter {
  Builder<AttributeField>& out;

  void kind(AttributeKind kind) { out.add_int32(AttributeField::Type, static_cast<int>(kind)); }

  void operator()(std::int64_t value) {
    out.add_int64(AttributeField::Int, value);
    kind(AttributeKind::Int);
  }
  void operator()(float value) {
    out.add_float(AttributeField::Float, value);
    kind(AttributeKind::Float);
  }
  void operator()(const std::string& value) {
    out.add_bytes(AttributeField::String, value);
    kind(AttributeKind::String);
  }
  void operator()(const IntList& values) {
    for (const std::int64_t value : values) out.add_int64(AttributeField::Ints, value);
    kind(AttributeKind::Ints);
  }
  void operator()(const FloatList& values) {
    for (const float value : values) out.add_float(AttributeField::Floats, value);
    kind(AttributeKind::Floats);
  }
  void operator()(const StringList& values) {
    for (const std::string& value : values) out.add_bytes(AttributeField::Strings, value);
    kind(AttributeKind::Strings);
  }
  void operator()(const TensorView& value) {
    {
      Builder<TensorField> tensor(out, AttributeField::Tensor);
      write_tensor(tensor, "", value);
    }
    kind(AttributeKind::Tensor);
  }
  void operator()(const ValueType& type) {
    {
      Builder<TypeField> inner(out, AttributeField::TypeProto);
      write_type(inner, type);
    }
    kind(AttributeKind::Type);
  }
  void operator()(const GraphBuilder* graph) {
    out.add_message(AttributeField::Graph, graph->graph_bytes());
    kind(AttributeKind::Graph);
  }
  void operator()(const Attribute::Reference& reference) {
    out.add_string(AttributeField::RefAttrName, reference.name);
    out.add_int32(AttributeField::Type, reference.kind);
  }
};

}  // namespace

void write_attribute(Builder<AttributeField>& out, const Attribute& attribute) {
  out.add_string(AttributeField::Name, attribute.name);
  std::visit(AttributeWriter{out}, attribute.content);
}

void write_tensor_header(Builder<TensorField>& out, std::string_view name, ElementType type,
                         std::span<const std::int64_t> shape) {
  for (const std::int64_t size : shape) out.add_int64(TensorField::Dims, size);
  out.add_int32(TensorField::DataType, static_cast<std::int32_t>(type));
  if (!name.empty()) out.add_string(TensorField::Name, name.data(), name.size());
}

void write_tensor(Builder<TensorField>& out, std::string_view name, const TensorView& value) {
  write_tensor_header(out, name, value.type, value.shape);
  for (const std::string& text : value.strings) out.add_bytes(TensorField::StringData, text);
  if (value.type == ElementType::String) return;
  out.add_bytes(TensorField::RawData, reinterpret_cast<const char*>(value.bytes.data()), value.bytes.size());
}

void write_node(Builder<NodeField>& out, const Node& node) {
  for (const std::string& name : node.inputs) out.add_string(NodeField::Input, name);
  for (const std::string& name : node.outputs) out.add_string(NodeField::Output, name);
  if (!node.name.empty()) out.add_string(NodeField::Name, node.name);
  out.add_string(NodeField::OpType, node.op);
  for (const Attribute& attribute : node.attributes) {
    Builder<AttributeField> inner(out, NodeField::Attribute);
    write_attribute(inner, attribute);
  }
  if (!node.domain.empty()) out.add_string(NodeField::Domain, node.domain);
}

void write_value_info(Builder<ValueInfoField>& out, std::string_view name, const ValueType* type) {
  out.add_string(ValueInfoField::Name, name.data(), name.size());
  if (type == nullptr) return;
  Builder<TypeField> inner(out, ValueInfoField::Type);
  write_type(inner, *type);
}

void write_entry(Builder<EntryField>& out, std::string_view key, std::string_view value) {
  out.add_string(EntryField::Key, key.data(), key.size());
  out.add_string(EntryField::Value, value.data(), value.size());
}

void write_opset(Builder<OpsetField>& out, const OpsetImport& opset) {
  out.add_string(OpsetField::Domain, opset.domain);
  out.add_int64(OpsetField::Version, opset.version);
}

}  // namespace surefoot::onnx
