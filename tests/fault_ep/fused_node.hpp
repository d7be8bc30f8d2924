/// A part of a session's model that this provider compiled, as ORT runs it.
#pragma once

#include "captured_graphs.hpp"
#include "fault_plan.hpp"
#include "host.hpp"
#include "subgraph.hpp"

namespace surefoot::fault_ep {

/// Lifetime  borrows the plan and the graphs of the provider that compiled it, which ORT keeps longer.
/// Threads   runs may overlap.
struct FusedNode : OrtNodeComputeInfo {
  FusedNode(FaultPlan& faults, CapturedGraphs& recorder, Subgraph part);

  FaultPlan& plan;
  CapturedGraphs& graphs;
  Subgraph subgraph;
};

/// Reads the graph behind `node`. Weights are copied: ORT may drop its own afterwards.
Subgraph subgraph_of(const OrtGraph* graph, const OrtNode* node);

}  // namespace surefoot::fault_ep
