/// Comparing two models, area by area.
#pragma once

#include <string>
#include <vector>

#include "model/state.hpp"
#include "surefoot/model_diff.hpp"

namespace surefoot::model {

/// For each scope what it goes by in both models: the path of values that lead to it, since names of nodes
/// that state none depend on their place.
std::vector<std::string> scope_keys(const State& state);

void add_function_differences(const State& from, const State& to, std::vector<Difference>& found);
/// Errors: InvalidModel for a tensor attribute that does not fit its shape.
Result<void> add_node_differences(const State& from, const State& to, std::vector<Difference>& found);
/// Errors: those of reading weights.
Result<void> add_weight_differences(State& from, State& to, std::vector<Difference>& found);

}  // namespace surefoot::model
