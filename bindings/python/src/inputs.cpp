#include "inputs.hpp"

#include "element_types.hpp"
#include "errors.hpp"
#include "packed_arrays.hpp"
#include "string_arrays.hpp"

namespace surefoot::python {
namespace {

bool is_array(nb::handle value) { return PyArray_Check(value.ptr()); }

bool is_list(nb::handle value) { return PyList_Check(value.ptr()) || PyTuple_Check(value.ptr()); }

/// Contiguous, aligned, in this machine's byte order: the array itself where it is that already.
nb::object plain(PyArrayObject* array) {
  if (PyArray_ISCARRAY_RO(array)) return nb::borrow(reinterpret_cast<PyObject*>(array));
  PyArray_Descr* type = PyArray_DESCR(array);
  if (PyArray_ISNOTSWAPPED(array))
    Py_INCREF(reinterpret_cast<PyObject*>(type));
  else if ((type = PyArray_DescrNewByteorder(type, NPY_NATIVE)) == nullptr)
    throw nb::python_error();
  return made(PyArray_FromArray(array, type, NPY_ARRAY_CARRAY_RO));
}

std::span<const std::byte> bytes_of(PyArrayObject* array) {
  return {static_cast<const std::byte*>(PyArray_DATA(array)),
          static_cast<std::size_t>(PyArray_NBYTES(array))};
}

[[noreturn]] void refuse(std::string_view name, nb::handle value) {
  const nb::str type =
      nb::str(is_array(value) ? nb::object(value.attr("dtype")) : nb::object(value.type().attr("__name__")));
  raise({.code = ErrorCode::InvalidInput,
         .what = "input `" + std::string(name) + "` is `" + type.c_str() + "`, which ONNX has no type for"});
}

/// Tensors of other packages (torch, onnxruntime's OrtValue) give their elements by a method `numpy`, and
/// any other by DLPack.
nb::object unwrapped(nb::handle value) {
  if (is_array(value)) return nb::borrow(value);
  if (nb::hasattr(value, "numpy")) return value.attr("numpy")();
  if (!nb::hasattr(value, "__dlpack__") || nb::hasattr(value, "__array__")) return nb::borrow(value);
  return nb::module_::import_("numpy").attr("from_dlpack")(value);
}

}  // namespace

std::string_view name_of(nb::handle name) {
  Py_ssize_t size = 0;
  const char* data = PyUnicode_Check(name.ptr()) ? PyUnicode_AsUTF8AndSize(name.ptr(), &size) : nullptr;
  if (data == nullptr) {
    PyErr_Clear();
    throw nb::type_error("names of inputs and outputs are strings");
  }
  return {data, static_cast<std::size_t>(size)};
}

CallInputs::CallInputs(const ModelInfo& model, nb::dict feed) : model_(model) {
  inputs_.reserve(nb::len(feed));
  held_.reserve(2 * nb::len(feed));
  PyObject *name = nullptr, *value = nullptr;
  for (Py_ssize_t position = 0; PyDict_Next(feed.ptr(), &position, &name, &value);) {
    held_.push_back(nb::borrow(name));  // another thread may change the dict while the model runs
    add(name_of(name), value);
  }
}

const ValueType* CallInputs::declared(std::string_view name) const {
  for (const ValueInfo& input : model_.inputs)
    if (input.name == name) return &input.type;
  return nullptr;
}

void CallInputs::add(std::string_view name, nb::handle value) {
  if (is_array(value))
    inputs_.emplace_back(name, view(name, value));
  else
    add_other(name, unwrapped(value), declared(name));
}

void CallInputs::add_other(std::string_view name, nb::handle value, const ValueType* type) {
  const bool is_tensor = type == nullptr || type->kind == ValueKind::Tensor;
  if (is_array(value)) {
    inputs_.emplace_back(name, view(name, value));
  } else if (is_tensor && !value.is_none()) {
    inputs_.emplace_back(name, view_of_object(name, value, type ? type->element : ElementType::Undefined));
  } else {
    values_.push_back(value.is_none() ? Value() : value_of(name, value, *type));
    inputs_.emplace_back(name, values_.back());
  }
}

TensorView CallInputs::view(std::string_view name, nb::handle value) {
  PyArrayObject* array = as_array(value);
  const ElementType type = element_type_of(PyArray_DESCR(array));
  if (type == ElementType::Undefined) refuse(name, value);
  if (type == ElementType::String) {
    held_.push_back(nb::borrow(value));
    return {.type = type, .shape = shape_of(array), .strings = strings_.emplace_back(strings_of(array))};
  }
  held_.push_back(plain(array));
  array = as_array(held_.back());
  if (element_bits(type) < 8)
    return {.type = type,
            .shape = shape_of(array),
            .bytes = packed_.emplace_back(packed_bytes(type, bytes_of(array)))};
  return {.type = type, .shape = shape_of(array), .bytes = bytes_of(array)};
}

TensorView CallInputs::view_of_object(std::string_view name, nb::handle value, ElementType wanted) {
  const bool has_type = nb::hasattr(value, "dtype") || wanted == ElementType::Undefined;
  const nb::object type = has_type ? nb::none() : numpy_type(wanted);
  const nb::object array = nb::module_::import_("numpy").attr("asarray")(value, type);
  // numpy makes an array of objects of what it does not understand.
  if (wanted != ElementType::String &&
      element_type_of(PyArray_DESCR(as_array(array))) == ElementType::String && has_type)
    refuse(name, value);
  return view(name, array);
}

Tensor CallInputs::tensor_of(std::string_view name, nb::handle value, ElementType wanted) {
  const nb::object source = unwrapped(value);
  const TensorView view = is_array(source) ? this->view(name, source) : view_of_object(name, source, wanted);
  Shape shape(view.shape.begin(), view.shape.end());
  if (view.type == ElementType::String)
    return value_or_raise(Tensor::from_strings({view.strings.begin(), view.strings.end()}, std::move(shape)));
  // The call holds the array, and inputs are not written to.
  auto* bytes = const_cast<std::byte*>(view.bytes.data());
  return Tensor::adopt(view.type, std::move(shape), {bytes, view.bytes.size()}, nullptr);
}

Value CallInputs::value_of(std::string_view name, nb::handle given, const ValueType& type) {
  const nb::object value = unwrapped(given);
  if (value.is_none()) return {};
  if (type.kind == ValueKind::Map && PyDict_Check(value.ptr())) return map_of(name, value, type);
  if (type.kind == ValueKind::Sequence && is_list(value)) {
    Sequence sequence;
    for (nb::handle item : value)
      sequence.items.push_back(type.inner.empty() ? Value(tensor_of(name, item, ElementType::Undefined))
                                                  : value_of(name, item, type.inner.front()));
    return sequence;
  }
  return tensor_of(name, value, type.kind == ValueKind::Tensor ? type.element : ElementType::Undefined);
}

Value CallInputs::map_of(std::string_view name, nb::handle mapping, const ValueType& type) {
  const nb::list keys(mapping.attr("keys")());
  const nb::list values(mapping.attr("values")());
  const ElementType wanted = type.inner.empty() ? ElementType::Undefined : type.inner.front().element;
  return Map{.keys = tensor_of(name, keys, type.element), .values = tensor_of(name, values, wanted)};
}

}  // namespace surefoot::python
