#include "packed_arrays.hpp"

#include "surefoot/float_types.hpp"

namespace surefoot::python {
namespace {

template <class T>
std::span<const T> elements_as(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const T*>(bytes.data()), bytes.size()};
}

template <class T>
std::vector<std::byte> as_bytes(const std::vector<T>& elements) {
  const auto bytes = std::as_bytes(std::span(elements));
  return {bytes.begin(), bytes.end()};
}

}  // namespace

std::vector<std::byte> packed_bytes(ElementType type, std::span<const std::byte> elements) {
  switch (type) {
    case ElementType::Int4:
      return pack_int4(elements_as<std::int8_t>(elements));
    case ElementType::Int2:
      return pack_int2(elements_as<std::int8_t>(elements));
    case ElementType::UInt2:
      return pack_uint2(elements_as<std::uint8_t>(elements));
    default:  // uint4, and float4's bits
      return pack_uint4(elements_as<std::uint8_t>(elements));
  }
}

std::vector<std::byte> unpacked_bytes(ElementType type, std::span<const std::byte> packed,
                                      std::size_t count) {
  switch (type) {
    case ElementType::Int4:
      return as_bytes(unpack_int4(packed, count));
    case ElementType::Int2:
      return as_bytes(unpack_int2(packed, count));
    case ElementType::UInt2:
      return as_bytes(unpack_uint2(packed, count));
    default:
      return as_bytes(unpack_uint4(packed, count));
  }
}

}  // namespace surefoot::python
