#include "compile/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "surefoot/compile.hpp"

namespace surefoot {

double default_tolerance(ElementType type) noexcept {
  switch (type) {
    case ElementType::Float64:
    case ElementType::Complex128:
      return 1e-9;
    case ElementType::Float32:
    case ElementType::Complex64:
      return 1e-3;
    case ElementType::Float16:
      return 1e-2;
    case ElementType::BFloat16:
      return 5e-2;
    case ElementType::Float8E4M3FN:
    case ElementType::Float8E4M3FNUZ:
    case ElementType::Float8E5M2:
    case ElementType::Float8E5M2FNUZ:
      return 0.25;
    default:
      return 0;
  }
}

namespace compilation {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Stands for the magnitude of an output that is all zeros: rounding may leave something beside them.
constexpr double kMagnitudeOfZeros = 1e-3;

double number(double value) { return value; }
template <class T>
double number(T value) requires(!std::is_arithmetic_v<T>) {
  return static_cast<double>(static_cast<float>(value));
}

double distance(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double apart = std::abs(a - b);
  return std::isnan(apart) ? kInfinity : apart;
}

template <class T>
double greatest(const Tensor& got, const Tensor& wanted) {
  const auto* const a = reinterpret_cast<const T*>(got.bytes().data());
  const auto* const b = reinterpret_cast<const T*>(wanted.bytes().data());
  double apart = 0, magnitude = 0;
  for (std::size_t i = 0; i < wanted.bytes().size() / sizeof(T); ++i) {
    apart = std::max(apart, distance(number(a[i]), number(b[i])));
    if (std::isfinite(number(b[i]))) magnitude = std::max(magnitude, std::abs(number(b[i])));
  }
  return apart == 0 ? 0 : apart / (magnitude == 0 ? kMagnitudeOfZeros : magnitude);
}

double relative(const Tensor& got, const Tensor& wanted) {
  switch (wanted.type()) {
    case ElementType::Float32:
    case ElementType::Complex64:
      return greatest<float>(got, wanted);
    case ElementType::Float64:
    case ElementType::Complex128:
      return greatest<double>(got, wanted);
    case ElementType::Float16:
      return greatest<Float16>(got, wanted);
    case ElementType::BFloat16:
      return greatest<BFloat16>(got, wanted);
    case ElementType::Float8E4M3FN:
      return greatest<Float8E4M3FN>(got, wanted);
    case ElementType::Float8E4M3FNUZ:
      return greatest<Float8E4M3FNUZ>(got, wanted);
    case ElementType::Float8E5M2:
      return greatest<Float8E5M2>(got, wanted);
    case ElementType::Float8E5M2FNUZ:
      return greatest<Float8E5M2FNUZ>(got, wanted);
    default:
      return std::ranges::equal(got.bytes(), wanted.bytes()) &&
                     std::ranges::equal(got.strings(), wanted.strings())
                 ? 0
                 : kInfinity;
  }
}

std::string type_of(const Tensor& tensor) {
  return fmt::format("{}{}", to_string(tensor.type()), to_string(tensor.shape()));
}

Result<Difference> compare(const Tensor& got, const Tensor& wanted, double tolerance) {
  if (got.type() != wanted.type() || got.shape() != wanted.shape())
    return fail({.code = ErrorCode::RunFailed,
                 .what = fmt::format("it is {}, and was {}", type_of(got), type_of(wanted))});
  const double usual = default_tolerance(wanted.type());
  return Difference{relative(got, wanted), usual == 0 || tolerance < 0 ? usual : tolerance};
}

bool is_worse(const Difference& one, const Difference& other) {
  if (one.is_within() != other.is_within()) return !one.is_within();
  return one.relative > other.relative;
}

Result<Difference> worse_of(Result<Difference> one, Result<Difference> other) {
  if (!one || !other) return one ? other : one;
  return is_worse(*other, *one) ? other : one;
}

Result<Difference> compare(const Sequence& got, const Sequence& wanted, double tolerance) {
  if (got.items.size() != wanted.items.size())
    return fail({.code = ErrorCode::RunFailed,
                 .what = fmt::format("it has {} items, and had {}", got.items.size(), wanted.items.size())});
  Result<Difference> worst = Difference{};
  for (std::size_t i = 0; worst && i < wanted.items.size(); ++i)
    worst = worse_of(std::move(worst), difference(got.items[i], wanted.items[i], tolerance));
  return worst;
}

}  // namespace

Result<Difference> difference(const Value& got, const Value& wanted, double tolerance) {
  if (got.kind() != wanted.kind())
    return fail(
        {.code = ErrorCode::RunFailed,
         .what = fmt::format("it is a {}, and was a {}", to_string(got.kind()), to_string(wanted.kind()))});
  if (const Tensor* tensor = wanted.tensor()) return compare(*got.tensor(), *tensor, tolerance);
  if (const Sequence* sequence = wanted.sequence()) return compare(*got.sequence(), *sequence, tolerance);
  if (const Map* map = wanted.map())
    return worse_of(compare(got.map()->keys, map->keys, tolerance),
                    compare(got.map()->values, map->values, tolerance));
  return Difference{};
}

}  // namespace compilation
}  // namespace surefoot
