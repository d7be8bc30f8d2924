#include "onnx/model_tree.hpp"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

#include "onnx/onnx_proto.hpp"
#include "onnx/type_reader.hpp"

namespace surefoot::onnx {
namespace {

bool holds_graph(Message attribute) {
  bool found = false;
  while (attribute.next()) {
    found = found || attribute.key() == chunk(AttributeField::Graph) ||
            attribute.key() == chunk(AttributeField::Graphs);
    attribute.skip();
  }
  return found;
}

std::string_view name_of_attribute(const Parts& attribute) {
  for (const Part& field : attribute)
    if (field.is(AttributeField::Name)) return field.content;
  return {};
}

/// Fills a tree, one graph after the other.
class TreeReader {
 public:
  TreeReader(Source& source, ModelTree& tree) : source_(source), tree_(tree) {
    for (const TreeNode& node : tree.nodes) names_.insert(node.name);
  }

  void read_model() {
    tree_.root.content = source_.all();
    tree_.root.parts = std::make_unique<Parts>(read_parts(Message(source_)));
    Part* graph = nullptr;
    for (Part& part : *tree_.root.parts) {
      if (!part.is(ModelField::Graph)) continue;
      if (graph != nullptr)
        throw Corrupt("holds its graph in several pieces, which no writer of models does");
      graph = &part;
    }
    read_scope({.prefix = "", .part = graph});
    for (Part& part : *tree_.root.parts)
      if (part.is(ModelField::Functions)) read_function(part);
  }

  void read_subgraphs(const TreeNode& node) {
    for (Part& field : open(*node.part, source_, "node"))
      if (field.is(NodeField::Attribute) && holds_graph(Message(source_, field.content, "attribute")))
        read_attribute(node, field);
  }

 private:
  void read_scope(Scope scope) {
    const std::size_t index = tree_.scopes.size();
    tree_.scopes.push_back(std::move(scope));
    Part& part = *tree_.scopes[index].part;
    std::size_t place = 0;
    std::unordered_map<std::string_view, std::size_t> weights;
    for (Part& field : open(part, source_, "graph")) {
      if (tree_.scopes[index].function ? field.is(FunctionField::Node) : field.is(GraphField::Node))
        read_node(field, index, place++);
      else if (!tree_.scopes[index].function)
        read_weight(field, index, weights);
      check(field, tree_.scopes[index].function);
    }
  }

  /// What is opened later only when something changes is looked through now, so that damage ends in one
  /// place.
  void check(const Part& field, bool function) {
    if (function) return;
    if (field.is(GraphField::Input) || field.is(GraphField::Output) || field.is(GraphField::ValueInfo))
      (void)read_value_info(Message(source_, field.content, "value"));
    if (field.is(GraphField::QuantizationAnnotation))
      for (const Part& inner : read_parts(Message(source_, field.content, "annotation")))
        if (inner.is(AnnotationField::Parameter))
          (void)read_parts(Message(source_, inner.content, "parameter"));
  }

  void read_function(Part& part) {
    std::string_view name, domain;
    for (const Part& field : open(part, source_, "function")) {
      if (field.is(FunctionField::Name)) name = field.content;
      if (field.is(FunctionField::Domain)) domain = field.content;
    }
    read_scope({.prefix = fmt::format("{}:{}()>", domain, name), .part = &part, .function = true});
  }

  void read_node(Part& part, std::size_t scope, std::size_t place) {
    const NodeHead head = read_node_head(Message(source_, part.content, "node"));
    const std::string& prefix = tree_.scopes[scope].prefix;
    std::string name = prefix + std::string(head.name);
    if (head.name.empty() || names_.contains(name)) {
      name = fmt::format("{}{}#{}", prefix, head.op, place);
      while (names_.contains(name)) name += '\'';
    }
    names_.insert(name);
    tree_.nodes.push_back({.name = std::move(name), .part = &part, .scope = scope});
    if (head.has_graph) read_subgraphs(TreeNode(tree_.nodes.back()));
  }

  void read_attribute(const TreeNode& node, Part& attribute) {
    Parts& fields = open(attribute, source_, "attribute");
    const std::string path = fmt::format("{}>{}", node.name, name_of_attribute(fields));
    std::size_t place = 0;
    for (Part& field : fields) {
      if (field.is(AttributeField::Graph))
        read_scope({.prefix = path + ">", .part = &field, .parent = node.scope});
      if (field.is(AttributeField::Graphs))
        read_scope({.prefix = fmt::format("{}[{}]>", path, place++), .part = &field, .parent = node.scope});
    }
  }

  void read_weight(Part& part, std::size_t scope, std::unordered_map<std::string_view, std::size_t>& seen) {
    TreeWeight weight{.name = {}, .part = &part, .scope = scope};
    if (part.is(GraphField::Initializer)) {
      weight.stored = read_tensor(Message(source_, part.content, "initializer"));
    } else if (part.is(GraphField::SparseInitializer)) {
      StoredSparseTensor sparse = read_sparse_tensor(Message(source_, part.content, "sparse initializer"));
      weight.stored = std::move(sparse.values);
      weight.stored.stored_bytes += sparse.indices.bytes();
      weight.stored.shape = std::move(sparse.shape);
      weight.sparse = true;
    } else {
      return;
    }
    weight.name = tree_.scopes[scope].prefix + std::string(weight.stored.name);
    const auto [at, is_new] = seen.emplace(weight.stored.name, tree_.weights.size());
    if (is_new)
      tree_.weights.push_back(std::move(weight));
    else
      tree_.weights[at->second] = std::move(weight);
  }

  Source& source_;
  ModelTree& tree_;
  std::unordered_set<std::string> names_;
};

}  // namespace

NodeHead read_node_head(Message node) {
  NodeHead head;
  while (node.next()) switch (node.key()) {
      case chunk(NodeField::Name):
        head.name = node.text();
        break;
      case chunk(NodeField::OpType):
        head.op = node.text();
        break;
      case chunk(NodeField::Domain):
        head.domain = node.text();
        break;
      case chunk(NodeField::Attribute):
        head.has_graph = holds_graph(node.message("attribute")) || head.has_graph;
        break;
      default:
        node.skip();
    }
  return head;
}

ModelTree read_tree(Source& source) {
  ModelTree tree;
  TreeReader(source, tree).read_model();
  return tree;
}

void read_subgraphs(Source& source, ModelTree& tree, const TreeNode& node) {
  TreeReader(source, tree).read_subgraphs(node);
}

}  // namespace surefoot::onnx
