/// The part of a model that the provider took: named float tensors and the steps between them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels.hpp"

namespace surefoot::fault_ep {

struct Step {
  std::string op;
  std::vector<std::string> inputs;  // ONNX's order; "" where an optional one is absent
  std::string output;
  Attributes attributes;
};

/// Invariant: steps stand in topological order, so each reads only inputs, constants and earlier outputs.
struct Subgraph {
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  std::vector<Step> steps;
  std::map<std::string, Tensor> constants;
};

/// Computes `subgraph.outputs`, in order, from one view per `subgraph.inputs`, in order.
///
/// Errors    std::runtime_error when shapes do not fit or a value is missing; the message names the step.
/// Threads   any number of calls may run on one subgraph.
std::vector<Tensor> compute(const Subgraph& subgraph, std::span<const TensorView> inputs);

}  // namespace surefoot::fault_ep
