#include "surefoot/model_info.hpp"

#include <fmt/format.h>
#include <utility>

namespace surefoot {
namespace {

std::string to_text(const Dimension& axis) {
  if (axis.is_fixed()) return std::to_string(axis.size);
  return axis.name.empty() ? "?" : axis.name;
}

std::string tensor_text(const ValueType& type) {
  std::string text(to_string(type.element));
  if (!type.shape) return text + "[...]";
  if (type.shape->empty()) return text;
  for (char before = '['; const Dimension& axis : *type.shape) {
    text.append(1, std::exchange(before, ',')).append(to_text(axis));
  }
  return text + "]";
}

/// A map's values are scalars, for which models state no shape.
std::string map_value_text(const ValueType& type) {
  const bool bare = type.kind == ValueKind::Tensor && !type.shape && !type.optional;
  return bare ? std::string(to_string(type.element)) : to_string(type);
}

std::string inner_text(const ValueType& type) {
  const ValueType none{.kind = ValueKind::None};
  const ValueType& inner = type.inner.empty() ? none : type.inner.front();
  if (type.kind == ValueKind::Sequence) return fmt::format("seq({})", to_string(inner));
  return fmt::format("map({},{})", to_string(type.element), map_value_text(inner));
}

std::string bare_text(const ValueType& type) {
  switch (type.kind) {
    case ValueKind::Tensor:
      return type.sparse ? fmt::format("sparse({})", tensor_text(type)) : tensor_text(type);
    case ValueKind::Sequence:
    case ValueKind::Map:
      return inner_text(type);
    case ValueKind::None:
      break;
  }
  return "unknown";
}

}  // namespace

std::string to_string(const ValueType& type) {
  return type.optional ? fmt::format("optional({})", bare_text(type)) : bare_text(type);
}

std::string_view to_string(ModelFormat format) noexcept {
  return format == ModelFormat::OrtFormat ? "ort" : "onnx";
}

}  // namespace surefoot
