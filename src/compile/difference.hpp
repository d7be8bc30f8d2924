/// How far apart two outputs are.
#pragma once

#include "surefoot/value.hpp"

namespace surefoot::compilation {

struct Difference {
  double relative = 0;   ///< greatest difference of two elements, by the largest magnitude of `wanted`
  double tolerance = 0;  ///< what the element type is allowed
  bool is_within() const noexcept { return relative <= tolerance; }
};

/// Compares element by element. A number and none, or infinities of other signs, are infinitely far apart, as
/// are elements that are no floating-point numbers and not equal. `tolerance` below 0: default_tolerance().
/// Errors: RunFailed where kinds, types or shapes differ.
Result<Difference> difference(const Value& got, const Value& wanted, double tolerance);

}  // namespace surefoot::compilation
