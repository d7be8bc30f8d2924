/// The inputs and outputs of a model that is open for editing, and the sizes of their axes.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "surefoot/model_info.hpp"

namespace surefoot {

namespace model {
struct State;
}

/// A light handle that shares in the model.
///
/// Threads   one at a time, for all handles on one model.
class ModelInterface {
 public:
  explicit ModelInterface(std::shared_ptr<model::State> state) : state_(std::move(state)) {}

  /// As they are now, in the file's order; inputs that have a weight as their default included.
  std::vector<ValueInfo> inputs() const;
  std::vector<ValueInfo> outputs() const;

  /// Gives a value of the main graph another name everywhere: an input, an output, a weight or an inner one.
  /// Errors: NotFound with the nearest name; InvalidArgument: the new one is taken.
  Result<void> rename(std::string_view from, std::string_view to);

  /// Gives every axis of that symbolic name, or of that denotation, a fixed size.
  /// Errors: NotFound with the nearest name; InvalidArgument (a negative size).
  Result<void> fix(std::string_view dimension, std::int64_t size);
  Result<void> fix_denotation(std::string_view denotation, std::int64_t size);

  /// Gives one axis of an input or output a size, a symbolic name, or neither (unknown). Stated shapes of
  /// inner values are dropped where an axis becomes free, since they may have followed from it.
  /// Errors: NotFound (no such input or output); InvalidArgument (no such axis, no stated shape).
  Result<void> set_axis(std::string_view port, std::size_t axis, const Dimension& dimension);

  /// Makes a value of the main graph an output, behind those that are there. Unless a type is given, the one
  /// that the file states for the value is taken; without any, ONNX Runtime infers it, but ONNX's own
  /// checker wants one: see Model::infer_type(). Errors: NotFound with the nearest name; InvalidArgument: it
  /// is an output already.
  Result<void> add_output(std::string_view value, const std::optional<ValueType>& type = {});
  /// Takes an output out; what computes it stays. Errors: NotFound; InvalidArgument for the last one.
  Result<void> remove_output(std::string_view name);

 private:
  std::shared_ptr<model::State> state_;
};

}  // namespace surefoot
