#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/differences.hpp"
#include "model/node_codec.hpp"
#include "onnx/onnx_proto.hpp"

namespace surefoot::model {
namespace {

using Area = Difference::Area;
using Kind = Difference::Kind;

/// A node with what both models know it by.
struct Entry {
  std::string name;      ///< as Nodes names it
  std::string key;       ///< scope and first output; empty without output
  std::string name_key;  ///< scope and the name that it states; empty without name
  Node node;
  bool matched = false;
};

const std::string* first_output(const Node& node) {
  const auto at = std::ranges::find_if(node.outputs, [](const std::string& name) { return !name.empty(); });
  return at == node.outputs.end() ? nullptr : &*at;
}

Result<std::vector<Entry>> entries_of(const State& state) {
  const std::vector<std::string> scopes = scope_keys(state);
  std::vector<Entry> entries;
  for (const onnx::TreeNode& at : state.tree.nodes) {
    auto node = read_node(*at.part);
    if (!node) return fail(std::move(node).error().while_doing(fmt::format("reading node `{}`", at.name)));
    Entry entry{.name = at.name, .key = {}, .name_key = {}, .node = {}};
    if (const std::string* output = first_output(*node)) entry.key = scopes[at.scope] + *output;
    if (!node->name.empty()) entry.name_key = scopes[at.scope] + node->name;
    entry.node = std::move(*node);
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::string op_of(const Node& node) {
  const bool own = node.domain.empty() || node.domain == "ai.onnx";
  return own ? node.op : node.domain + "." + node.op;
}

std::string text_of(const Node& node) {
  return fmt::format("{}({}) -> {}", op_of(node), fmt::join(node.inputs, ", "),
                     fmt::join(node.outputs, ", "));
}

/// A value as it is shown; long ones are cut off.
struct ValueText {
  const NodeAttribute& attribute;

  std::string operator()(const std::shared_ptr<const Tensor>& tensor) const {
    return std::string(to_string(tensor->type())) + to_string(tensor->shape());
  }
  std::string operator()(const NodeAttribute::Encoded&) const {
    return std::string(to_string(attribute.kind));
  }
  std::string operator()(const std::string& text) const { return fmt::format("\"{}\"", text); }
  template <class T>
  std::string operator()(const std::vector<T>& values) const {
    return fmt::format("[{}]", fmt::join(values, ","));
  }
  template <class T>
  std::string operator()(T value) const {
    return fmt::format("{}", value);
  }
};

std::string text_of(const NodeAttribute& attribute) {
  if (!attribute.reference.empty()) return "attribute of the function: " + attribute.reference;
  constexpr std::size_t kMost = 100;
  std::string text = std::visit(ValueText{attribute}, attribute.value);
  return text.size() <= kMost ? text : text.substr(0, kMost) + "…";
}

/// The graphs of both are compared node by node elsewhere.
bool same(const NodeAttribute& a, const NodeAttribute& b) {
  return (holds_graph(a) && holds_graph(b)) || attribute_bytes(a) == attribute_bytes(b);
}

class NodeComparison {
 public:
  NodeComparison(const Entry& from, const Entry& to, std::vector<Difference>& found)
      : from_(from.node), to_(to.node), name_(to.name), found_(found) {}

  void run() {
    changed("op", op_of(from_), op_of(to_));
    changed("inputs", joined(from_.inputs), joined(to_.inputs));
    changed("outputs", joined(from_.outputs), joined(to_.outputs));
    for (const NodeAttribute& attribute : from_.attributes) {
      const NodeAttribute* other = to_.find(attribute.name);
      if (other == nullptr)
        add(field_of(attribute), text_of(attribute), "none");
      else if (!same(attribute, *other))
        add(field_of(attribute), text_of(attribute), after_text(attribute, *other));
    }
    for (const NodeAttribute& attribute : to_.attributes)
      if (from_.find(attribute.name) == nullptr) add(field_of(attribute), "none", text_of(attribute));
  }

 private:
  static std::string joined(const std::vector<std::string>& names) {
    return fmt::format("{}", fmt::join(names, ", "));
  }
  static std::string field_of(const NodeAttribute& attribute) {
    return fmt::format("attribute `{}`", attribute.name);
  }
  static std::string after_text(const NodeAttribute& before, const NodeAttribute& after) {
    std::string text = text_of(after);
    return text == text_of(before) ? text + " with other content" : text;
  }
  void changed(std::string field, std::string before, std::string after) {
    if (before != after) add(std::move(field), std::move(before), std::move(after));
  }
  void add(std::string field, std::string before, std::string after) {
    found_.push_back(
        {Area::Node, Kind::Changed, name_, std::move(field), std::move(before), std::move(after)});
  }

  const Node& from_;
  const Node& to_;
  const std::string& name_;
  std::vector<Difference>& found_;
};

using Index = std::map<std::string, Entry*>;

Index index_of(std::vector<Entry>& entries, std::string Entry::*key) {
  Index index;
  for (Entry& entry : entries)
    if (!entry.matched && !(entry.*key).empty()) index.emplace(entry.*key, &entry);
  return index;
}

/// Pairs what goes by the same key in both, as long as both are free.
void match(std::vector<Entry>& from, std::vector<Entry>& to, std::string Entry::*key,
           std::map<const Entry*, const Entry*>& pairs) {
  const Index others = index_of(to, key);
  for (Entry& entry : from) {
    const auto at = others.find(entry.*key);
    if (entry.matched || at == others.end() || at->second->matched) continue;
    entry.matched = at->second->matched = true;
    pairs.emplace(&entry, at->second);
  }
}

std::string signature_of(const onnx::Part& function) {
  std::string inputs, outputs, attributes;
  for (const onnx::Part& field : *function.parts) {
    std::string* list = field.is(onnx::FunctionField::Input)       ? &inputs
                        : field.is(onnx::FunctionField::Output)    ? &outputs
                        : field.is(onnx::FunctionField::Attribute) ? &attributes
                                                                   : nullptr;
    if (list != nullptr) *list += (list->empty() ? "" : ", ") + std::string(field.content);
  }
  return fmt::format("({}){} -> {}", inputs, attributes.empty() ? "" : fmt::format(" [{}]", attributes),
                     outputs);
}

std::map<std::string, std::string> signatures(const State& state) {
  std::map<std::string, std::string> found;
  for (const onnx::Scope& scope : state.tree.scopes)
    if (scope.function && scope.part != nullptr)
      found.emplace(scope.prefix.substr(0, scope.prefix.size() - 3), signature_of(*scope.part));  // "()>"
  return found;
}

/// The node that a subgraph stands in: of the parent's nodes the one whose name leads its path.
const onnx::TreeNode* owner_of(const State& state, const onnx::Scope& scope) {
  const onnx::TreeNode* owner = nullptr;
  for (const onnx::TreeNode& node : state.tree.nodes) {
    const bool leads = node.scope == *scope.parent && scope.prefix.starts_with(node.name + ">");
    if (leads && (owner == nullptr || node.name.size() > owner->name.size())) owner = &node;
  }
  return owner;
}

}  // namespace

std::vector<std::string> scope_keys(const State& state) {
  std::vector<std::string> keys;
  // An inner graph comes after the one that it stands in.
  for (const onnx::Scope& scope : state.tree.scopes) {
    keys.push_back(scope.prefix);
    if (scope.part == nullptr || !scope.parent) continue;
    const onnx::TreeNode* owner = owner_of(state, scope);
    const auto node = owner == nullptr ? Result<Node>(Node()) : read_node(*owner->part);
    const std::string* output = node ? first_output(*node) : nullptr;
    if (output != nullptr)
      keys.back() = keys[*scope.parent] + *output + scope.prefix.substr(owner->name.size());
  }
  return keys;
}

void add_function_differences(const State& from, const State& to, std::vector<Difference>& found) {
  const auto before = signatures(from), after = signatures(to);
  for (const auto& [name, text] : before) {
    const auto at = after.find(name);
    if (at == after.end())
      found.push_back({Area::Function, Kind::Removed, name, "", text});
    else if (at->second != text)
      found.push_back({Area::Function, Kind::Changed, name, "signature", text, at->second});
  }
  for (const auto& [name, text] : after)
    if (!before.contains(name)) found.push_back({Area::Function, Kind::Added, name, "", "", text});
}

Result<void> add_node_differences(const State& from, const State& to, std::vector<Difference>& found) {
  auto before = entries_of(from);
  if (!before) return fail(std::move(before).error());
  auto after = entries_of(to);
  if (!after) return fail(std::move(after).error());
  std::map<const Entry*, const Entry*> pairs;
  match(*before, *after, &Entry::key, pairs);
  match(*before, *after, &Entry::name_key, pairs);
  for (const Entry& entry : *before)
    if (!entry.matched)
      found.push_back({Area::Node, Kind::Removed, entry.name, "", text_of(entry.node)});
    else
      NodeComparison(entry, *pairs.at(&entry), found).run();
  for (const Entry& entry : *after)
    if (!entry.matched) found.push_back({Area::Node, Kind::Added, entry.name, "", "", text_of(entry.node)});
  return {};
}

}  // namespace surefoot::model
