/// EPContext nodes: how a compiled part of a model is kept in an ONNX file.
#pragma once

#include "graph_reading.hpp"
#include "subgraph.hpp"

namespace surefoot::fault_ep {

using ContextNode = std::unique_ptr<OrtNode, void (*)(OrtNode*)>;

/// Whether `node` is an EPContext that the provider `name` wrote.
bool is_context_of(const OrtNode* node, const std::string& name);

/// The data may stand in a file beside the model of `graph`.
/// Errors: std::runtime_error when it is damaged or cannot be read.
Subgraph subgraph_in(const OrtGraph* graph, const OrtNode* context_node);

/// Makes an EPContext node that can stand for `fused`, its data in `file`, or inside where that is empty.
/// Errors: std::runtime_error when the file cannot be written.
ContextNode context_node_for(const OrtNode* fused, const Subgraph& subgraph, const std::string& name,
                             const std::string& file);

}  // namespace surefoot::fault_ep
