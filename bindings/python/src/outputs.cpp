#include "outputs.hpp"

#include <algorithm>
#include <memory>

#include "element_types.hpp"
#include "packed_arrays.hpp"
#include "string_arrays.hpp"

namespace surefoot::python {
namespace {

const npy_intp* sizes_of(const Shape& shape) { return reinterpret_cast<const npy_intp*>(shape.data()); }

PyArray_Descr* descriptor(ElementType type) {
  switch (type) {  // the usual ones without a question to Python
    case ElementType::Float32:
      return PyArray_DescrFromType(NPY_FLOAT32);
    case ElementType::Int64:
      return PyArray_DescrFromType(NPY_INT64);
    default:
      return reinterpret_cast<PyArray_Descr*>(numpy_type(type).release().ptr());
  }
}

nb::object unpacked_array(const Tensor& tensor) {
  const auto count = static_cast<std::size_t>(element_count(tensor.shape()).value_or(0));
  const auto bytes = unpacked_bytes(tensor.type(), tensor.bytes(), count);
  nb::object array = made(PyArray_Empty(static_cast<int>(tensor.shape().size()), sizes_of(tensor.shape()),
                                        descriptor(tensor.type()), 0));
  std::ranges::copy(bytes, static_cast<std::byte*>(PyArray_DATA(as_array(array))));
  return array;
}

/// An array over the tensor's memory.
nb::object shared_array(Tensor&& tensor) {
  auto owned = std::make_unique<Tensor>(std::move(tensor));
  nb::object array = made(PyArray_NewFromDescr(
      &PyArray_Type, descriptor(owned->type()), static_cast<int>(owned->shape().size()),
      sizes_of(owned->shape()), nullptr, owned->mutable_bytes().data(), NPY_ARRAY_CARRAY, nullptr));
  if (owned->mutable_bytes().data() == nullptr) return array;  // no elements: numpy gave it memory of its own
  nb::capsule owner(owned.release(), [](void* held) noexcept { delete static_cast<Tensor*>(held); });
  if (PyArray_SetBaseObject(as_array(array), owner.release().ptr()) != 0) throw nb::python_error();
  return array;
}

nb::object array_of(Tensor&& tensor) {
  if (tensor.type() == ElementType::String) return array_of_strings(tensor.strings(), tensor.shape());
  return element_bits(tensor.type()) < 8 ? unpacked_array(tensor) : shared_array(std::move(tensor));
}

nb::list items_of(const Tensor& tensor) {
  Tensor copy = tensor.clone().value();
  return nb::list(array_of(std::move(copy)).attr("tolist")());
}

nb::object dict_of(const Map& map) {
  nb::dict dict;
  const nb::list keys = items_of(map.keys), values = items_of(map.values);
  for (std::size_t i = 0; i < nb::len(keys); ++i) dict[keys[i]] = values[i];
  return dict;
}

nb::object list_of(const Sequence& sequence) {
  nb::list list;
  for (const Value& item : sequence.items) list.append(to_python(item.clone().value()));
  return list;
}

}  // namespace

nb::object to_python(Value&& value) {
  if (Tensor* tensor = value.tensor()) return array_of(std::move(*tensor));
  if (const Sequence* sequence = value.sequence()) return list_of(*sequence);
  if (const Map* map = value.map()) return dict_of(*map);
  return nb::none();
}

}  // namespace surefoot::python
