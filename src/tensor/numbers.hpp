/// The numbers in a tensor, whatever their type and alignment.
#pragma once

#include <cstring>
#include <type_traits>

#include "surefoot/tensor.hpp"

namespace surefoot {

/// Calls `visit(std::type_identity<T>{})` with the C++ type of real numbers of a byte or more. Returns
/// false, and calls nothing, for all others.
template <class Visit>
bool visit_number_type(ElementType type, Visit&& visit) {
  const auto with = [&]<class... T>(std::type_identity<T>...) {
    return ((type == element_type_of<T> && (visit(std::type_identity<T>{}), true)) || ...);
  };
  return with(std::type_identity<float>{}, std::type_identity<Float16>{}, std::type_identity<BFloat16>{},
              std::type_identity<double>{}, std::type_identity<bool>{}, std::type_identity<std::int8_t>{},
              std::type_identity<std::int16_t>{}, std::type_identity<std::int32_t>{},
              std::type_identity<std::int64_t>{}, std::type_identity<std::uint8_t>{},
              std::type_identity<std::uint16_t>{}, std::type_identity<std::uint32_t>{},
              std::type_identity<std::uint64_t>{}, std::type_identity<Float8E4M3FN>{},
              std::type_identity<Float8E4M3FNUZ>{}, std::type_identity<Float8E5M2>{},
              std::type_identity<Float8E5M2FNUZ>{}, std::type_identity<Float8E8M0>{});
}

/// Element `i` of memory of any alignment.
template <class T>
T element_at(std::span<const std::byte> bytes, std::size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

/// The number as a double; the small floats convert by way of float.
template <class T>
double number(T value) {
  if constexpr (std::is_arithmetic_v<T>)
    return static_cast<double>(value);
  else
    return static_cast<double>(static_cast<float>(value));
}

}  // namespace surefoot
