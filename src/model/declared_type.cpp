#include "model/declared_type.hpp"

#include "onnx/onnx_proto.hpp"
#include "onnx/part_writer.hpp"
#include "onnx/type_reader.hpp"

namespace surefoot::model {
namespace {

using onnx::GraphField, onnx::Part, onnx::ValueInfoField;

ValueType fixed_type(ElementType type, std::span<const std::int64_t> shape) {
  ValueType fixed{.element = type, .shape = std::vector<Dimension>()};
  for (const std::int64_t size : shape) fixed.shape->push_back({.size = size});
  return fixed;
}

bool says(const ValueType& declared, const ValueType& wanted) {
  if (declared.element != wanted.element || !declared.shape || declared.shape->size() != wanted.shape->size())
    return false;
  for (std::size_t i = 0; i < declared.shape->size(); ++i)
    if ((*declared.shape)[i].is_fixed() && (*declared.shape)[i].size != (*wanted.shape)[i].size) return false;
  return true;
}

}  // namespace

ValueInfo declared_info(const Part& part) {
  std::string bytes;
  std::string_view content = part.content;
  if (part.parts != nullptr) {
    onnx::Replacements none;
    bytes = onnx::render(*part.parts, none).joined();
    content = bytes;
  }
  onnx::Source source(std::as_bytes(std::span(content)));
  return onnx::read_value_info(onnx::Message(source, content, "value"));
}

bool declares(const Part& part, std::string_view name) {
  if (!part.is(GraphField::Input) && !part.is(GraphField::ValueInfo)) return false;
  bool found = false;
  onnx::each_chunk(part, [&](std::uint32_t number, std::string_view content) {
    found = found || (number == static_cast<std::uint32_t>(ValueInfoField::Name) && content == name);
  });
  return found;
}

void declare(State& state, std::size_t scope, std::string_view name, ElementType type,
             std::span<const std::int64_t> shape) {
  const ValueType wanted = fixed_type(type, shape);
  for (Part& part : *state.tree.scopes[scope].part->parts) {
    if (!declares(part, name) || says(declared_info(part).type, wanted)) continue;
    for (Part& field : onnx::open(part, "value")) {
      if (!field.is(ValueInfoField::Type)) continue;
      std::string bytes;
      onnx::Builder<onnx::TypeField> builder(bytes);
      onnx::write_type(builder, wanted);
      onnx::set_content(field, std::move(bytes));
    }
    state.touch();
  }
}

}  // namespace surefoot::model
