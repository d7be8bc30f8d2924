/// The element types that a tensor can hold, their names and sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace surefoot {

/// Numbers are those of ONNX's TensorProto.DataType (onnx.proto, IR 13), so that files need no table.
enum class ElementType : std::int32_t {
  Undefined = 0,
  Float32 = 1,
  UInt8 = 2,
  Int8 = 3,
  UInt16 = 4,
  Int16 = 5,
  Int32 = 6,
  Int64 = 7,
  String = 8,
  Bool = 9,
  Float16 = 10,
  Float64 = 11,
  UInt32 = 12,
  UInt64 = 13,
  Complex64 = 14,
  Complex128 = 15,
  BFloat16 = 16,
  Float8E4M3FN = 17,
  Float8E4M3FNUZ = 18,
  Float8E5M2 = 19,
  Float8E5M2FNUZ = 20,
  UInt4 = 21,
  Int4 = 22,
  Float4E2M1 = 23,
  Float8E8M0 = 24,
  UInt2 = 25,
  Int2 = 26,
};

/// The field's name in lower case: "float32", "bfloat16", "float8e4m3fn", "int4", "string"; "undefined".
std::string_view to_string(ElementType type) noexcept;

/// The type of that name; numpy's and ONNX's other spellings are known too ("float", "double", "half").
std::optional<ElementType> element_type_from_name(std::string_view name) noexcept;

/// Bits of one element: 2 and 4 for the packed types, 0 for strings and Undefined.
int element_bits(ElementType type) noexcept;

/// Bytes that `count` elements take, packed types rounded up to a whole byte; 0 for strings.
/// Empty when the size does not fit in a std::size_t.
std::optional<std::size_t> storage_bytes(ElementType type, std::uint64_t count) noexcept;

}  // namespace surefoot
