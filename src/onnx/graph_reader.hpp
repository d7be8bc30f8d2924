/// Reads graphs and functions into the facts of a ModelInfo, subgraphs included.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "onnx/wire.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::onnx {

struct StoredTensor;

/// Gathers what the graphs of one model hold. Lives no longer than the source.
class GraphReader {
 public:
  /// Facts go to `info`: weights, external data, EPContext nodes, the main graph's name, inputs
  /// and outputs.
  explicit GraphReader(ModelInfo& info) : info_(info) {}

  /// Both read to the message's end and throw Corrupt.
  void read_main_graph(Message graph);
  void read_function(Message function);

  /// Sorts out inputs and operators, once all parts of the model were read: from IR 4 on an input
  /// with an initializer is optional, has that as its default and goes last; before, it is no input but
  /// a plain weight.
  void finish();

 private:
  void read_graph(Message graph, int depth);
  void read_main_field(Message& graph);
  void read_initializer(Message tensor, int depth);
  void read_sparse_initializer(Message tensor, int depth);
  void read_node(Message node, int depth);
  struct NodeFacts;
  void read_attribute(Message attribute, NodeFacts& node, int depth);
  /// What may become the default of an input.
  struct Initializer {
    std::uint64_t bytes = 0;
    std::optional<Message> elements = {};  ///< where they are few and lie in the model
  };
  void add_initializer(const StoredTensor& tensor, Initializer initializer, int depth);
  void set_default(ValueInfo& input);
  void add_external(const StoredTensor& tensor, std::string_view node);
  void add_ep_context(const NodeFacts& node);

  ModelInfo& info_;
  std::map<std::pair<std::string_view, std::string_view>, std::uint64_t> ops_;  ///< by domain and name
  std::unordered_map<std::string_view, Initializer> main_initializers_;
  std::uint64_t default_bytes_ = 0;                                    ///< of all that were read
  std::set<std::pair<std::string_view, std::string_view>> functions_;  ///< by domain and name
};

}  // namespace surefoot::onnx
