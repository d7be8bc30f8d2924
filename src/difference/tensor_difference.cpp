#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "difference/ulp.hpp"
#include "surefoot/difference.hpp"
#include "surefoot/float_types.hpp"
#include "tensor/numbers.hpp"

namespace surefoot {

const std::array<std::string_view, kUlpBins> kUlpBinNames = {"0",      "1",         "2-4", "5-16",
                                                             "17-256", "257-65536", "more"};

namespace {

std::size_t bin_of(std::uint64_t steps) {
  constexpr std::array<std::uint64_t, kUlpBins - 1> kMost = {0, 1, 4, 16, 256, 65536};
  return static_cast<std::size_t>(std::ranges::lower_bound(kMost, steps) - kMost.begin());
}

/// The unsigned integer of a float type's size; void for types that have no units in the last place.
template <class T>
struct BitsOf {
  using type = void;
};
template <>
struct BitsOf<float> {
  using type = std::uint32_t;
};
template <>
struct BitsOf<double> {
  using type = std::uint64_t;
};
template <>
struct BitsOf<Float16> {
  using type = std::uint16_t;
};
template <>
struct BitsOf<BFloat16> {
  using type = std::uint16_t;
};

/// A tensor's numbers, read as they are asked for.
template <class T>
struct Numbers {
  std::span<const std::byte> bytes;
  std::size_t size() const noexcept { return bytes.size() / sizeof(T); }
  double operator[](std::size_t i) const noexcept { return number(element_at<T>(bytes, i)); }
};

/// Calls `visit` as visit_number_type() does; complex numbers are those of their parts.
template <class Visit>
bool visit_numbers(ElementType type, Visit&& visit) {
  if (type == ElementType::Complex64) type = ElementType::Float32;
  if (type == ElementType::Complex128) type = ElementType::Float64;
  return visit_number_type(type, visit);
}

template <class T>
double largest_of(const Numbers<T>& numbers) {
  double largest = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (std::isfinite(numbers[i])) largest = std::max(largest, std::abs(numbers[i]));
  return largest;
}

/// How far beyond its limit an element is; 0 or less when it passes.
double excess(double one, double other, const Tolerance& tolerance, double largest) {
  if (one == other || (std::isnan(one) && std::isnan(other))) return 0;
  if (!std::isfinite(one) || !std::isfinite(other)) return std::numeric_limits<double>::infinity();
  return std::abs(one - other) - tolerance.absolute - tolerance.relative * std::abs(other) -
         tolerance.of_largest * largest;
}

template <class T>
void count_kinds(const Numbers<T>& numbers, std::uint64_t& nan, std::uint64_t& infinite) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    nan += std::isnan(numbers[i]) ? 1 : 0;
    infinite += std::isinf(numbers[i]) ? 1 : 0;
  }
}

template <class T>
std::optional<double> cosine_of(const Numbers<T>& one, const Numbers<T>& other) {
  double product = 0, one_squared = 0, other_squared = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double a = one[i], b = other[i];
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    product += a * b;
    one_squared += a * a;
    other_squared += b * b;
  }
  if (one_squared == 0 || other_squared == 0) return std::nullopt;
  return product / std::sqrt(one_squared) / std::sqrt(other_squared);
}

template <class T>
void compare_numbers(const Numbers<T>& one, const Numbers<T>& other, const Tolerance& tolerance,
                     TensorDifference& difference) {
  difference.elements = one.size();
  difference.largest = largest_of(other);
  double farthest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double a = one[i], b = other[i];
    const double over = excess(a, b, tolerance, difference.largest);
    if (over > 0) ++difference.beyond;
    if (over > farthest) {
      farthest = over;
      difference.worst = i;
      difference.worst_one = a;
      difference.worst_other = b;
    }
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    const double apart = std::abs(a - b);
    difference.max_absolute = std::max(difference.max_absolute, apart);
    if (b != 0) difference.max_relative = std::max(difference.max_relative, apart / std::abs(b));
  }
  count_kinds(one, difference.nan_one, difference.infinite_one);
  count_kinds(other, difference.nan_other, difference.infinite_other);
  difference.cosine = cosine_of(one, other);
}

