#include "model/node_codec.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>

#include "onnx/model_writer.hpp"
#include "onnx/node_reader.hpp"
#include "onnx/onnx_proto.hpp"
#include "onnx/part_writer.hpp"
#include "onnx/stored_elements.hpp"

namespace surefoot::model {
namespace {

using onnx::AttributeField, onnx::chunk, onnx::NodeField, onnx::Part, onnx::varint, onnx::word;
using Kind = NodeAttribute::Kind;

/// What the fields of an AttributeProto hold, before its kind says which of them count.
struct Fields {
  float number = 0;
  std::int64_t integer = 0;
  std::string text;
  std::vector<float> numbers;
  std::vector<std::int64_t> integers;
  std::vector<std::string> texts;
  std::string_view tensor;
};

void add_floats(std::string_view packed, std::vector<float>& out) {
  for (; packed.size() >= sizeof(float); packed.remove_prefix(sizeof(float))) {
    std::memcpy(&out.emplace_back(), packed.data(), sizeof(float));
  }
}

float float_from(std::uint32_t bits) { return std::bit_cast<float>(bits); }

void read_field(onnx::Message& message, NodeAttribute& attribute, Fields& fields) {
  switch (message.key()) {
    case chunk(AttributeField::Name):
      attribute.name = message.string();
      break;
    case chunk(AttributeField::RefAttrName):
      attribute.reference = message.string();
      break;
    case varint(AttributeField::Type):
      attribute.kind = static_cast<Kind>(message.integer());
      break;
    case word(AttributeField::Float):
      fields.number = float_from(message.fixed32());
      break;
    case varint(AttributeField::Int):
      fields.integer = message.integer();
      break;
    case chunk(AttributeField::String):
      fields.text = message.string();
      break;
    case chunk(AttributeField::Tensor):
      fields.tensor = message.text();
      break;
    case word(AttributeField::Floats):
      fields.numbers.push_back(float_from(message.fixed32()));
      break;
    case chunk(AttributeField::Floats):
      add_floats(message.text(), fields.numbers);
      break;
    case varint(AttributeField::Ints):
      fields.integers.push_back(message.integer());
      break;
    case chunk(AttributeField::Ints):
      message.packed_integers(fields.integers);
      break;
    case chunk(AttributeField::Strings):
      fields.texts.push_back(message.string());
      break;
    default:
      message.skip();
  }
}

Result<std::shared_ptr<const Tensor>> read_tensor(std::string_view content) {
  onnx::Source source(std::as_bytes(std::span(content)));
  return onnx::copy_elements(onnx::Message(source, content, "tensor"));
}

Result<NodeAttribute::Value> value_of(Kind kind, Fields&& fields, std::string_view content) {
  switch (kind) {
    case Kind::Float:
      return NodeAttribute::Value(fields.number);
    case Kind::Int:
      return NodeAttribute::Value(fields.integer);
    case Kind::String:
      return NodeAttribute::Value(std::move(fields.text));
    case Kind::Floats:
      return NodeAttribute::Value(std::move(fields.numbers));
    case Kind::Ints:
      return NodeAttribute::Value(std::move(fields.integers));
    case Kind::Strings:
      return NodeAttribute::Value(std::move(fields.texts));
    case Kind::Tensor: {
      auto tensor = read_tensor(fields.tensor);
      if (!tensor) return fail(std::move(tensor).error());
      if (*tensor) return NodeAttribute::Value(std::move(*tensor));
      break;
    }
    default:
      break;
  }
  return NodeAttribute::Value(NodeAttribute::Encoded{std::string(content)});
}

Result<NodeAttribute> read_attribute(std::string_view content) {
  onnx::Source source(std::as_bytes(std::span(content)));
  onnx::Message message(source, content, "attribute");
  NodeAttribute attribute;
  Fields fields;
  while (message.next()) read_field(message, attribute, fields);
  if (!attribute.reference.empty()) return attribute;
  auto value = value_of(attribute.kind, std::move(fields), content);
  if (!value) return fail(std::move(value).error().while_doing("reading attribute `" + attribute.name + "`"));
  attribute.value = std::move(*value);
  return attribute;
}

/// Writes a value with its kind by the writer of models.
struct Converter {
  const NodeAttribute& from;

