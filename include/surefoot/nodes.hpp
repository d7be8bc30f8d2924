/// A model's nodes as a mapping from names to operators with their inputs, outputs and attributes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "surefoot/attribute_kind.hpp"
#include "surefoot/tensor.hpp"

namespace surefoot {

namespace model {
struct State;
}

/// One attribute of a node.
struct NodeAttribute {
  using Kind = AttributeKind;
  /// What has no form of its own here (graphs, lists of tensors, sparse tensors, types; tensors outside the
  /// file): the whole AttributeProto, encoded.
  struct Encoded {
    std::string bytes;
  };
  using Value = std::variant<float, std::int64_t, std::string, std::vector<float>, std::vector<std::int64_t>,
                             std::vector<std::string>, std::shared_ptr<const Tensor>, Encoded>;

  std::string name;
  Kind kind = Kind::Undefined;  ///< of a value in a form of its own it is that form's, whatever stands here
  Value value = std::int64_t{0};
  std::string reference = {};  ///< in a function: the function's attribute that it stands for; no value then
};

/// "float", "ints", "graph", …
std::string_view to_string(AttributeKind kind) noexcept;

struct Node {
  std::string op;
  std::vector<std::string> inputs = {};  ///< "" where an optional one is left out
  std::vector<std::string> outputs = {};
  std::vector<NodeAttribute> attributes = {};
  std::string domain = {};  ///< empty for ONNX's own
  std::string name = {};    ///< as the node states it, without a path; may be empty
  std::string doc_string = {};

  /// The attribute of that name, or null.
  const NodeAttribute* find(std::string_view attribute) const noexcept;
};

/// Something that makes a graph one that cannot run.
struct GraphProblem {
  enum class Kind {
    DanglingInput,    ///< a node, or an output, wants a value that nothing gives
    DuplicateOutput,  ///< a value is given twice
    Cycle,            ///< nodes wait for each other
    Order,            ///< a node stands before one whose value it wants
  } kind;
  std::string node;  ///< as Nodes names it; empty for an output of a graph
  std::string value;
  std::string what;  ///< one clause with both
};

/// "dangling input", "duplicate output", "cycle", "order".
std::string_view to_string(GraphProblem::Kind kind) noexcept;

/// The nodes of one model; a light handle that shares in the model.
///
/// Names     A node of the main graph goes by its own name. One inside a subgraph of an If, Loop or Scan has
/// the
///           path before it: `NODE>ATTRIBUTE>name`; one inside a local function `domain:Function()>name`. A
///           node without a name, or with one that is taken, is called `Op#place`, its place in its graph
///           when the model was opened: editing does not change such names.
/// Order     that of the file, the nodes of a subgraph behind the node that it belongs to; inserted ones
/// last. Threads   one at a time, for all handles on one model.
class Nodes {
 public:
  explicit Nodes(std::shared_ptr<model::State> state) : state_(std::move(state)) {}

  bool contains(std::string_view name) const;
  std::size_t size() const;
  std::vector<std::string> names() const;
  /// Errors: NotFound with the nearest name; InvalidModel for a tensor attribute that does not fit its shape.
  Result<Node> get(std::string_view name) const;

  /// Puts another node in its place; what did not change keeps its bytes, and so does what is unknown to us.
  /// Where a graph attribute changes, edits inside that node's subgraphs are lost.
  /// Errors: NotFound; InvalidArgument: no operator, or its new name is taken.
  Result<void> set(std::string_view name, const Node& node);
  /// A new node in the graph of that path ("" is the main one, `NODE>ATTRIBUTE` a subgraph,
  /// `domain:Function()` a function), behind the last node whose output it reads. Gives the name under which
  /// it is found. Errors: NotFound (no such graph); InvalidArgument as set().
  Result<std::string> insert(const Node& node, std::string_view graph = {});
  /// Takes a node out, with its subgraphs; what read its outputs dangles until it is edited too: see check().
  /// Errors: NotFound.
  Result<void> remove(std::string_view name);
  /// Gives a node another name, without path. Errors: NotFound; InvalidArgument: it is taken.
  Result<void> rename(std::string_view from, std::string_view to);

  /// What ONNX Runtime would refuse, found before it is asked: of all graphs and functions.
  std::vector<GraphProblem> check() const;

 private:
  std::shared_ptr<model::State> state_;
};

}  // namespace surefoot
