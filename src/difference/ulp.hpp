/// Steps between two numbers of a float type.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace surefoot::difference {

/// The place of a number among all of its type, in order: neighbours differ by 1, and both zeros are one.
template <class Bits>
std::int64_t place_of(Bits bits) {
  using Signed = std::make_signed_t<Bits>;
  constexpr Bits kSign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  const auto magnitude = static_cast<std::int64_t>(static_cast<Signed>(bits & static_cast<Bits>(~kSign)));
  return (bits & kSign) != 0 ? -magnitude : magnitude;
}

/// How many steps lie between two numbers, none of them NaN. Up to the range of std::uint64_t.
template <class Bits>
std::uint64_t steps_between(Bits one, Bits other) {
  const std::int64_t a = place_of(one), b = place_of(other);
  return a > b ? static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b)
               : static_cast<std::uint64_t>(b) - static_cast<std::uint64_t>(a);
}

}  // namespace surefoot::difference
