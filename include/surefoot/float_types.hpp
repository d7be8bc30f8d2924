/// Host types for the small floating-point elements of ONNX, and packing for those under a byte.
///
/// Each type holds the element's bits. It converts explicitly from float, rounding to nearest with
/// ties to even, and back to float, always exactly. All functions are constexpr and pure.
///
/// Source of the rules   ONNX operator `Cast` (since opset 24), its tables for `saturate = 1` and
///                       `round_mode = "up"`; the value sets are those of ONNX's technical notes
///                       on float8, float4 and int4/int2 and of IEEE 754 for binary16.
/// Equality              compares values, as for float: NaN differs from itself, -0 equals 0.
#pragma once

#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace surefoot {

namespace detail {

/// A sign bit above `magnitude` bits: exponent, then `mantissa_bits`.
struct SmallFloatFormat {
  int mantissa_bits;
  int bias;
  std::uint32_t sign;         ///< the sign bit
  std::uint32_t largest;      ///< magnitude of the largest finite value
  std::uint32_t overflow;     ///< magnitude that takes the place of anything larger
  std::uint32_t nan;          ///< the NaN that is written
  bool negative_zero = true;  ///< false for the FNUZ types, where those bits are the NaN
};

inline constexpr SmallFloatFormat kFloat16{10, 15, 0x8000, 0x7bff, 0x7c00, 0x7e00};
inline constexpr SmallFloatFormat kBFloat16{7, 127, 0x8000, 0x7f7f, 0x7f80, 0x7fc0};
inline constexpr SmallFloatFormat kFloat8E4M3FN{3, 7, 0x80, 0x7e, 0x7e, 0x7f};
inline constexpr SmallFloatFormat kFloat8E4M3FNUZ{3, 8, 0x80, 0x7f, 0x7f, 0x80, false};
inline constexpr SmallFloatFormat kFloat8E5M2{2, 15, 0x80, 0x7b, 0x7b, 0x7f};
inline constexpr SmallFloatFormat kFloat8E5M2FNUZ{2, 16, 0x80, 0x7f, 0x7f, 0x80, false};
/// E2M1 has no NaN: it becomes the largest value.
inline constexpr SmallFloatFormat kFloat4E2M1{1, 1, 0x8, 0x7, 0x7, 0x7};

/// `value / 2^shift`, to nearest, ties to even; `value` has at most 24 bits.
constexpr std::uint32_t shift_right_to_nearest_even(std::uint32_t value, int shift) {
  if (shift > 25) return 0;
  const std::uint32_t kept = value >> shift;
  const std::uint32_t rest = value - (kept << shift);
  const std::uint32_t half = 1U << (shift - 1);
  return kept + ((rest > half || (rest == half && (kept & 1U))) ? 1U : 0U);
}

/// The magnitude bits nearest to the finite or infinite float of magnitude bits `wide`.
constexpr std::uint32_t narrow_magnitude(const SmallFloatFormat& format, std::uint32_t wide) {
  // The value is significand * 2^unit; unit_out is the same exponent in the narrow format.
  const int exponent = static_cast<int>(wide >> 23);
  const std::uint32_t significand = (wide & 0x7fffffU) | (exponent ? 0x800000U : 0U);
  const int unit = (exponent ? exponent : 1) - 150;
  const int smallest_unit = 1 - format.bias - format.mantissa_bits;
  const int normal_unit = unit + 23 - format.mantissa_bits;
  const int unit_out = normal_unit > smallest_unit ? normal_unit : smallest_unit;
  const std::uint32_t rounded = shift_right_to_nearest_even(significand, unit_out - unit);
  const auto steps = static_cast<std::uint32_t>(unit_out - smallest_unit);
  // A carry out of the mantissa raises the exponent, as it should.
  const std::uint32_t magnitude = (steps << format.mantissa_bits) + rounded;
  return magnitude > format.largest ? format.overflow : magnitude;
}

constexpr std::uint32_t narrow(const SmallFloatFormat& format, float value) {
  const auto wide = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (wide >> 31) ? format.sign : 0U;
  const std::uint32_t wide_magnitude = wide & 0x7fffffffU;
  if (wide_magnitude > 0x7f800000U) return format.nan | sign;
  const std::uint32_t magnitude = narrow_magnitude(format, wide_magnitude);
  return magnitude == 0 && !format.negative_zero ? 0U : magnitude | sign;
}

/// 2 to the power of `exponent`, which lies within float's normal range.
constexpr float power_of_two(int exponent) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(exponent + 127) << 23);
}

