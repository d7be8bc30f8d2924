#include "surefoot/nodes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error/suggest.hpp"
#include "model/graph_check.hpp"
#include "model/node_codec.hpp"
#include "model/state.hpp"
#include "model/value_names.hpp"
#include "onnx/model_file.hpp"
#include "onnx/onnx_proto.hpp"

namespace surefoot {

using model::State;
using onnx::Part, onnx::TreeNode;

std::string_view to_string(AttributeKind kind) noexcept {
  constexpr std::string_view kNames[] = {"undefined", "float",  "int",     "string",  "tensor",
                                         "graph",     "floats", "ints",    "strings", "tensors",
                                         "graphs",    "sparse", "sparses", "type",    "types"};
  const auto index = static_cast<std::size_t>(kind);
  return index < std::size(kNames) ? kNames[index] : kNames[0];
}

const NodeAttribute* Node::find(std::string_view attribute) const noexcept {
  const auto at = std::ranges::find(attributes, attribute, &NodeAttribute::name);
  return at == attributes.end() ? nullptr : &*at;
}

namespace {

std::size_t index_of(const State& state, std::string_view name) {
  const auto at = std::ranges::find(state.tree.nodes, name, &TreeNode::name);
  return static_cast<std::size_t>(at - state.tree.nodes.begin());
}

std::vector<std::string> node_names(const State& state) {
  std::vector<std::string> names;
  for (const TreeNode& node : state.tree.nodes) names.push_back(node.name);
  return names;
}

Result<std::size_t> find_node(const State& state, std::string_view name) {
  const std::size_t index = index_of(state, name);
  if (index < state.tree.nodes.size()) return index;
  return fail({.code = ErrorCode::NotFound,
               .what = fmt::format("{} has no node `{}`", onnx::quoted(state.path), name),
               .hint = suggestion(name, node_names(state))});
}

Failure refused(std::string what) {
  return fail({.code = ErrorCode::InvalidArgument, .what = std::move(what)});
}

/// Whether `wanted` is among the open parts inside `part`.
bool holds(const Part& part, const Part* wanted) {
  if (&part == wanted) return true;
  return part.parts &&
         std::ranges::any_of(*part.parts, [&](const Part& inner) { return holds(inner, wanted); });
}

/// Forgets the graphs inside a node, with their nodes and weights.
void drop_subgraphs(State& state, const Part& node) {
  for (std::size_t scope = 1; scope < state.tree.scopes.size(); ++scope) {
    if (state.tree.scopes[scope].part == nullptr || !holds(node, state.tree.scopes[scope].part)) continue;
    std::erase_if(state.tree.nodes, [&](const TreeNode& inner) { return inner.scope == scope; });
    for (model::Weight& weight : state.weights) {
      if (weight.at.scope != scope || weight.erased) continue;
      state.by_name.erase(weight.at.name);
      weight.erase();
    }
    state.tree.scopes[scope].part = nullptr;
  }
}

/// Finds the graphs that a node brings along.
void read_subgraphs(State& state, std::size_t index) {
  const TreeNode node = state.tree.nodes[index];
  onnx::Source source(std::as_bytes(std::span(node.part->content)));
  onnx::read_subgraphs(source, state.tree, node);
  state.take_weights();
}

std::vector<std::string> graphs_of(const Node& node) {
  std::vector<std::string> graphs;
  for (const NodeAttribute& attribute : node.attributes)
    if (model::holds_graph(attribute)) graphs.push_back(model::attribute_bytes(attribute));
  return graphs;
}

/// The scope of a graph's path, as insert() takes it.
Result<std::size_t> find_graph(const State& state, std::string_view path) {
  const std::string prefix = path.empty() ? "" : std::string(path) + ">";
  std::vector<std::string> known;
  for (std::size_t scope = 0; scope < state.tree.scopes.size(); ++scope) {
    if (state.tree.scopes[scope].part == nullptr) continue;
    if (state.tree.scopes[scope].prefix == prefix) return scope;
    if (scope > 0)
      known.push_back(state.tree.scopes[scope].prefix.substr(0, state.tree.scopes[scope].prefix.size() - 1));
  }
  return fail({.code = ErrorCode::NotFound,
               .what = fmt::format("{} has no graph `{}`", onnx::quoted(state.path), path),
               .hint = suggestion(path, known)});
}

bool is_node(const State& state, std::size_t scope, const Part& part) {
  return state.tree.scopes[scope].function ? part.is(onnx::FunctionField::Node)
                                           : part.is(onnx::GraphField::Node);
}

/// Behind the last node that gives one of the inputs, or before the first node.
onnx::Parts::iterator place_for(State& state, std::size_t scope, const Node& node) {
  onnx::Parts& parts = *state.tree.scopes[scope].part->parts;
  auto first_node =
      std::ranges::find_if(parts, [&](const Part& part) { return is_node(state, scope, part); });
  auto place = first_node;
  for (auto at = first_node; at != parts.end(); ++at) {
    if (!is_node(state, scope, *at)) continue;
    bool gives = false;
    onnx::each_chunk(*at, [&](std::uint32_t number, std::string_view content) {
      gives = gives || (number == static_cast<std::uint32_t>(onnx::NodeField::Output) && !content.empty() &&
                        std::ranges::find(node.inputs, content) != node.inputs.end());
    });
    if (gives) place = std::next(at);
  }
  return place;
}

Result<void> check_node(const Node& node) {
  if (node.op.empty()) return refused("a node needs an operator: `op` is empty");
  return {};
}

Failure corrupt(const onnx::Corrupt& problem) {
  return fail(
      {.code = ErrorCode::InvalidArgument, .what = fmt::format("an encoded attribute {}", problem.what())});
}

}  // namespace

bool Nodes::contains(std::string_view name) const {
  return index_of(*state_, name) < state_->tree.nodes.size();
}
std::size_t Nodes::size() const { return state_->tree.nodes.size(); }
std::vector<std::string> Nodes::names() const { return node_names(*state_); }

Result<Node> Nodes::get(std::string_view name) const try {
  const auto index = find_node(*state_, name);
  if (!index) return fail(index.error());
  return model::read_node(*state_->tree.nodes[*index].part);
} catch (const onnx::Corrupt& problem) {
  return fail({.code = ErrorCode::InvalidModel, .what = fmt::format("node `{}` {}", name, problem.what())});
}

Result<void> Nodes::set(std::string_view name, const Node& node) try {
  const auto index = find_node(*state_, name);
  if (!index) return fail(index.error());
  if (auto checked = check_node(node); !checked) return checked;
  Part& part = *state_->tree.nodes[*index].part;
  onnx::open(part, "node");
  const auto before = model::read_node(part);
  if (!before) return fail(before.error());
  if (node.name != before->name)
    if (auto renamed = rename(name, node.name); !renamed) return renamed;
  const bool other_graphs = graphs_of(*before) != graphs_of(node);
  const std::string known_as =
      node.name == before->name ? std::string(name) : state_->tree.nodes[*index].name;
  if (other_graphs) drop_subgraphs(*state_, part);
  model::write_node(part, node);
  if (other_graphs) read_subgraphs(*state_, index_of(*state_, known_as));
  state_->touch();
  return {};
} catch (const onnx::Corrupt& problem) {
  return corrupt(problem);
}

Result<std::string> Nodes::insert(const Node& node, std::string_view graph) try {
  if (auto checked = check_node(node); !checked) return fail(std::move(checked).error());
  const auto scope = find_graph(*state_, graph);
  if (!scope) return fail(scope.error());
  const std::string& prefix = state_->tree.scopes[*scope].prefix;
  std::string name = prefix + node.name;
  if (!node.name.empty() && contains(name)) return refused(fmt::format("there is a node `{}` already", name));
  for (std::size_t number = state_->tree.nodes.size();
       node.name.empty() && (name == prefix || contains(name)); ++number)
    name = fmt::format("{}{}#{}", prefix, node.op, number);
  Part part{.number = state_->tree.scopes[*scope].function
                          ? static_cast<std::uint32_t>(onnx::FunctionField::Node)
                          : static_cast<std::uint32_t>(onnx::GraphField::Node)};
  part.parts = std::make_unique<onnx::Parts>();
  model::write_node(part, node);
  onnx::Part& graph_part = *state_->tree.scopes[*scope].part;
  const auto place = graph_part.parts->insert(place_for(*state_, *scope, node), std::move(part));
  graph_part.changed = true;
  state_->tree.nodes.push_back({.name = name, .part = &*place, .scope = *scope});
  state_->touch();
  if (!graphs_of(node).empty()) read_subgraphs(*state_, state_->tree.nodes.size() - 1);
  return name;
} catch (const onnx::Corrupt& problem) {
  return corrupt(problem);
}

Result<void> Nodes::remove(std::string_view name) {
  const auto index = find_node(*state_, name);
  if (!index) return fail(index.error());
  const TreeNode node = state_->tree.nodes[*index];
  drop_subgraphs(*state_, *node.part);
  onnx::Part& graph = *state_->tree.scopes[node.scope].part;
  std::erase_if(state_->tree.nodes, [&](const TreeNode& other) { return other.part == node.part; });
  graph.parts->remove_if([&](const Part& part) { return &part == node.part; });
  graph.changed = true;
  state_->touch();
  return {};
}

Result<void> Nodes::rename(std::string_view from, std::string_view to) {
  const auto index = find_node(*state_, from);
  if (!index) return fail(index.error());
  const TreeNode node = state_->tree.nodes[*index];
  std::string name = state_->tree.scopes[node.scope].prefix + std::string(to);
  if (to.empty()) return refused("a node's new name cannot be empty");
  if (contains(name)) return refused(fmt::format("there is a node `{}` already", name));
  onnx::Parts& fields = onnx::open(*node.part, "node");
  fields.remove_if([](const Part& field) { return field.is(onnx::NodeField::Name); });
  fields.push_back(onnx::make_part(onnx::NodeField::Name, std::string(to)));
  node.part->changed = true;
  model::change_prefix(*state_, *node.part, node.name + ">", name + ">");
  state_->tree.nodes[*index].name = std::move(name);
  state_->touch();
  return {};
}

std::vector<GraphProblem> Nodes::check() const { return model::check_graphs(*state_); }

}  // namespace surefoot
