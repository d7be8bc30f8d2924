/// The arithmetic of additive low-rank deltas.
#pragma once

#include "surefoot/patch.hpp"

namespace surefoot::model {

/// Checks that the delta fits a weight of that type and shape.
/// Errors: InvalidArgument with the sizes that are wanted and those that came.
Result<void> check_delta(const std::string& name, const TensorView& weight, const LowRankDelta& delta);

/// Adds the delta, which was checked, to the elements of `weight` in place.
void add_delta(MutableTensorView weight, const LowRankDelta& delta);

}  // namespace surefoot::model
