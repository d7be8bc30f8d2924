/// The nodes of a report: what the file says, where ONNX Runtime placed it, and how long it took, as one
/// list.
#pragma once

#include "onnx/graph_outline.hpp"
#include "surefoot/report.hpp"

namespace surefoot::reporting {

/// What is known of the nodes, each from one place.
struct NodeFacts {
  const onnx::GraphOutline& outline;
  const Placement* placement = nullptr;  ///< null: ONNX Runtime told nothing
  const ProfileSummary& profile;
};

/// The nodes of the file, then those that only ONNX Runtime names. Facts meet where name and operator are the
/// same, each used once: a fact that no node of the file answers to is a node of ONNX Runtime's.
std::vector<ReportNode> report_nodes(const NodeFacts& facts);

}  // namespace surefoot::reporting
