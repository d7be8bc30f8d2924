/// numpy's types and ONNX's: which stands for which.
///
/// Types that numpy lacks (bfloat16, float8…, int4…) are those of the package ml_dtypes. Where it is
/// not installed, outputs of these types are arrays of unsigned integers that hold the bits.
#pragma once

#include "numpy_api.hpp"
#include "surefoot/element_type.hpp"

namespace surefoot::python {

/// The element type of an array's elements; String for every kind of text; Undefined where ONNX has none.
ElementType element_type_of(PyArray_Descr* type);

/// The type that an array of such elements has. Throws for Undefined.
nb::object numpy_type(ElementType type);

}  // namespace surefoot::python
