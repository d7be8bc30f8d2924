/// Encodes the parts of an ONNX model, each into a message that the caller opened.
#pragma once

#include <protozero/pbf_builder.hpp>
#include <string_view>

#include "onnx/model_writer.hpp"
#include "onnx/onnx_proto.hpp"

namespace surefoot::onnx {

template <class Field>
using Builder = protozero::pbf_builder<Field>;

void write_type(Builder<TypeField>& out, const ValueType& type);

/// Dimensions, element type and name: all but the elements.
void write_tensor_header(Builder<TensorField>& out, std::string_view name, ElementType type,
                         std::span<const std::int64_t> shape);
void write_tensor(Builder<TensorField>& out, std::string_view name, const TensorView& value);

/// The content of an attribute with its kind.
void write_attribute(Builder<AttributeField>& out, const Attribute& attribute);
void write_node(Builder<NodeField>& out, const Node& node);

/// `type` may be null: not stated.
void write_value_info(Builder<ValueInfoField>& out, std::string_view name, const ValueType* type);

void write_entry(Builder<EntryField>& out, std::string_view key, std::string_view value);
void write_opset(Builder<OpsetField>& out, const OpsetImport& opset);

}  // namespace surefoot::onnx
