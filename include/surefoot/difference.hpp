/// How far two results are from each other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/value.hpp"

namespace surefoot {

/// An element passes when |one - other| <= absolute + relative * |other| + of_largest * L, where L is the
/// largest finite magnitude in `other`. NaN passes beside NaN, an infinity beside the same one.
struct Tolerance {
  double absolute = 0;
  double relative = 0;
  double of_largest = 0;
};

/// What different kernels of one type honestly differ by: 0 for whole numbers but one step for 8 bits, whose
/// values are mostly quantised; for fractions about the square root of the type's precision. Complex numbers
/// have the tolerance of their parts.
Tolerance usual_tolerance(ElementType type) noexcept;

/// What no reduced precision that providers compute in by default (TF32, bfloat16) explains.
Tolerance loose_tolerance(ElementType type) noexcept;

/// Steps between neighbouring numbers of the type (units in the last place), by powers of four:
/// 0, 1, 2–4, 5–16, 17–256, 257–65536, more.
inline constexpr std::size_t kUlpBins = 7;
extern const std::array<std::string_view, kUlpBins> kUlpBinNames;

struct TensorDifference {
  std::string mismatch = {};  ///< types or shapes that differ: nothing else is known then
  ElementType type = ElementType::Undefined;
  std::uint64_t elements = 0;
  double max_absolute = 0, max_relative = 0;      ///< of elements that are finite in both
  double largest = 0;                             ///< finite magnitude in the other one
  std::uint64_t worst = 0;                        ///< the element that is farthest beyond the tolerance
  double worst_one = 0, worst_other = 0;          ///< and its values
  std::optional<double> cosine = {};              ///< of the angle between both; empty where one is all zero
  std::array<std::uint64_t, kUlpBins> ulps = {};  ///< of float types alone
  std::uint64_t nan_one = 0, nan_other = 0, infinite_one = 0, infinite_other = 0;
  std::uint64_t beyond = 0;  ///< elements that do not pass
  bool within() const noexcept { return mismatch.empty() && beyond == 0; }
};

/// Compares two tensors where they lie, without copies. Strings, one by one, and the bits of types without
/// numbers are equal or beyond the tolerance. A complex element counts as two.
TensorDifference difference_of(const TensorView& one, const TensorView& other, const Tolerance& tolerance);

/// A tensor inside a value, under its name: `y`, `y[2]` of a sequence, `y.keys` and `y.values` of a map.
struct NamedDifference {
  std::string name;
  TensorDifference difference;
};

/// Compares two values part by part. `tolerance` empty: usual_tolerance() of each type.
std::vector<NamedDifference> difference_of(std::string_view name, const Value& one, const Value& other,
                                           const std::optional<Tolerance>& tolerance = {});

/// "max absolute 0.5, worst at element 3 (1.5, not 1), 2 of 10 elements beyond the tolerance"
std::string to_string(const TensorDifference& difference);

}  // namespace surefoot
