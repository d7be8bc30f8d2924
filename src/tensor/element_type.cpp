#include "surefoot/element_type.hpp"

#include <algorithm>
#include <limits>

namespace surefoot {
namespace {

struct ElementRow {
  ElementType type;
  std::string_view name;
  int bits;
};

constexpr ElementRow kElements[] = {
    {ElementType::Undefined, "undefined", 0},
    {ElementType::Float32, "float32", 32},
    {ElementType::UInt8, "uint8", 8},
    {ElementType::Int8, "int8", 8},
    {ElementType::UInt16, "uint16", 16},
    {ElementType::Int16, "int16", 16},
    {ElementType::Int32, "int32", 32},
    {ElementType::Int64, "int64", 64},
    {ElementType::String, "string", 0},
    {ElementType::Bool, "bool", 8},
    {ElementType::Float16, "float16", 16},
    {ElementType::Float64, "float64", 64},
    {ElementType::UInt32, "uint32", 32},
    {ElementType::UInt64, "uint64", 64},
    {ElementType::Complex64, "complex64", 64},
    {ElementType::Complex128, "complex128", 128},
    {ElementType::BFloat16, "bfloat16", 16},
    {ElementType::Float8E4M3FN, "float8e4m3fn", 8},
    {ElementType::Float8E4M3FNUZ, "float8e4m3fnuz", 8},
    {ElementType::Float8E5M2, "float8e5m2", 8},
    {ElementType::Float8E5M2FNUZ, "float8e5m2fnuz", 8},
    {ElementType::UInt4, "uint4", 4},
    {ElementType::Int4, "int4", 4},
    {ElementType::Float4E2M1, "float4e2m1", 4},
    {ElementType::Float8E8M0, "float8e8m0", 8},
    {ElementType::UInt2, "uint2", 2},
    {ElementType::Int2, "int2", 2},
};

struct Alias {
  std::string_view name;
  ElementType type;
};

/// Spellings of onnx.proto ("double"), numpy ("single", "str") and ml_dtypes ("float8_e4m3fn").
constexpr Alias kAliases[] = {
    {"float", ElementType::Float32},
    {"single", ElementType::Float32},
    {"double", ElementType::Float64},
    {"half", ElementType::Float16},
    {"boolean", ElementType::Bool},
    {"str", ElementType::String},
    {"float8_e4m3fn", ElementType::Float8E4M3FN},
    {"float8_e4m3fnuz", ElementType::Float8E4M3FNUZ},
    {"float8_e5m2", ElementType::Float8E5M2},
    {"float8_e5m2fnuz", ElementType::Float8E5M2FNUZ},
    {"float8_e8m0fnu", ElementType::Float8E8M0},
    {"float4_e2m1fn", ElementType::Float4E2M1},
};

constexpr bool rows_stand_at_their_number() {
  for (std::size_t i = 0; i < std::size(kElements); ++i)
    if (static_cast<std::size_t>(kElements[i].type) != i) return false;
  return true;
}
static_assert(rows_stand_at_their_number());

const ElementRow& row_of(ElementType type) noexcept {
  const auto index = static_cast<std::size_t>(type);
  return index < std::size(kElements) ? kElements[index] : kElements[0];
}

}  // namespace

std::string_view to_string(ElementType type) noexcept { return row_of(type).name; }

std::optional<ElementType> element_type_from_name(std::string_view name) noexcept {
  for (const ElementRow& row : kElements)
    if (row.name == name && row.type != ElementType::Undefined) return row.type;
  for (const Alias& alias : kAliases)
    if (alias.name == name) return alias.type;
  return std::nullopt;
}

int element_bits(ElementType type) noexcept { return row_of(type).bits; }

std::optional<std::size_t> storage_bytes(ElementType type, std::uint64_t count) noexcept {
  const auto bits = static_cast<std::uint64_t>(element_bits(type));
  if (bits == 0) return 0;
  constexpr std::uint64_t kLimit = std::numeric_limits<std::size_t>::max();
  if (bits < 8) {
    const std::uint64_t per_byte = 8 / bits;
    return static_cast<std::size_t>(count / per_byte + (count % per_byte ? 1 : 0));
  }
  const std::uint64_t bytes = bits / 8;
  constexpr std::uint64_t kWidest = 16;
  if (count > kLimit / kWidest && count > kLimit / bytes) return std::nullopt;
  return static_cast<std::size_t>(count * bytes);
}

}  // namespace surefoot
