/// numpy's C API, shared by all files of the module; module.cpp loads it.
#pragma once

#include <nanobind/nanobind.h>

#define PY_ARRAY_UNIQUE_SYMBOL surefoot_numpy_api
#ifndef SUREFOOT_LOADS_NUMPY
#define NO_IMPORT_ARRAY
#endif
#include <numpy/arrayobject.h>

#include <cstdint>
#include <span>

namespace surefoot::python {

namespace nb = nanobind;

inline PyArrayObject* as_array(nb::handle object) { return reinterpret_cast<PyArrayObject*>(object.ptr()); }

/// The sizes of an array, as the library takes them; valid as long as the array.
inline std::span<const std::int64_t> shape_of(PyArrayObject* array) {
  static_assert(sizeof(npy_intp) == sizeof(std::int64_t));
  return {reinterpret_cast<const std::int64_t*>(PyArray_DIMS(array)),
          static_cast<std::size_t>(PyArray_NDIM(array))};
}

/// Takes over what numpy made. Throws the Python error when it made nothing.
inline nb::object made(PyObject* object) {
  if (object == nullptr) throw nb::python_error();
  return nb::steal(object);
}

}  // namespace surefoot::python