template <class Bits, class T>
void count_steps(const Numbers<T>& one, const Numbers<T>& other, TensorDifference& difference) {
  for (std::size_t i = 0; i < one.size(); ++i)
    if (!std::isnan(one[i]) && !std::isnan(other[i]))
      ++difference.ulps[bin_of(
          difference::steps_between(element_at<Bits>(one.bytes, i), element_at<Bits>(other.bytes, i)))];
}

void compare_strings(std::span<const std::string> one, std::span<const std::string> other,
                     TensorDifference& difference) {
  difference.elements = one.size();
  for (std::size_t i = one.size(); i-- > 0;) {
    if (one[i] == other[i]) continue;
    ++difference.beyond;
    difference.worst = i;
  }
}

/// What has no numbers is the same or not, as a whole.
void compare_bits(const TensorView& one, const TensorView& other, TensorDifference& difference) {
  difference.elements = one.bytes.size();
  difference.beyond = std::ranges::equal(one.bytes, other.bytes) ? 0 : 1;
}

std::string shape_text(const TensorView& tensor) {
  return fmt::format("{}[{}]", to_string(tensor.type), fmt::join(tensor.shape, ","));
}

}  // namespace

Tolerance usual_tolerance(ElementType type) noexcept {
  switch (type) {
    case ElementType::Float64:
    case ElementType::Complex128:
      return {1e-9, 1e-7, 1e-9};
    case ElementType::Float32:
    case ElementType::Complex64:
      return {1e-6, 1e-3, 1e-5};
    case ElementType::Float16:
      return {1e-3, 1e-2, 1e-3};
    case ElementType::BFloat16:
      return {1e-2, 5e-2, 1e-2};
    case ElementType::Float8E4M3FN:
    case ElementType::Float8E4M3FNUZ:
    case ElementType::Float8E5M2:
    case ElementType::Float8E5M2FNUZ:
      return {5e-2, 0.25, 5e-2};
    case ElementType::Int8:
    case ElementType::UInt8:
      return {1, 0, 0};
    default:
      return {};
  }
}

Tolerance loose_tolerance(ElementType type) noexcept {
  switch (type) {
    case ElementType::Float64:
    case ElementType::Float32:
    case ElementType::Float16:
    case ElementType::BFloat16:
    case ElementType::Complex64:
    case ElementType::Complex128:
      return {1e-3, 5e-2, 2e-2};
    default:
      return usual_tolerance(type);
  }
}

TensorDifference difference_of(const TensorView& one, const TensorView& other, const Tolerance& tolerance) {
  TensorDifference difference{.type = other.type};
  if (one.type != other.type || !std::ranges::equal(one.shape, other.shape)) {
    difference.mismatch = fmt::format("{}, not {}", shape_text(one), shape_text(other));
    return difference;
  }
  if (one.type == ElementType::String) {
    compare_strings(one.strings, other.strings, difference);
    return difference;
  }
  const bool has_numbers = visit_numbers(one.type, [&]<class T>(std::type_identity<T>) {
    const Numbers<T> ours{one.bytes}, theirs{other.bytes};
    compare_numbers(ours, theirs, tolerance, difference);
    using Bits = typename BitsOf<T>::type;
    if constexpr (!std::is_void_v<Bits>) count_steps<Bits>(ours, theirs, difference);
  });
  if (!has_numbers) compare_bits(one, other, difference);
  return difference;
}

std::string to_string(const TensorDifference& difference) {
  if (!difference.mismatch.empty()) return difference.mismatch;
  std::string text =
      fmt::format("max absolute {:.4g}, worst at element {} ({:.6g}, not {:.6g})", difference.max_absolute,
                  difference.worst, difference.worst_one, difference.worst_other);
  if (difference.beyond > 0)
    text += fmt::format(", {} of {} elements beyond the tolerance", difference.beyond, difference.elements);
  return text;
}

}  // namespace surefoot
