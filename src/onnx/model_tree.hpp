/// A model as a tree that can be edited, with its graphs, nodes and weights found.
///
/// Names     A weight or node of the main graph goes by its own name. One inside a subgraph has the
///           path before it: `NODE>ATTRIBUTE>name` (`NODE>ATTRIBUTE[1]>name` where the attribute is a list of
///           graphs); one inside a local function `domain:Function()>name`. A node without a name, or with
///           one that is taken, is called `Op#place`, its place in the file. These names are made once, while
///           reading, so that editing does not change them.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "onnx/part.hpp"
#include "onnx/tensor_reader.hpp"

namespace surefoot::onnx {

/// A graph or a local function. Its part is open.
struct Scope {
  std::string prefix = {};  ///< before the names inside: "" or "….>"
  Part* part = nullptr;     ///< a GraphProto or FunctionProto
  std::optional<std::size_t> parent =
      {};  ///< whose values are seen inside; none for the main graph and functions
  bool function = false;
};

struct TreeNode {
  std::string name;
  Part* part = nullptr;
  std::size_t scope = 0;
};

struct TreeWeight {
  std::string name;
  Part* part = nullptr;  ///< a TensorProto, or a SparseTensorProto
  std::size_t scope = 0;
  StoredTensor stored = {};  ///< of a sparse one: the type of its values and the shape that it stands for
  bool sparse = false;
};

/// Views of the source and of what was put into the tree. Parts have fixed addresses.
struct ModelTree {
  Part root = {};                 ///< the ModelProto, open
  std::deque<Scope> scopes = {};  ///< the main graph first
  std::vector<TreeNode> nodes = {};
  std::vector<TreeWeight> weights = {};  ///< of several with one name in one graph only the last, as in ORT
};

/// Reads the tree of a model; payloads are jumped over. Throws Corrupt, also for a model whose graph is
/// stored in more than one piece. `source` was read by read_model before, which bounds its depth.
ModelTree read_tree(Source& source);

/// Nodes and weights of a graph, of its subgraphs too, added to `tree`; for a node that was put into it.
void read_subgraphs(Source& source, ModelTree& tree, const TreeNode& node);

/// The name that `node` states itself, and its operator. Throws Corrupt.
struct NodeHead {
  std::string_view name = {}, op = {}, domain = {};
  bool has_graph = false;
};
NodeHead read_node_head(Message node);

}  // namespace surefoot::onnx
