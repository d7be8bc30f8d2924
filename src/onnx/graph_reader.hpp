/// Reads graphs and functions into the facts of a ModelInfo, subgraphs included, and keeps nothing else.
#pragma once

#include "onnx/graph_facts.hpp"

namespace surefoot::onnx {

constexpr int kDeepestSubgraph = 64;

/// Reads what the graphs of one model hold. Lives no longer than the source.
class GraphReader {
 public:
  /// Facts go to `info`, also the main graph's name, inputs and outputs.
  explicit GraphReader(ModelInfo& info) : info_(info), facts_(info) {}

  /// Both read to the message's end and throw Corrupt.
  void read_main_graph(Message graph) { read_graph(graph, 0); }
  void read_function(Message function);

  /// Once all parts of the model were read.
  void finish() { facts_.finish(); }

 private:
  void read_graph(Message graph, int depth);
  void read_node(const StoredNode& node, int depth);

  ModelInfo& info_;
  GraphFacts facts_;
};

/// Reads a field of the main graph that is about itself or its interface; skips all others.
void read_main_field(Message& graph, ModelInfo& info);

}  // namespace surefoot::onnx
