/// EPContext nodes: how a compiled part of a model is kept in an ONNX file.
#pragma once

#include "graph_reading.hpp"
#include "subgraph.hpp"

namespace surefoot::fault_ep {

using ContextNode = std::unique_ptr<OrtNode, void (*)(OrtNode*)>;

/// Whether `node` is an EPContext that the provider `name` wrote.
bool is_context_of(const OrtNode* node, const std::string& name);

/// Errors: std::runtime_error when the data is damaged or stands in a file beside the model.
Subgraph subgraph_in(const OrtNode* context_node);

/// Makes an EPContext node, its data inside, that can stand for `fused`.
ContextNode context_node_for(const OrtNode* fused, const Subgraph& subgraph, const std::string& name);

}  // namespace surefoot::fault_ep
