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

double largest_of(std::span<const double> numbers) {
  double largest = 0;
  for (const double number : numbers)
    if (std::isfinite(number)) largest = std::max(largest, std::abs(number));
  return largest;
}

template <class T>
std::vector<double> numbers_of(const TensorView& tensor) {
  std::vector<double> numbers(tensor.bytes.size() / sizeof(T));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = number(element_at<T>(tensor.bytes, i));
  return numbers;
}

/// How far beyond its limit an element is; 0 or less when it passes.
double excess(double one, double other, const Tolerance& tolerance, double largest) {
  if (one == other || (std::isnan(one) && std::isnan(other))) return 0;
  if (!std::isfinite(one) || !std::isfinite(other)) return std::numeric_limits<double>::infinity();
  return std::abs(one - other) - tolerance.absolute - tolerance.relative * std::abs(other) -
         tolerance.of_largest * largest;
}

void count_kinds(std::span<const double> numbers, std::uint64_t& nan, std::uint64_t& infinite) {
  for (const double number : numbers) {
    nan += std::isnan(number) ? 1 : 0;
    infinite += std::isinf(number) ? 1 : 0;
  }
}

std::optional<double> cosine_of(std::span<const double> one, std::span<const double> other) {
  double product = 0, one_squared = 0, other_squared = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (!std::isfinite(one[i]) || !std::isfinite(other[i])) continue;
    product += one[i] * other[i];
    one_squared += one[i] * one[i];
    other_squared += other[i] * other[i];
  }
  if (one_squared == 0 || other_squared == 0) return std::nullopt;
  return product / std::sqrt(one_squared) / std::sqrt(other_squared);
}

void compare_numbers(std::span<const double> one, std::span<const double> other, const Tolerance& tolerance,
                     TensorDifference& difference) {
  const double largest = largest_of(other);
  double farthest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double over = excess(one[i], other[i], tolerance, largest);
    if (over > 0) ++difference.beyond;
    if (over > farthest) {
      farthest = over;
      difference.worst = i;
      difference.worst_one = one[i];
      difference.worst_other = other[i];
    }
    if (!std::isfinite(one[i]) || !std::isfinite(other[i])) continue;
    const double apart = std::abs(one[i] - other[i]);
    difference.max_absolute = std::max(difference.max_absolute, apart);
    if (other[i] != 0)
      difference.max_relative = std::max(difference.max_relative, apart / std::abs(other[i]));
  }
  count_kinds(one, difference.nan_one, difference.infinite_one);
  count_kinds(other, difference.nan_other, difference.infinite_other);
  difference.cosine = cosine_of(one, other);
}

template <class Bits>
void count_steps(const TensorView& one, const TensorView& other, std::span<const double> one_numbers,
                 std::span<const double> other_numbers, TensorDifference& difference) {
  for (std::size_t i = 0; i < one_numbers.size(); ++i)
    if (!std::isnan(one_numbers[i]) && !std::isnan(other_numbers[i]))
      ++difference.ulps[bin_of(
          difference::steps_between(element_at<Bits>(one.bytes, i), element_at<Bits>(other.bytes, i)))];
}

/// What has no numbers is the same or not, as a whole.
void compare_bits(const TensorView& one, const TensorView& other, TensorDifference& difference) {
  difference.elements = std::max(one.bytes.size(), one.strings.size());
  const auto [at, _] = std::ranges::mismatch(one.strings, other.strings);
  const bool same =
      std::ranges::equal(one.bytes, other.bytes) && std::ranges::equal(one.strings, other.strings);
  difference.beyond = same ? 0 : 1;
  if (!one.strings.empty()) difference.worst = static_cast<std::uint64_t>(at - one.strings.begin());
}

std::string shape_text(const TensorView& tensor) {
  return fmt::format("{}[{}]", to_string(tensor.type), fmt::join(tensor.shape, ","));
}

}  // namespace

Tolerance usual_tolerance(ElementType type) noexcept {
  switch (type) {
    case ElementType::Float64:
      return {1e-9, 1e-7, 1e-9};
    case ElementType::Float32:
      return {1e-6, 1e-3, 1e-5};
    case ElementType::Float16:
      return {1e-3, 1e-2, 1e-3};
    case ElementType::BFloat16:
      return {1e-2, 5e-2, 1e-2};
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
  const bool has_numbers = visit_number_type(one.type, [&]<class T>(std::type_identity<T>) {
    const std::vector<double> ours = numbers_of<T>(one), theirs = numbers_of<T>(other);
    difference.elements = ours.size();
    compare_numbers(ours, theirs, tolerance, difference);
    if constexpr (!std::is_void_v<typename BitsOf<T>::type>)
      count_steps<typename BitsOf<T>::type>(one, other, ours, theirs, difference);
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
