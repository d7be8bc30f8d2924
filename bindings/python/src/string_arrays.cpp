#include "string_arrays.hpp"

#include <utility>

namespace surefoot::python {
namespace {

std::string bytes_of(nb::handle bytes) {
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0) throw nb::python_error();
  return {data, static_cast<std::size_t>(size)};
}

std::string utf8_of(nb::handle text) {
  Py_ssize_t size = 0;
  if (const char* data = PyUnicode_AsUTF8AndSize(text.ptr(), &size))
    return {data, static_cast<std::size_t>(size)};
  PyErr_Clear();  // surrogates: bytes that came in as something else than UTF-8
  return bytes_of(made(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "surrogateescape")));
}

std::string string_of(nb::handle element) {
  if (PyUnicode_Check(element.ptr())) return utf8_of(element);
  if (PyBytes_Check(element.ptr())) return bytes_of(element);
  return utf8_of(made(PyObject_Str(element.ptr())));
}

}  // namespace

std::vector<std::string> strings_of(PyArrayObject* array) {
  const nb::object objects =
      made(PyArray_FromArray(array, PyArray_DescrFromType(NPY_OBJECT), NPY_ARRAY_CARRAY_RO));
  const auto* elements = static_cast<PyObject* const*>(PyArray_DATA(as_array(objects)));
  const auto count = static_cast<std::size_t>(PyArray_SIZE(array));
  std::vector<std::string> strings;
  strings.reserve(count);
  for (std::size_t i = 0; i < count; ++i) strings.push_back(string_of(elements[i]));
  return strings;
}

nb::object text_of(const std::string& utf8) {
  return made(PyUnicode_DecodeUTF8(utf8.data(), static_cast<Py_ssize_t>(utf8.size()), "surrogateescape"));
}

nb::object array_of_strings(std::span<const std::string> strings, std::span<const std::int64_t> shape) {
  nb::object array = made(PyArray_SimpleNew(static_cast<int>(shape.size()),
                                            reinterpret_cast<const npy_intp*>(shape.data()), NPY_OBJECT));
  auto** elements = static_cast<PyObject**>(PyArray_DATA(as_array(array)));
  for (std::size_t i = 0; i < strings.size(); ++i)
    Py_XDECREF(std::exchange(elements[i], text_of(strings[i]).release().ptr()));
  return array;
}

}  // namespace surefoot::python
