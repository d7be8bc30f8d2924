#include "compile/difference.hpp"

#include <limits>

#include "surefoot/compile.hpp"
#include "surefoot/difference.hpp"

namespace surefoot {

double default_tolerance(ElementType type) noexcept { return usual_tolerance(type).relative; }

namespace compilation {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Stands for the magnitude of an output that is all zeros: rounding may leave something beside them.
constexpr double kMagnitudeOfZeros = 1e-3;
/// Every finite number passes beside every other: what is beyond it cannot be measured.
constexpr Tolerance kAnyNumber{.absolute = kInfinity};

double relative(const TensorDifference& found) {
  if (found.beyond > 0) return kInfinity;
  return found.max_absolute / (found.largest == 0 ? kMagnitudeOfZeros : found.largest);
}

Difference measured(const TensorDifference& found, double tolerance) {
  const double usual = default_tolerance(found.type);
  return {relative(found), usual == 0 || tolerance < 0 ? usual : tolerance};
}

bool is_worse(const Difference& one, const Difference& other) {
  if (one.is_within() != other.is_within()) return !one.is_within();
  return one.relative > other.relative;
}

}  // namespace

Result<Difference> difference(const Value& got, const Value& wanted, double tolerance) {
  Difference worst;
  for (const NamedDifference& part : difference_of("it", got, wanted, kAnyNumber)) {
    if (!part.difference.mismatch.empty())
      return fail({.code = ErrorCode::RunFailed, .what = part.name + " is " + part.difference.mismatch});
    if (const Difference found = measured(part.difference, tolerance); is_worse(found, worst)) worst = found;
  }
  return worst;
}

}  // namespace compilation
}  // namespace surefoot
