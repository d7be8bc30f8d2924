#include "element_types.hpp"

#include <array>
#include <string_view>

namespace surefoot::python {
namespace {

constexpr int kVariableText = 2056;  // numpy 2's StringDType

struct Row {
  ElementType type;
  const char* name;            ///< numpy's, or ml_dtypes' where `bits` is set
  const char* bits = nullptr;  ///< what takes its place without ml_dtypes
};

constexpr Row kRows[] = {
    {ElementType::Float32, "float32"},
    {ElementType::UInt8, "uint8"},
    {ElementType::Int8, "int8"},
    {ElementType::UInt16, "uint16"},
    {ElementType::Int16, "int16"},
    {ElementType::Int32, "int32"},
    {ElementType::Int64, "int64"},
    {ElementType::String, "object"},
    {ElementType::Bool, "bool"},
    {ElementType::Float16, "float16"},
    {ElementType::Float64, "float64"},
    {ElementType::UInt32, "uint32"},
    {ElementType::UInt64, "uint64"},
    {ElementType::Complex64, "complex64"},
    {ElementType::Complex128, "complex128"},
    {ElementType::BFloat16, "bfloat16", "uint16"},
    {ElementType::Float8E4M3FN, "float8_e4m3fn", "uint8"},
    {ElementType::Float8E4M3FNUZ, "float8_e4m3fnuz", "uint8"},
    {ElementType::Float8E5M2, "float8_e5m2", "uint8"},
    {ElementType::Float8E5M2FNUZ, "float8_e5m2fnuz", "uint8"},
    {ElementType::UInt4, "uint4", "uint8"},
    {ElementType::Int4, "int4", "int8"},
    {ElementType::Float4E2M1, "float4_e2m1fn", "uint8"},
    {ElementType::Float8E8M0, "float8_e8m0fnu", "uint8"},
    {ElementType::UInt2, "uint2", "uint8"},
    {ElementType::Int2, "int2", "int8"},
};

bool is_text(int number) {
  return number == NPY_UNICODE || number == NPY_STRING || number == NPY_OBJECT || number == kVariableText;
}

/// By kind and size, since C has two names (`long`, `long long`) for one and the same integer.
ElementType plain_type(char kind, npy_intp size) {
  switch (kind) {
    case 'b':
      return ElementType::Bool;
    case 'i':
      return size == 8   ? ElementType::Int64
             : size == 4 ? ElementType::Int32
             : size == 2 ? ElementType::Int16
                         : ElementType::Int8;
    case 'u':
      return size == 8   ? ElementType::UInt64
             : size == 4 ? ElementType::UInt32
             : size == 2 ? ElementType::UInt16
                         : ElementType::UInt8;
    case 'f':
      return size == 4   ? ElementType::Float32
             : size == 8 ? ElementType::Float64
             : size == 2 ? ElementType::Float16
                         : ElementType::Undefined;
    case 'c':
      return size == 8    ? ElementType::Complex64
             : size == 16 ? ElementType::Complex128
                          : ElementType::Undefined;
    default:
      return ElementType::Undefined;
  }
}

ElementType type_by_name(PyArray_Descr* type) {
  const nb::str held(nb::handle(reinterpret_cast<PyObject*>(type)).attr("name"));
  const std::string_view name = held.c_str();
  for (const Row& row : kRows)
    if (row.bits != nullptr && name == row.name) return row.type;
  return ElementType::Undefined;
}

nb::object numpy_type_of(const Row& row) {
  const nb::object as_dtype = nb::module_::import_("numpy").attr("dtype");
  if (row.bits == nullptr) return as_dtype(row.name);
  try {
    return as_dtype(nb::module_::import_("ml_dtypes").attr(row.name));
  } catch (nb::python_error& error) {
    // An ml_dtypes that is too old for one type still serves the others.
    if (!error.matches(PyExc_ImportError) && !error.matches(PyExc_AttributeError)) throw;
    return as_dtype(row.bits);
  }
}

}  // namespace

ElementType element_type_of(PyArray_Descr* type) {
  if (is_text(type->type_num)) return ElementType::String;
  if (type->type_num < NPY_USERDEF) return plain_type(type->kind, PyDataType_ELSIZE(type));
  return type_by_name(type);
}

nb::object numpy_type(ElementType type) {
  for (const Row& row : kRows)
    if (row.type == type) return numpy_type_of(row);
  throw nb::type_error("a tensor without an element type has no numpy type");
}

}  // namespace surefoot::python
