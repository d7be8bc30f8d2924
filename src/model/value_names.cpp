#include "model/value_names.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "onnx/onnx_proto.hpp"

namespace surefoot::model {
namespace {

using onnx::AnnotationField, onnx::EntryField, onnx::FunctionField, onnx::GraphField, onnx::NodeField,
    onnx::Part, onnx::SparseTensorField, onnx::TensorField, onnx::ValueInfoField;

template <class Field>
constexpr std::uint32_t number_of(Field field) {
  return static_cast<std::uint32_t>(field);
}

template <class Field>
std::string_view text_in(const Part& part, Field field) {
  std::string_view text;
  onnx::each_chunk(part, [&](std::uint32_t number, std::string_view content) {
    if (number == number_of(field)) text = content;
  });
  return text;
}

template <class Field>
bool has_text(const Part& part, Field field, std::string_view text) {
  bool found = false;
  onnx::each_chunk(part, [&](std::uint32_t number, std::string_view content) {
    found = found || (number == number_of(field) && content == text);
  });
  return found;
}

template <class Field>
void change_text(Part& part, Field field, std::string_view from, std::string_view to) {
  if (!has_text(part, field, from)) return;
  for (Part& inner : onnx::open(part, "part"))
    if (inner.is(field) && inner.content == from) onnx::set_content(inner, std::string(to));
}

/// A graph's initializers have their names one or two levels down.
void change_weight_name(Part& part, std::string_view from, std::string_view to) {
  if (part.is(GraphField::Initializer)) return change_text(part, TensorField::Name, from, to);
  for (Part& inner : onnx::open(part, "sparse initializer"))
    if (inner.is(SparseTensorField::Values)) change_text(inner, TensorField::Name, from, to);
}

/// Quantization parameters name values too.
void change_annotation(Part& part, std::string_view from, std::string_view to) {
  change_text(part, AnnotationField::TensorName, from, to);
  for (Part& inner : onnx::open(part, "annotation"))
    if (inner.is(AnnotationField::Parameter)) change_text(inner, EntryField::Value, from, to);
}

std::string_view bare_name(const State& state, const Weight& weight) {
  return std::string_view(weight.at.name).substr(state.tree.scopes[weight.at.scope].prefix.size());
}

bool is_node(const State& state, std::size_t scope, const Part& part) {
  return state.tree.scopes[scope].function ? part.is(FunctionField::Node) : part.is(GraphField::Node);
}

/// A function's inputs and outputs are bare names; a graph's have types.
bool is_port(const State& state, std::size_t scope, const Part& part, bool output, std::string_view name) {
  if (state.tree.scopes[scope].function)
    return part.is(output ? FunctionField::Output : FunctionField::Input) && part.content == name;
  return part.is(output ? GraphField::Output : GraphField::Input) &&
         text_in(part, ValueInfoField::Name) == name;
}

void rename_in(State& state, std::size_t scope, std::string_view from, std::string_view to, bool owner) {
  for (Part& part : *state.tree.scopes[scope].part->parts) {
    if (is_node(state, scope, part)) {
      change_text(part, NodeField::Input, from, to);
      if (owner) change_text(part, NodeField::Output, from, to);
    } else if (state.tree.scopes[scope].function) {
      const bool port = part.is(FunctionField::Input) || part.is(FunctionField::Output);
      if (port && part.content == from) onnx::set_content(part, std::string(to));
    } else if (part.is(GraphField::Output) || part.is(GraphField::Input) || part.is(GraphField::ValueInfo)) {
      if (owner || part.is(GraphField::Output)) change_text(part, ValueInfoField::Name, from, to);
    } else if (part.is(GraphField::QuantizationAnnotation)) {
      change_annotation(part, from, to);
    }
  }
}

void redirect_inputs(Part& node, const std::map<std::string, std::string, std::less<>>& to) {
  bool reads = false;
  onnx::each_chunk(node, [&](std::uint32_t number, std::string_view content) {
    reads = reads || (number == number_of(NodeField::Input) && to.contains(content));
  });
  if (!reads) return;
  for (Part& field : onnx::open(node, "node"))
    if (const auto at = to.find(field.content); field.is(NodeField::Input) && at != to.end())
      onnx::set_content(field, at->second);
}

}  // namespace

bool gives(const State& state, std::size_t scope, std::string_view name) {
  for (const Weight& weight : state.weights)
    if (!weight.erased && weight.at.scope == scope && bare_name(state, weight) == name) return true;
  for (const Part& part : *state.tree.scopes[scope].part->parts) {
    if (is_node(state, scope, part) && has_text(part, NodeField::Output, name)) return true;
    if (is_port(state, scope, part, false, name)) return true;
  }
  return false;
}

std::vector<std::size_t> scopes_that_see(const State& state, std::size_t scope, std::string_view name) {
  std::vector<std::size_t> seen = {scope};
  // An inner graph comes after the one that it stands in.
  for (std::size_t inner = scope + 1; inner < state.tree.scopes.size(); ++inner) {
    const auto parent = state.tree.scopes[inner].parent;
    const bool inside = parent && std::ranges::find(seen, *parent) != seen.end();
    if (inside && state.tree.scopes[inner].part != nullptr && !gives(state, inner, name))
      seen.push_back(inner);
  }
  return seen;
}

std::optional<std::string> user_of(const State& state, std::size_t scope, std::string_view name) {
  for (const std::size_t seen : scopes_that_see(state, scope, name)) {
    for (const onnx::TreeNode& node : state.tree.nodes)
      if (node.scope == seen && node.part != nullptr && has_text(*node.part, NodeField::Input, name))
        return fmt::format("node `{}` reads it", node.name);
    for (const Part& part : *state.tree.scopes[seen].part->parts)
      if (is_port(state, seen, part, true, name)) return "it is an output";
  }
  return std::nullopt;
}

std::vector<std::string> value_names(const State& state, std::size_t scope) {
  std::vector<std::string> names;
  for (const Weight& weight : state.weights)
    if (!weight.erased && weight.at.scope == scope) names.emplace_back(bare_name(state, weight));
  for (const Part& part : *state.tree.scopes[scope].part->parts) {
    if (part.is(GraphField::Input) && !state.tree.scopes[scope].function)
      names.emplace_back(text_in(part, ValueInfoField::Name));
    if (is_node(state, scope, part))
      onnx::each_chunk(part, [&](std::uint32_t number, std::string_view content) {
        if (number == number_of(NodeField::Output) && !content.empty()) names.emplace_back(content);
      });
  }
  return names;
}

void redirect_readers(State& state, std::size_t scope, std::map<std::string, std::string, std::less<>> to) {
  for (Part& part : *state.tree.scopes[scope].part->parts)
    if (is_node(state, scope, part)) redirect_inputs(part, to);
  for (std::size_t inner = scope + 1; inner < state.tree.scopes.size(); ++inner) {
    if (state.tree.scopes[inner].parent != scope || state.tree.scopes[inner].part == nullptr) continue;
    auto seen = to;
    for (const std::string& name : value_names(state, inner)) seen.erase(name);
    redirect_readers(state, inner, std::move(seen));
  }
}

Result<void> rename_value(State& state, std::size_t scope, std::string_view from, std::string_view to) {
  if (to.empty()) return fail({.code = ErrorCode::InvalidArgument, .what = "a value's name cannot be empty"});
  const auto scopes = scopes_that_see(state, scope, from);
  for (const std::size_t seen : scopes)
    if (gives(state, seen, to) || user_of(state, seen, to))
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("`{}` cannot be called `{}`: that name is taken", from, to),
                   .hint = "choose another name"});
  for (const std::size_t seen : scopes) rename_in(state, seen, from, to, seen == scope);
  for (Weight& weight : state.weights) {
    if (weight.erased || weight.at.scope != scope || bare_name(state, weight) != from) continue;
    change_weight_name(*weight.at.part, from, to);
    if (weight.sparse_part != nullptr) change_weight_name(*weight.sparse_part, from, to);
    const std::size_t index = state.by_name.extract(weight.at.name).mapped();
    weight.at.name = state.tree.scopes[scope].prefix + std::string(to);
    state.by_name.emplace(weight.at.name, index);
  }
  state.touch();
  return {};
}

}  // namespace surefoot::model
