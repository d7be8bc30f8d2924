#include "surefoot/value.hpp"

#include <utility>

namespace surefoot {
namespace {

Result<Value> clone_of(const Sequence& sequence) {
  Sequence copy;
  copy.items.reserve(sequence.items.size());
  for (const Value& item : sequence.items) {
    auto cloned = item.clone();
    if (!cloned) return cloned;
    copy.items.push_back(*std::move(cloned));
  }
  return copy;
}

Result<Value> clone_of(const Map& map) {
  auto keys = map.keys.clone();
  if (!keys) return fail(std::move(keys).error());
  auto values = map.values.clone();
  if (!values) return fail(std::move(values).error());
  return Map{*std::move(keys), *std::move(values)};
}

Result<Value> clone_of(const Tensor& tensor) {
  auto copy = tensor.clone();
  if (!copy) return fail(std::move(copy).error());
  return *std::move(copy);
}

}  // namespace

std::string_view to_string(ValueKind kind) noexcept {
  switch (kind) {
    case ValueKind::None:
      return "none";
    case ValueKind::Tensor:
      return "tensor";
    case ValueKind::Sequence:
      return "sequence";
    case ValueKind::Map:
      return "map";
  }
  return "unknown";
}

Result<Value> Value::clone() const {
  if (const Tensor* held = tensor()) return clone_of(*held);
  if (const Sequence* held = sequence()) return clone_of(*held);
  if (const Map* held = map()) return clone_of(*held);
  return Value();
}

}  // namespace surefoot
