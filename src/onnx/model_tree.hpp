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

  bool is_main() const noexcept { return !parent && !function; }
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

/// Reads a field of the ModelProto that is neither a graph nor a function.
using TakeModelField = void (*)(Message& model, ModelInfo& info);

/// Reads the tree of a model and its facts in one pass; payloads are jumped over. Throws Corrupt, also for a
/// model whose graph is stored in more than one piece. Without a graph the first scope is no main one.
ModelTree read_tree(Source& source, ModelInfo& info, TakeModelField take_field);

/// Nodes and weights of a graph, of its subgraphs too, added to `tree`; for a node that was put into it.
void read_subgraphs(Source& source, ModelTree& tree, const TreeNode& node);

}  // namespace surefoot::onnx
