/// Finds in a graph what ONNX Runtime would refuse.
#pragma once

#include <vector>

#include "model/state.hpp"
#include "surefoot/nodes.hpp"

namespace surefoot::model {

std::vector<GraphProblem> check_graphs(const State& state);

/// The problems as one error. Errors: InvalidModel when there is any.
Result<void> check_runnable(const State& state);

/// After a node was renamed: the graphs inside it, their nodes and weights, get another path.
void change_prefix(State& state, const onnx::Part& node, const std::string& from, const std::string& to);

}  // namespace surefoot::model
