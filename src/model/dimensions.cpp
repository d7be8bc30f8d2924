#include "model/dimensions.hpp"

#include "onnx/onnx_proto.hpp"
#include "onnx/part_writer.hpp"

namespace surefoot::model {
namespace {

using onnx::DimensionField, onnx::ItemTypeField, onnx::MapTypeField, onnx::Part, onnx::ShapeField,
    onnx::TensorTypeField, onnx::TypeField, onnx::ValueInfoField;
using Visit = std::function<void(Part&)>;

void visit_tensor(Part& tensor, const Visit& visit) {
  for (Part& field : onnx::open(tensor, "tensor type"))
    if (field.is(TensorTypeField::Shape))
      for (Part& axis : onnx::open(field, "shape"))
        if (axis.is(ShapeField::Dimension)) visit(axis);
}

/// The reader has bounded how deep types lie in each other.
void visit_type(Part& type, const Visit& visit) {
  for (Part& field : onnx::open(type, "type")) {
    if (field.is(TypeField::Tensor) || field.is(TypeField::SparseTensor)) visit_tensor(field, visit);
    const bool holds_item = field.is(TypeField::Sequence) || field.is(TypeField::Optional);
    if (!holds_item && !field.is(TypeField::Map)) continue;
    for (Part& inner : onnx::open(field, "type"))
      if (holds_item ? inner.is(ItemTypeField::ItemType) : inner.is(MapTypeField::ValueType))
        visit_type(inner, visit);
  }
}

bool holds(const Part& dimension, DimensionField wanted, std::string_view text) {
  bool found = false;
  onnx::each_chunk(dimension, [&](std::uint32_t number, std::string_view content) {
    found = found || (number == static_cast<std::uint32_t>(wanted) && content == text);
  });
  return found;
}

}  // namespace

void each_dimension(Part& value, const Visit& visit) {
  for (Part& field : onnx::open(value, "value"))
    if (field.is(ValueInfoField::Type)) visit_type(field, visit);
}

bool has_symbol(const Part& dimension, std::string_view name) {
  return holds(dimension, DimensionField::Parameter, name);
}

bool has_denotation(const Part& dimension, std::string_view denotation) {
  return holds(dimension, DimensionField::Denotation, denotation);
}

void change_size(Part& dimension, const Dimension& to) {
  onnx::Parts& fields = onnx::open(dimension, "dimension");
  fields.remove_if([](const Part& field) {
    return field.number == static_cast<std::uint32_t>(DimensionField::Value) ||
           field.is(DimensionField::Parameter);
  });
  std::string bytes;
  onnx::Builder<DimensionField> builder(bytes);
  if (to.is_fixed())
    builder.add_int64(DimensionField::Value, to.size);
  else if (!to.name.empty())
    builder.add_string(DimensionField::Parameter, to.name);
  onnx::Replacements none;
  onnx::set_content(dimension, bytes + onnx::render(fields, none).joined());
}

}  // namespace surefoot::model
