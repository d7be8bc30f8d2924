/// Gathers the facts of a ModelInfo from the parts of a model's graphs, as a reader comes by them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "onnx/node_reader.hpp"
#include "onnx/tensor_reader.hpp"
#include "onnx/wire.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::onnx {

/// Facts go to the info: weights, external data, EPContext nodes, operators, and the main graph's inputs.
/// Lives no longer than the source.
class GraphFacts {
 public:
  explicit GraphFacts(ModelInfo& info) : info_(info) {}

  /// Counts a node and reads its attributes; gives the graphs inside them, unread. Throws Corrupt.
  std::vector<Message> add_node(const StoredNode& node);
  /// `message` is the tensor's own, unread. `main`: of the main graph.
  void add_initializer(const StoredTensor& tensor, const Message& message, bool main);
  void add_initializer(const StoredSparseTensor& tensor, bool main);
  void add_function(std::string_view domain, std::string_view name);

  /// Sorts out inputs and operators, once all parts of the model were read: from IR 4 on an input
  /// with an initializer is optional, has that as its default and goes last; before, it is no input but
  /// a plain weight.
  void finish();

 private:
  struct CompiledPart;
  void read_attribute(Message attribute, CompiledPart& node, std::vector<Message>& graphs);
  /// What may become the default of an input.
  struct Initializer {
    std::uint64_t bytes = 0;
    std::optional<Message> elements = {};  ///< where they are few and lie in the model
  };
  void add(const StoredTensor& tensor, Initializer initializer, bool main);
  void set_default(ValueInfo& input);
  void add_external(const StoredTensor& tensor, std::string_view owner);
  void add_compiled_part(const CompiledPart& node);

  ModelInfo& info_;
  std::map<std::pair<std::string_view, std::string_view>, std::uint64_t> ops_;  ///< by domain and name
  std::unordered_map<std::string_view, Initializer> main_initializers_;
  std::uint64_t default_bytes_ = 0;                                    ///< of all that were read
  std::set<std::pair<std::string_view, std::string_view>> functions_;  ///< by domain and name
};

}  // namespace surefoot::onnx
