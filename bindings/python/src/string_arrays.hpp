/// Arrays of text: numpy's several forms of it to and from UTF-8.
#pragma once

#include <string>
#include <vector>

#include "numpy_api.hpp"

namespace surefoot::python {

/// The elements in row-major order. Bytes are taken as they are, other objects as str() gives them.
std::vector<std::string> strings_of(PyArrayObject* array);

/// An array of Python strings. What is no UTF-8 is kept by surrogates, as file names are.
nb::object array_of_strings(std::span<const std::string> strings, std::span<const std::int64_t> shape);

nb::object text_of(const std::string& utf8);

}  // namespace surefoot::python