/// The value of finite `bits`; for formats whose smallest value is a normal float.
constexpr float widen(const SmallFloatFormat& format, std::uint32_t bits) {
  const std::uint32_t magnitude = bits & (format.sign - 1);
  const std::uint32_t mantissa = magnitude & ((1U << format.mantissa_bits) - 1);
  const auto exponent = static_cast<int>(magnitude >> format.mantissa_bits);
  const std::uint32_t significand = mantissa + (exponent ? 1U << format.mantissa_bits : 0U);
  const int unit = (exponent ? exponent : 1) - format.bias - format.mantissa_bits;
  const float value = static_cast<float>(significand) * power_of_two(unit);
  return (bits & format.sign) ? -value : value;
}

/// NaN or infinity of float, with the sign of `negative`.
constexpr float special(std::uint32_t magnitude, bool negative) {
  return std::bit_cast<float>(magnitude | (negative ? 0x80000000U : 0U));
}
inline constexpr std::uint32_t kNan = 0x7fc00000U;
inline constexpr std::uint32_t kInfinity = 0x7f800000U;

}  // namespace detail

/// IEEE 754 binary16. Too large becomes infinity; NaN becomes the quiet NaN of its sign.
struct Float16 {
  std::uint16_t bits = 0;

  constexpr Float16() = default;
  explicit constexpr Float16(float value)
      : bits(static_cast<std::uint16_t>(detail::narrow(detail::kFloat16, value))) {}
  static constexpr Float16 from_bits(std::uint16_t bits) {
    Float16 made;
    made.bits = bits;
    return made;
  }
  explicit constexpr operator float() const {
    const std::uint32_t magnitude = bits & 0x7fffU;
    if (magnitude > 0x7c00U) return detail::special(detail::kNan, bits >> 15);
    if (magnitude == 0x7c00U) return detail::special(detail::kInfinity, bits >> 15);
    return detail::widen(detail::kFloat16, bits);
  }
  friend constexpr bool operator==(Float16 a, Float16 b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

/// The upper half of a float. Too large becomes infinity; NaN becomes the quiet NaN of its sign.
struct BFloat16 {
  std::uint16_t bits = 0;

  constexpr BFloat16() = default;
  explicit constexpr BFloat16(float value)
      : bits(static_cast<std::uint16_t>(detail::narrow(detail::kBFloat16, value))) {}
  static constexpr BFloat16 from_bits(std::uint16_t bits) {
    BFloat16 made;
    made.bits = bits;
    return made;
  }
  explicit constexpr operator float() const {
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
  }
  friend constexpr bool operator==(BFloat16 a, BFloat16 b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

/// 4 bits of exponent, 3 of mantissa, no infinity, NaN is S.1111.111; largest 448.
/// Cast's table: too large and infinite saturate to +-448, NaN stays NaN, -0 stays -0.
struct Float8E4M3FN {
  std::uint8_t bits = 0;

  constexpr Float8E4M3FN() = default;
  explicit constexpr Float8E4M3FN(float value)
      : bits(static_cast<std::uint8_t>(detail::narrow(detail::kFloat8E4M3FN, value))) {}
  static constexpr Float8E4M3FN from_bits(std::uint8_t bits) {
    Float8E4M3FN made;
    made.bits = bits;
    return made;
  }
  explicit constexpr operator float() const {
    if ((bits & 0x7fU) == 0x7fU) return detail::special(detail::kNan, bits >> 7);
    return detail::widen(detail::kFloat8E4M3FN, bits);
  }
  friend constexpr bool operator==(Float8E4M3FN a, Float8E4M3FN b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

/// As E4M3FN with bias 8, one NaN (0x80) and no negative zero; largest 240.
/// Cast's table: too large and infinite saturate to +-240, NaN stays NaN, -0 becomes 0.
struct Float8E4M3FNUZ {
  std::uint8_t bits = 0;

  constexpr Float8E4M3FNUZ() = default;
  explicit constexpr Float8E4M3FNUZ(float value)
      : bits(static_cast<std::uint8_t>(detail::narrow(detail::kFloat8E4M3FNUZ, value))) {}
  static constexpr Float8E4M3FNUZ from_bits(std::uint8_t bits) {
    Float8E4M3FNUZ made;
    made.bits = bits;
    return made;
  }
  explicit constexpr operator float() const {
    if (bits == 0x80U) return detail::special(detail::kNan, false);
    return detail::widen(detail::kFloat8E4M3FNUZ, bits);
  }
  friend constexpr bool operator==(Float8E4M3FNUZ a, Float8E4M3FNUZ b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

/// 5 bits of exponent, 2 of mantissa, with infinities (S.11111.00) and NaNs; largest 57344.
/// Cast's table: too large and infinite saturate to +-57344, NaN stays NaN, -0 stays -0.
struct Float8E5M2 {
  std::uint8_t bits = 0;

  constexpr Float8E5M2() = default;
  explicit constexpr Float8E5M2(float value)
      : bits(static_cast<std::uint8_t>(detail::narrow(detail::kFloat8E5M2, value))) {}
  static constexpr Float8E5M2 from_bits(std::uint8_t bits) {
    Float8E5M2 made;
    made.bits = bits;
    return made;
  }
  explicit constexpr operator float() const {
    const std::uint32_t magnitude = bits & 0x7fU;
    if (magnitude > 0x7cU) return detail::special(detail::kNan, bits >> 7);
    if (magnitude == 0x7cU) return detail::special(detail::kInfinity, bits >> 7);
    return detail::widen(detail::kFloat8E5M2, bits);
  }
  friend constexpr bool operator==(Float8E5M2 a, Float8E5M2 b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

/// As E5M2 with bias 16, no infinity, one NaN (0x80) and no negative zero; largest 57344.
/// Cast's table: too large and infinite saturate to +-57344, NaN stays NaN, -0 becomes 0.
struct Float8E5M2FNUZ {
  std::uint8_t bits = 0;

  constexpr Float8E5M2FNUZ() = default;
  explicit constexpr Float8E5M2FNUZ(float value)
      : bits(static_cast<std::uint8_t>(detail::narrow(detail::kFloat8E5M2FNUZ, value))) {}
  static constexpr Float8E5M2FNUZ from_bits(std::uint8_t bits) {
    Float8E5M2FNUZ made;
    made.bits = bits;
    return made;
  }
  explicit constexpr operator float() const {
    if (bits == 0x80U) return detail::special(detail::kNan, false);
    return detail::widen(detail::kFloat8E5M2FNUZ, bits);
  }
  friend constexpr bool operator==(Float8E5M2FNUZ a, Float8E5M2FNUZ b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }
};

/// A power of two from 2^-127 to 2^127, without sign or zero; 0xff is NaN. A scale of MX formats.
/// Cast's table: rounded up (away from zero); below the smallest, and 0, become 2^-127; too large
/// and infinite become 2^127. Negative values, which Cast leaves open, become NaN; -0 counts as 0.
struct Float8E8M0 {
  std::uint8_t bits = 0;

  constexpr Float8E8M0() = default;
  explicit constexpr Float8E8M0(float value) : bits(round_up(std::bit_cast<std::uint32_t>(value))) {}
  static constexpr Float8E8M0 from_bits(std::uint8_t bits) {
    Float8E8M0 made;
    made.bits = bits;
    return made;
  }
  explicit constexpr operator float() const {
    if (bits == 0xffU) return detail::special(detail::kNan, false);
    if (bits == 0) return std::bit_cast<float>(0x00400000U);  // 2^-127 is a subnormal float
    return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 23);
  }
  friend constexpr bool operator==(Float8E8M0 a, Float8E8M0 b) {
    return static_cast<float>(a) == static_cast<float>(b);
  }

 private:
  static constexpr std::uint8_t round_up(std::uint32_t wide) {
    const std::uint32_t magnitude = wide & 0x7fffffffU;
    if (magnitude > detail::kInfinity || wide > 0x80000000U) return 0xff;
    if (magnitude <= 0x00400000U) return 0;
    const std::uint32_t exponent = (magnitude + 0x7fffffU) >> 23;
    return static_cast<std::uint8_t>(exponent > 0xfeU ? 0xfeU : exponent);
  }
};

/// Packed elements, first element in the low bits of a byte, the last byte filled with zeros.
/// unpack_…  gives `count` elements, or as many as `packed` holds where that is fewer.
/// pack_…    keeps the low bits of an integer, as Cast does when a value is out of range.
std::vector<std::int8_t> unpack_int4(std::span<const std::byte> packed, std::size_t count);
std::vector<std::uint8_t> unpack_uint4(std::span<const std::byte> packed, std::size_t count);
std::vector<std::int8_t> unpack_int2(std::span<const std::byte> packed, std::size_t count);
std::vector<std::uint8_t> unpack_uint2(std::span<const std::byte> packed, std::size_t count);
std::vector<std::byte> pack_int4(std::span<const std::int8_t> values);
std::vector<std::byte> pack_uint4(std::span<const std::uint8_t> values);
std::vector<std::byte> pack_int2(std::span<const std::int8_t> values);
std::vector<std::byte> pack_uint2(std::span<const std::uint8_t> values);

/// FLOAT4E2M1: +-{0, 0.5, 1, 1.5, 2, 3, 4, 6}. Rounds to nearest even; too large and infinite
/// become +-6, any NaN becomes 6 (ONNX's technical note on float4).
std::vector<float> unpack_float4e2m1(std::span<const std::byte> packed, std::size_t count);
std::vector<std::byte> pack_float4e2m1(std::span<const float> values);

}  // namespace surefoot
