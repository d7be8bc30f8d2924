#include "onnx/model_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "onnx/graph_reader.hpp"
#include "onnx/onnx_proto.hpp"
#include "onnx/type_reader.hpp"

namespace surefoot::onnx {
namespace {

bool is_graph(std::uint32_t number) {
  return number == static_cast<std::uint32_t>(AttributeField::Graph) ||
         number == static_cast<std::uint32_t>(AttributeField::Graphs);
}

bool holds_graph(const Part& attribute) {
  if (attribute.parts != nullptr)
    return std::ranges::any_of(*attribute.parts, [](const Part& field) { return is_graph(field.number); });
  bool found = false;
  each_chunk(attribute, [&](std::uint32_t number, std::string_view) { found = found || is_graph(number); });
  return found;
}

std::string_view name_of_attribute(const Parts& attribute) {
  for (const Part& field : attribute)
    if (field.is(AttributeField::Name)) return field.content;
  return {};
}

/// Fills a tree, field by field as they lie in the file. What is inside a node's subgraphs is named by the
/// node and so comes after the node's own fields, as that of a function comes after its name.
class TreeReader {
 public:
  TreeReader(Source& source, ModelTree& tree, ModelInfo& info)
      : source_(source), tree_(tree), info_(info), facts_(info) {
    for (const TreeNode& node : tree.nodes) names_.insert(node.name);
  }

  void read_model(TakeModelField take_field) {
    tree_.root.content = source_.all();
    tree_.root.parts = std::make_unique<Parts>();
    bool has_graph = false;
    Message model(source_);
    while (model.next()) {
      Message value = model;
      Part& part = tree_.root.parts->emplace_back(to_part(model.raw()));
      if (part.is(ModelField::Graph)) {
        if (std::exchange(has_graph, true))
          throw Corrupt("holds its graph in several pieces, which no writer of models does");
        read_graph({.prefix = "", .part = &part});
      } else if (!part.is(ModelField::Functions)) {
        take_field(value, info_);
      }
    }
    for (Part& part : *tree_.root.parts)
      if (part.is(ModelField::Functions)) read_function(part);
    facts_.finish();
  }

  void read_subgraphs(const TreeNode& node) {
    for (Part& field : open(*node.part, source_, "node"))
      if (field.is(NodeField::Attribute) && holds_graph(field)) read_attribute(node, field);
  }

 private:
  /// How far a graph was read.
  struct Progress {
    std::size_t scope;
    std::size_t place = 0;  ///< of the next node
    std::unordered_map<std::string_view, std::size_t> weights = {};
  };

  void read_graph(Scope scope) {
    Progress progress{.scope = tree_.scopes.size()};
    Part& part = *scope.part;
    tree_.scopes.push_back(std::move(scope));
    if (depth_ > kDeepestSubgraph)
      Message(source_, part.content, "graph").damaged("subgraphs are nested too deep");
    ++depth_;
    if (part.parts == nullptr)
      stream_graph(part, progress);
    else  // a node took it over that was edited
      for (Part& field : *part.parts) read_field(field, progress);
    --depth_;
  }

  void stream_graph(Part& part, Progress& progress) {
    const bool main = tree_.scopes[progress.scope].is_main();
    part.parts = std::make_unique<Parts>();
    Message graph(source_, part.content, "graph");
    while (graph.next()) {
      Message value = graph;
      Part& field = part.parts->emplace_back(to_part(graph.raw()));
      if (main && (field.is(GraphField::Name) || field.is(GraphField::Input) || field.is(GraphField::Output)))
        read_main_field(value, info_);
      else
        read_field(field, progress);
    }
  }

  void read_field(Part& field, Progress& progress) {
    if (field.is(GraphField::Node))
      read_node(field, progress.scope, progress.place++);
    else if (field.is(GraphField::Initializer) || field.is(GraphField::SparseInitializer))
      read_weight(field, progress);
    else
      check(field);
  }

  /// What is opened later only when something changes is looked through now, so that damage ends in one
  /// place.
  void check(const Part& field) {
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
    const std::size_t index = tree_.scopes.size();
    tree_.scopes.push_back(
        {.prefix = fmt::format("{}:{}()>", domain, name), .part = &part, .function = true});
    facts_.add_function(domain, name);
    std::size_t place = 0;
    for (Part& field : *part.parts)
      if (field.is(FunctionField::Node)) read_node(field, index, place++);
  }

  void read_node(Part& part, std::size_t scope, std::size_t place) {
    const StoredNode stored = onnx::read_node(Message(source_, part.content, "node"));
    const std::string& prefix = tree_.scopes[scope].prefix;
    std::string name = prefix + std::string(stored.name);
    if (stored.name.empty() || names_.contains(name)) {
      name = fmt::format("{}{}#{}", prefix, stored.op, place);
      while (names_.contains(name)) name += '\'';
    }
    names_.insert(name);
    tree_.nodes.push_back({.name = std::move(name), .part = &part, .scope = scope});
    if (!facts_.add_node(stored).empty()) read_subgraphs(TreeNode(tree_.nodes.back()));
  }

  void read_attribute(const TreeNode& node, Part& attribute) {
    Parts& fields = open(attribute, source_, "attribute");
    const std::string path = fmt::format("{}>{}", node.name, name_of_attribute(fields));
    std::size_t place = 0;
    for (Part& field : fields) {
      if (field.is(AttributeField::Graph))
        read_graph({.prefix = path + ">", .part = &field, .parent = node.scope});
      if (field.is(AttributeField::Graphs))
        read_graph({.prefix = fmt::format("{}[{}]>", path, place++), .part = &field, .parent = node.scope});
    }
  }

  void read_weight(Part& part, Progress& progress) {
    const Scope& scope = tree_.scopes[progress.scope];
    TreeWeight weight{.name = {}, .part = &part, .scope = progress.scope};
    if (part.is(GraphField::Initializer)) {
      const Message message(source_, part.content, "initializer");
      weight.stored = read_tensor(message);
      facts_.add_initializer(weight.stored, message, scope.is_main());
    } else {
      StoredSparseTensor sparse = read_sparse_tensor(Message(source_, part.content, "sparse initializer"));
      facts_.add_initializer(sparse, scope.is_main());
      weight.stored = std::move(sparse.values);
      weight.stored.stored_bytes += sparse.indices.bytes();
      weight.stored.shape = std::move(sparse.shape);
      weight.sparse = true;
    }
    weight.name = scope.prefix + std::string(weight.stored.name);
    const auto [at, is_new] = progress.weights.emplace(weight.stored.name, tree_.weights.size());
    if (is_new)
      tree_.weights.push_back(std::move(weight));
    else
      tree_.weights[at->second] = std::move(weight);
  }

  Source& source_;
  ModelTree& tree_;
  ModelInfo& info_;
  GraphFacts facts_;
  std::unordered_set<std::string> names_;
  int depth_ = 0;
};

}  // namespace

ModelTree read_tree(Source& source, ModelInfo& info, TakeModelField take_field) {
  ModelTree tree;
  TreeReader(source, tree, info).read_model(take_field);
  return tree;
}

void read_subgraphs(Source& source, ModelTree& tree, const TreeNode& node) {
  ModelInfo unused;  // facts are those of the file
  TreeReader(source, tree, unused).read_subgraphs(node);
}

}  // namespace surefoot::onnx
