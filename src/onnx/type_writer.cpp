#include "onnx/part_writer.hpp"

namespace surefoot::onnx {
namespace {

// Messages that may be empty (an unknown axis, a scalar's shape) are encoded apart: protozero takes
// back a nested message into which nothing was written.

std::string encoded(const Dimension& axis) {
  std::string bytes;
  Builder<DimensionField> out(bytes);
  if (axis.is_fixed()) out.add_int64(DimensionField::Value, axis.size);
  if (!axis.is_fixed() && !axis.name.empty()) out.add_string(DimensionField::Parameter, axis.name);
  if (!axis.denotation.empty()) out.add_string(DimensionField::Denotation, axis.denotation);
  return bytes;
}

std::string encoded(const std::vector<Dimension>& shape) {
  std::string bytes;
  Builder<ShapeField> out(bytes);
  for (const Dimension& axis : shape) out.add_message(ShapeField::Dimension, encoded(axis));
  return bytes;
}

void write_tensor_type(Builder<TypeField>& out, TypeField field, const ValueType& type) {
  Builder<TensorTypeField> tensor(out, field);
  tensor.add_int32(TensorTypeField::ElementType, static_cast<std::int32_t>(type.element));
  if (type.shape) tensor.add_message(TensorTypeField::Shape, encoded(*type.shape));
}

void write_item_type(Builder<TypeField>& out, TypeField field, const ValueType& item) {
  Builder<ItemTypeField> outer(out, field);
  Builder<TypeField> inner(outer, ItemTypeField::ItemType);
  write_type(inner, item);
}

void write_map_type(Builder<TypeField>& out, const ValueType& type) {
  Builder<MapTypeField> map(out, TypeField::Map);
  map.add_int32(MapTypeField::KeyType, static_cast<std::int32_t>(type.element));
  Builder<TypeField> value(map, MapTypeField::ValueType);
  if (!type.inner.empty()) write_type(value, type.inner.front());
}

}  // namespace

void write_type(Builder<TypeField>& out, const ValueType& type) {
  if (type.optional) {
    ValueType held = type;
    held.optional = false;
    return write_item_type(out, TypeField::Optional, held);
  }
  switch (type.kind) {
    case ValueKind::Tensor:
      return write_tensor_type(out, type.sparse ? TypeField::SparseTensor : TypeField::Tensor, type);
    case ValueKind::Sequence:
      return write_item_type(out, TypeField::Sequence, type.inner.empty() ? ValueType{} : type.inner.front());
    case ValueKind::Map:
      return write_map_type(out, type);
    case ValueKind::None:
      return;
  }
}

ValueType tensor_type(ElementType element, std::initializer_list<Axis> axes) {
  return {.element = element, .shape = std::vector<Dimension>(axes.begin(), axes.end())};
}
ValueType tensor_type(ElementType element) { return {.element = element}; }
ValueType sparse_tensor_type(ElementType element, std::initializer_list<Axis> axes) {
  ValueType type = tensor_type(element, axes);
  type.sparse = true;
  return type;
}
ValueType sequence_type(ValueType item) { return {.kind = ValueKind::Sequence, .inner = {std::move(item)}}; }
ValueType map_type(ElementType key, ValueType value) {
  return {.kind = ValueKind::Map, .element = key, .inner = {std::move(value)}};
}
ValueType optional_type(ValueType type) {
  type.optional = true;
  return type;
}

}  // namespace surefoot::onnx
