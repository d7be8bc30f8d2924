#include "onnx/type_reader.hpp"

#include "onnx/onnx_proto.hpp"

namespace surefoot::onnx {
namespace {

constexpr int kDeepestType = 32;

ElementType element_type(std::int64_t number) { return static_cast<ElementType>(number); }

Dimension read_dimension(Message dimension) {
  Dimension axis;
  while (dimension.next()) switch (dimension.key()) {
      case varint(DimensionField::Value):
        axis.size = std::max<std::int64_t>(dimension.integer(), -1);
        break;
      case chunk(DimensionField::Parameter):
        axis.name = dimension.string();
        break;
      case chunk(DimensionField::Denotation):
        axis.denotation = dimension.string();
        break;
      default:
        dimension.skip();
    }
  return axis;
}

std::vector<Dimension> read_shape(Message shape) {
  std::vector<Dimension> axes;
  while (shape.next()) switch (shape.key()) {
      case chunk(ShapeField::Dimension):
        axes.push_back(read_dimension(shape.message("dimension")));
        break;
      default:
        shape.skip();
    }
  return axes;
}

ValueType read_tensor_type(Message tensor, bool sparse) {
  ValueType type{.sparse = sparse};
  while (tensor.next()) switch (tensor.key()) {
      case varint(TensorTypeField::ElementType):
        type.element = element_type(tensor.integer());
        break;
      case chunk(TensorTypeField::Shape):
        type.shape = read_shape(tensor.message("shape"));
        break;
      default:
        tensor.skip();
    }
  return type;
}

ValueType read_type(Message message, int depth);

/// The item of a sequence, or what an optional may hold.
ValueType read_item_type(Message outer, int depth) {
  ValueType item{.kind = ValueKind::None};
  while (outer.next()) switch (outer.key()) {
      case chunk(ItemTypeField::ItemType):
        item = read_type(outer.message("item type"), depth + 1);
        break;
      default:
        outer.skip();
    }
  return item;
}

ValueType read_map_type(Message map, int depth) {
  ValueType type{.kind = ValueKind::Map, .inner = {ValueType{.kind = ValueKind::None}}};
  while (map.next()) switch (map.key()) {
      case varint(MapTypeField::KeyType):
        type.element = element_type(map.integer());
        break;
      case chunk(MapTypeField::ValueType):
        type.inner.front() = read_type(map.message("value type"), depth + 1);
        break;
      default:
        map.skip();
    }
  return type;
}

ValueType optional(ValueType type) {
  type.optional = true;
  return type;
}

ValueType read_type(Message message, int depth) {
  if (depth > kDeepestType) message.damaged("types are nested too deep");
  ValueType type{.kind = ValueKind::None};
  while (message.next()) switch (message.key()) {
      case chunk(TypeField::Tensor):
        type = read_tensor_type(message.message("tensor type"), false);
        break;
      case chunk(TypeField::SparseTensor):
        type = read_tensor_type(message.message("tensor type"), true);
        break;
      case chunk(TypeField::Sequence):
        type = {.kind = ValueKind::Sequence,
                .inner = {read_item_type(message.message("sequence type"), depth)}};
        break;
      case chunk(TypeField::Map):
        type = read_map_type(message.message("map type"), depth);
        break;
      case chunk(TypeField::Optional):
        type = optional(read_item_type(message.message("optional type"), depth));
        break;
      default:
        message.skip();
    }
  return type;
}

}  // namespace

ValueType read_type(Message type) { return read_type(type, 0); }

ValueInfo read_value_info(Message message) {
  ValueInfo info{.type = {.kind = ValueKind::None}};
  while (message.next()) switch (message.key()) {
      case chunk(ValueInfoField::Name):
        info.name = message.string();
        break;
      case chunk(ValueInfoField::Type):
        info.type = read_type(message.message("type"));
        break;
      default:
        message.skip();
    }
  info.required = !info.type.optional;
  return info;
}

}  // namespace surefoot::onnx
