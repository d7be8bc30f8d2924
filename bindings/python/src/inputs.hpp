/// The inputs of one call: Python's objects as the library takes them.
#pragma once

#include <array>
#include <list>
#include <memory_resource>
#include <string>
#include <vector>

#include "numpy_api.hpp"
#include "surefoot/session.hpp"

namespace surefoot::python {

/// Holds all that its inputs refer to: arrays are viewed where they lie, and copied only when they are not
/// contiguous, of foreign byte order or packed. Made and destroyed with the GIL held; may be read without.
class CallInputs {
 public:
  /// `feed` is a dict of name to value. Lists and numbers take the type that the model declares; arrays
  /// keep theirs, and the library judges it.
  /// Throws: InvalidInput for what ONNX has no type for, TypeError for a name that is no string.
  CallInputs(const ModelInfo& model, nb::dict feed);
  std::span<const Input> inputs() const { return inputs_; }

 private:
  void add(std::string_view name, nb::handle value);
  void add_other(std::string_view name, nb::handle value, const ValueType* declared);
  TensorView view(std::string_view name, nb::handle array);
  TensorView view_of_object(std::string_view name, nb::handle value, ElementType wanted);
  Value value_of(std::string_view name, nb::handle value, const ValueType& declared);
  Value map_of(std::string_view name, nb::handle mapping, const ValueType& declared);
  Tensor tensor_of(std::string_view name, nb::handle value, ElementType wanted);
  const ValueType* declared(std::string_view name) const;

  const ModelInfo& model_;
  // Calls of a few inputs, which are the usual ones, allocate nothing here.
  std::array<std::byte, 1024> nearby_;
  std::pmr::monotonic_buffer_resource memory_{nearby_.data(), nearby_.size()};
  std::pmr::vector<Input> inputs_{&memory_};
  std::pmr::vector<nb::object> held_{&memory_};
  std::list<Value> values_;
  std::list<std::vector<std::string>> strings_;
  std::list<std::vector<std::byte>> packed_;
};

/// The name of an input or output as UTF-8; lives as long as the string object.
std::string_view name_of(nb::handle name);

}  // namespace surefoot::python