  onnx::Attribute operator()(const std::shared_ptr<const Tensor>& tensor) const {
    return {from.name, tensor->view()};
  }
  onnx::Attribute operator()(const NodeAttribute::Encoded&) const { return {from.name, std::int64_t{0}}; }
  template <class T>
  onnx::Attribute operator()(const T& value) const {
    return {from.name, value};
  }
};

/// The fields of a node that belong together: all of one kind are written anew, or none.
struct Group {
  NodeField field;
  std::vector<std::string> before;
  std::vector<std::string> now;
  bool written = false;
};

std::vector<std::string> one(const std::string& text) {
  return text.empty() ? std::vector<std::string>() : std::vector{text};
}

std::vector<std::string> all_attribute_bytes(const Node& node) {
  std::vector<std::string> all;
  for (const NodeAttribute& attribute : node.attributes) all.push_back(attribute_bytes(attribute));
  return all;
}

}  // namespace

std::string content_of(const Part& part) {
  if (part.parts == nullptr) return std::string(part.content);
  onnx::Replacements none;
  return onnx::render(*part.parts, none).joined();
}

bool holds_graph(const NodeAttribute& attribute) {
  return attribute.kind == Kind::Graph || attribute.kind == Kind::Graphs;
}

Result<Node> read_node(const Part& part) {
  const std::string content = content_of(part);
  onnx::Source source(std::as_bytes(std::span(content)));
  const onnx::StoredNode stored = onnx::read_node(onnx::Message(source, content, "node"));
  Node node{.op = std::string(stored.op),
            .inputs = {stored.inputs.begin(), stored.inputs.end()},
            .outputs = {stored.outputs.begin(), stored.outputs.end()},
            .domain = std::string(stored.domain),
            .name = std::string(stored.name),
            .doc_string = std::string(stored.doc_string)};
  for (const onnx::Message& message : stored.attributes) {
    auto attribute = read_attribute(message.content());
    if (!attribute) return fail(std::move(attribute).error());
    node.attributes.push_back(std::move(*attribute));
  }
  return node;
}

std::string attribute_bytes(const NodeAttribute& attribute) {
  if (const auto* encoded = std::get_if<NodeAttribute::Encoded>(&attribute.value)) return encoded->bytes;
  std::string bytes;
  onnx::Builder<AttributeField> builder(bytes);
  if (!attribute.reference.empty())
    onnx::write_attribute(
        builder,
        {attribute.name, onnx::Attribute::Reference{attribute.reference, static_cast<int>(attribute.kind)}});
  else
    onnx::write_attribute(builder, std::visit(Converter{attribute}, attribute.value));
  return bytes;
}

void write_node(Part& part, const Node& node) {
  const Node before = read_node(part).value_or(Node());
  Group groups[] = {
      {NodeField::Input, before.inputs, node.inputs},
      {NodeField::Output, before.outputs, node.outputs},
      {NodeField::Name, one(before.name), one(node.name)},
      {NodeField::OpType, one(before.op), one(node.op)},
      {NodeField::Attribute, all_attribute_bytes(before), all_attribute_bytes(node)},
      {NodeField::DocString, one(before.doc_string), one(node.doc_string)},
      {NodeField::Domain, one(before.domain), one(node.domain)},
  };
  // Parts inside an attribute keep their addresses when it moves: scopes point at them.
  std::vector<Part> old(std::move_iterator(part.parts->begin()), std::move_iterator(part.parts->end()));
  part.parts->clear();
  std::vector<Part*> attributes;  // by place; null once it has found its new place
  for (Part& field : old)
    if (field.is(NodeField::Attribute)) attributes.push_back(&field);
  const auto write = [&](Group& group) {
    if (std::exchange(group.written, true)) return;
    for (const std::string& text : group.now) {
      const auto index =
          static_cast<std::size_t>(std::ranges::find(group.before, text) - group.before.begin());
      const bool stays =
          group.field == NodeField::Attribute && index < attributes.size() && attributes[index];
      part.parts->push_back(stays ? std::move(*std::exchange(attributes[index], nullptr))
                                  : onnx::make_part(group.field, text));
    }
  };
  for (Part& field : old) {
    const auto group =
        std::ranges::find_if(groups, [&](const Group& found) { return field.is(found.field); });
    if (group == std::end(groups) || group->before == group->now)
      part.parts->push_back(std::move(field));
    else
      write(*group);
  }
  for (Group& group : groups)
    if (group.before != group.now) write(group);
  part.changed = true;
}

}  // namespace surefoot::model
