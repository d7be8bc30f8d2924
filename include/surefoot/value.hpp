/// Values: all that can go into a model or come out of one.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "surefoot/tensor.hpp"

namespace surefoot {

enum class ValueKind { None, Tensor, Sequence, Map };

/// "none", "tensor", "sequence", "map".
std::string_view to_string(ValueKind kind) noexcept;

class Value;

/// Values of one type, in order (ONNX `seq(T)`).
struct Sequence {
  std::vector<Value> items;
};

/// ONNX `map(K,V)`: keys, a 1-D tensor of integers or strings, and values, one for each key.
struct Map {
  Tensor keys;
  Tensor values;
};

/// A tensor, a sequence, a map, or nothing: an optional that is absent.
/// Moves cheaply; copies only by clone().
class Value {
 public:
  Value() = default;
  Value(Tensor tensor) : held_(std::move(tensor)) {}
  Value(Sequence sequence) : held_(std::move(sequence)) {}
  Value(Map map) : held_(std::move(map)) {}

  ValueKind kind() const noexcept { return static_cast<ValueKind>(held_.index()); }

  /// The part of that kind, or null.
  const Tensor* tensor() const noexcept { return std::get_if<Tensor>(&held_); }
  Tensor* tensor() noexcept { return std::get_if<Tensor>(&held_); }
  const Sequence* sequence() const noexcept { return std::get_if<Sequence>(&held_); }
  const Map* map() const noexcept { return std::get_if<Map>(&held_); }

  /// The elements of a tensor as `T`. Errors: InvalidArgument when it is another kind or type.
  template <Element T>
  Result<std::span<const T>> as() const {
    if (const Tensor* held = tensor()) return held->as<T>();
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = "value is a " + std::string(to_string(kind())) + ", a tensor is wanted"});
  }

  /// A deep copy. Errors: OutOfMemory.
  Result<Value> clone() const;

 private:
  std::variant<std::monostate, Tensor, Sequence, Map> held_;
};

}  // namespace surefoot
