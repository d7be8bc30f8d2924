/// How far apart two outputs are.
#pragma once

#include "surefoot/value.hpp"

namespace surefoot::compilation {

struct Difference {
  double relative = 0;   ///< greatest difference of two elements, by the largest magnitude of `wanted`
  double tolerance = 0;  ///< what the element type is allowed
  bool is_within() const noexcept { return relative <= tolerance; }
};

/// The worst of surefoot::difference_of() of both, measured by the largest magnitude. A number and none, or
/// infinities of other signs, are infinitely far apart, as are strings and bits that differ. `tolerance` is
/// for floating-point numbers alone; below 0: default_tolerance().
/// Errors: RunFailed where kinds, types or shapes differ.
Result<Difference> difference(const Value& got, const Value& wanted, double tolerance);

}  // namespace surefoot::compilation
