#include "bound_arrays.hpp"

#include <string>

#include "element_types.hpp"
#include "errors.hpp"
#include "inputs.hpp"

namespace surefoot::python {
namespace {

ElementType plain_type_of(PyArrayObject* array, bool fits, std::string refusal) {
  const ElementType type = element_type_of(PyArray_DESCR(array));
  if (!fits || type == ElementType::String || type == ElementType::Undefined || element_bits(type) < 8)
    raise({.code = ErrorCode::InvalidInput,
           .what = std::move(refusal) +
                   " contiguous array of numbers of a byte or more in this machine's byte order is wanted"});
  return type;
}

PyArrayObject* checked(std::string_view label, nb::handle array) {
  if (!PyArray_Check(array.ptr())) throw nb::type_error((std::string(label) + " is no numpy array").c_str());
  return as_array(array);
}

std::size_t size_of(PyArrayObject* array) { return static_cast<std::size_t>(PyArray_NBYTES(array)); }

}  // namespace

nb::object array_over(nb::handle value) {
  if (PyArray_Check(value.ptr())) return nb::borrow(value);
  const nb::module_ numpy = nb::module_::import_("numpy");
  return numpy.attr(nb::hasattr(value, "__dlpack__") ? "from_dlpack" : "asarray")(value);
}

TensorView readable_in_place(std::string_view label, nb::handle given) {
  PyArrayObject* array = checked(label, given);
  const ElementType type =
      plain_type_of(array, PyArray_ISCARRAY_RO(array), std::string(label) + " cannot be read in place: a");
  return {.type = type,
          .shape = shape_of(array),
          .bytes = {static_cast<const std::byte*>(PyArray_DATA(array)), size_of(array)}};
}

MutableTensorView writable_in_place(std::string_view label, nb::handle given) {
  PyArrayObject* array = checked(label, given);
  const ElementType type = plain_type_of(array, PyArray_ISCARRAY(array),
                                         std::string(label) + " cannot be written in place: a writable,");
  return {.type = type,
          .shape = shape_of(array),
          .bytes = {static_cast<std::byte*>(PyArray_DATA(array)), size_of(array)}};
}

Tensor owned_tensor(std::string_view name, nb::handle value) {
  const ModelInfo undeclared;
  nb::dict feed;
  feed[nb::str(name.data(), name.size())] = value;
  const CallInputs call(undeclared, feed);
  const Input& input = call.inputs().front();
  if (input.value != nullptr) throw nb::type_error(("`" + std::string(name) + "` is no tensor").c_str());
  const TensorView& view = input.tensor;
  Shape shape(view.shape.begin(), view.shape.end());
  if (view.type == ElementType::String)
    return value_or_raise(Tensor::from_strings({view.strings.begin(), view.strings.end()}, std::move(shape)));
  return value_or_raise(Tensor::from_bytes(view.type, std::move(shape), view.bytes));
}

}  // namespace surefoot::python
