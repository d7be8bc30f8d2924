/// Writes the weights of a model other than they are stored.
#pragma once

#include <list>

#include "model/save_plan.hpp"

namespace surefoot::model {

/// Adds what takes the place of the moved weight's tensor. What it views is kept in `kept`.
/// Errors: those of reading the weight.
Result<void> add_replacement(State& state, const Move& move, onnx::Replacements& replacements,
                             std::list<WeightData>& kept);

}  // namespace surefoot::model
