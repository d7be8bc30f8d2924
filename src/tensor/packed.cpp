#include <algorithm>
#include <cmath>

#include "surefoot/float_types.hpp"

namespace surefoot {
namespace {

/// Calls `take(code)` with each of the first `count` codes of `bits` bits.
template <class Take>
void for_each_code(std::span<const std::byte> packed, std::size_t count, unsigned bits, Take take) {
  const std::size_t per_byte = 8 / bits;
  const unsigned mask = (1U << bits) - 1;
  const std::size_t held = std::min(count, packed.size() * per_byte);
  for (std::size_t i = 0; i < held; ++i) {
    const auto byte = std::to_integer<unsigned>(packed[i / per_byte]);
    take((byte >> (i % per_byte * bits)) & mask);
  }
}

std::vector<std::uint8_t> unpack_unsigned(std::span<const std::byte> packed, std::size_t count,
                                          unsigned bits) {
  std::vector<std::uint8_t> values;
  values.reserve(std::min(count, packed.size() * (8 / bits)));
  for_each_code(packed, count, bits,
                [&](unsigned code) { values.push_back(static_cast<std::uint8_t>(code)); });
  return values;
}

std::vector<std::int8_t> unpack_signed(std::span<const std::byte> packed, std::size_t count, unsigned bits) {
  const int sign = 1 << (bits - 1);
  std::vector<std::int8_t> values;
  values.reserve(std::min(count, packed.size() * (8 / bits)));
  for_each_code(packed, count, bits, [&](unsigned code) {
    values.push_back(static_cast<std::int8_t>((static_cast<int>(code) ^ sign) - sign));
  });
  return values;
}

/// Packs what `code` makes of each value.
template <class T, class Code>
std::vector<std::byte> pack(std::span<const T> values, unsigned bits, Code code) {
  const std::size_t per_byte = 8 / bits;
  const unsigned mask = (1U << bits) - 1;
  std::vector<std::byte> packed(values.size() / per_byte + (values.size() % per_byte ? 1 : 0));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const unsigned shifted = (static_cast<unsigned>(code(values[i])) & mask) << (i % per_byte * bits);
    packed[i / per_byte] |= static_cast<std::byte>(shifted);
  }
  return packed;
}

constexpr auto kAsIs = [](auto value) { return value; };

}  // namespace

std::vector<std::int8_t> unpack_int4(std::span<const std::byte> packed, std::size_t count) {
  return unpack_signed(packed, count, 4);
}
std::vector<std::uint8_t> unpack_uint4(std::span<const std::byte> packed, std::size_t count) {
  return unpack_unsigned(packed, count, 4);
}
std::vector<std::int8_t> unpack_int2(std::span<const std::byte> packed, std::size_t count) {
  return unpack_signed(packed, count, 2);
}
std::vector<std::uint8_t> unpack_uint2(std::span<const std::byte> packed, std::size_t count) {
  return unpack_unsigned(packed, count, 2);
}

std::vector<std::byte> pack_int4(std::span<const std::int8_t> values) { return pack(values, 4, kAsIs); }
std::vector<std::byte> pack_uint4(std::span<const std::uint8_t> values) { return pack(values, 4, kAsIs); }
std::vector<std::byte> pack_int2(std::span<const std::int8_t> values) { return pack(values, 2, kAsIs); }
std::vector<std::byte> pack_uint2(std::span<const std::uint8_t> values) { return pack(values, 2, kAsIs); }

std::vector<float> unpack_float4e2m1(std::span<const std::byte> packed, std::size_t count) {
  std::vector<float> values;
  values.reserve(std::min(count, packed.size() * 2));
  for_each_code(packed, count, 4,
                [&](unsigned code) { values.push_back(detail::widen(detail::kFloat4E2M1, code)); });
  return values;
}

std::vector<std::byte> pack_float4e2m1(std::span<const float> values) {
  // A NaN of either sign becomes +6.
  return pack(values, 4, [](float value) {
    return std::isnan(value) ? detail::kFloat4E2M1.nan : detail::narrow(detail::kFloat4E2M1, value);
  });
}

}  // namespace surefoot
