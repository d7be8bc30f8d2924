/// A part of a session's model that this provider compiled, as ORT runs it.
#pragma once

#include "fault_plan.hpp"
#include "host.hpp"
#include "subgraph.hpp"

namespace surefoot::fault_ep {

/// Lifetime  borrows the plan of the provider that compiled it, which ORT keeps longer.
/// Threads   runs may overlap.
struct FusedNode : OrtNodeComputeInfo {
  FusedNode(FaultPlan& faults, Subgraph part);

  FaultPlan& plan;
  Subgraph subgraph;
};

/// Reads the graph behind `node`. Weights are copied: ORT may drop its own afterwards.
Subgraph subgraph_of(const OrtGraph* graph, const OrtNode* node);

}  // namespace surefoot::fault_ep
