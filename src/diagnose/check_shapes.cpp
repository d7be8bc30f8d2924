#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "diagnose/model_checks.hpp"

namespace surefoot::diagnose {
namespace {

using onnx::NodeOutline;
using Nodes = std::vector<const NodeOutline*>;

template <std::size_t N>
bool is_one_of(const std::string_view (&ops)[N], const NodeOutline& node) {
  return node.domain.empty() && std::ranges::find(ops, node.op) != std::end(ops);
}

constexpr std::string_view kControlFlow[] = {"If", "Loop", "Scan"};
constexpr std::string_view kDataDependent[] = {"NonZero", "NonMaxSuppression", "Unique", "Compress",
                                               "StringSplit"};
/// Their second input, or their only one, is a shape.
constexpr std::string_view kTakesShape[] = {"Reshape", "Expand", "Tile", "ConstantOfShape"};
/// Without a kernel on any GPU provider.
constexpr std::string_view kCpuOnly[] = {"StringNormalizer", "StringConcat", "StringSplit", "RegexFullMatch",
                                         "TfIdfVectorizer",  "Det",          "Unique",      "MaxUnpool",
                                         "Multinomial",      "Bernoulli"};

using Names = std::unordered_set<std::string>;

bool asks_for_shape(const NodeOutline& node) { return node.op == "Shape" || node.op == "Size"; }

bool reads_any(const NodeOutline& node, const Names& names) {
  return std::ranges::any_of(node.inputs, [&](const std::string& input) { return names.contains(input); });
}

/// The values that are computed from `starts` by something else than their shapes. The shape of a value whose
/// size depends on the data counts as data. One pass: a model's nodes stand in the order of their work.
Names values_from(const onnx::GraphOutline& outline, Names starts) {
  Names unsized;
  for (const NodeOutline& node : outline.nodes) {
    if (node.depth > 0) continue;
    const bool loses_size =
        has_data_dependent_shape(node) || (!asks_for_shape(node) && reads_any(node, unsized));
    const bool is_data = asks_for_shape(node) ? reads_any(node, unsized) : reads_any(node, starts);
    if (loses_size) unsized.insert(node.outputs.begin(), node.outputs.end());
    if (is_data) starts.insert(node.outputs.begin(), node.outputs.end());
  }
  return starts;
}

bool is_static(const onnx::GraphOutline& outline, const std::string& value) {
  const auto type = outline.types.find(value);
  return type != outline.types.end() && type->second.shape &&
         std::ranges::all_of(*type->second.shape, &Dimension::is_fixed);
}

/// The input that holds the shape which the node gives its output, or empty.
std::string shape_input(const NodeOutline& node) {
  if (!is_one_of(kTakesShape, node)) return {};
  const std::size_t at = node.op == "ConstantOfShape" ? 0 : 1;
  return node.inputs.size() > at ? node.inputs[at] : std::string();
}

bool has_unknown_shape(const NodeOutline& node, const onnx::GraphOutline& outline, const Names& data) {
  if (!node.outputs.empty() && is_static(outline, node.outputs.front())) return false;
  if (has_data_dependent_shape(node)) return true;
  const std::string shape = shape_input(node);
  return !shape.empty() && data.contains(shape);
}

/// Inputs whose first axis is free: those that take a batch.
Names batched_inputs(const ModelInfo& info) {
  Names names;
  for (const ValueInfo& input : info.inputs)
    if (input.type.shape && !input.type.shape->empty() && !input.type.shape->front().is_fixed())
      names.insert(input.name);
  return names;
}

/// The constant shape of a Reshape that fixes the first axis, or null: 0 keeps it, -1 leaves it free.
const std::vector<std::int64_t>* fixed_batch(const NodeOutline& node, const onnx::GraphOutline& outline) {
  if (!node.domain.empty() || node.op != "Reshape" || node.inputs.size() < 2) return nullptr;
  const auto constant = outline.constants.find(node.inputs[1]);
  if (constant == outline.constants.end()) return nullptr;
  const auto& sizes = constant->second.integers;
  return sizes.size() > 1 && sizes.front() > 0 ? &sizes : nullptr;
}

std::string shape_text(std::span<const std::int64_t> sizes) {
  std::string text;
  for (const std::int64_t size : sizes) text += fmt::format("{}{}", text.empty() ? "" : ",", size);
  return "[" + text + "]";
}

}  // namespace

bool has_data_dependent_shape(const NodeOutline& node) { return is_one_of(kDataDependent, node); }

void check_free_dimensions(const CheckedModel& model, Findings& findings) {
  ModelFinding finding{.topic = "dimensions",
                       .hint = "fix them where they are always the same: --dim NAME=SIZE",
                       .slug = "provider-took-no-node"};
  for (const ValueInfo& input : model.info.inputs) {
    const auto& shape = input.type.shape;
    if (input.type.kind == ValueKind::Tensor &&
        (!shape || !std::ranges::all_of(*shape, &Dimension::is_fixed)))
      finding.details.push_back(fmt::format("`{}`: {}", input.name, to_string(input.type)));
  }
  if (finding.details.empty()) return;
  finding.what =
      fmt::format("{} input{} free dimensions, which providers of static shapes (QNN, Core ML, NPUs) refuse",
                  finding.details.size(), finding.details.size() == 1 ? " has" : "s have");
  findings.push_back(std::move(finding));
}

void check_unknown_shapes(const CheckedModel& model, Findings& findings) {
  const Names data = values_from(model.outline, {model.outline.inputs.begin(), model.outline.inputs.end()});
  Nodes nodes;
  for (const NodeOutline& node : model.outline.nodes)
    if (node.depth == 0 && has_unknown_shape(node, model.outline, data)) nodes.push_back(&node);
  if (nodes.empty()) return;
  findings.push_back(
      {.severity = Severity::Warning,
       .topic = "shapes",
       .what = fmt::format("{} node{} values whose shape depends on the data, which TensorRT wants to know",
                           nodes.size(), nodes.size() == 1 ? " makes" : "s make"),
       .details = names_of(nodes),
       .hint = "run symbolic shape inference, or let another provider take these nodes",
       .slug = "tensorrt-needs-shapes"});
}

void check_frozen_batch(const CheckedModel& model, Findings& findings) {
  const Names batched = values_from(model.outline, batched_inputs(model.info));
  ModelFinding finding{.severity = Severity::Warning,
                       .topic = "batch",
                       .hint = "export the model again with the batch as a dynamic axis",
                       .slug = "reshape-size-mismatch"};
  for (const NodeOutline& node : model.outline.nodes) {
    const auto* sizes = node.depth == 0 ? fixed_batch(node, model.outline) : nullptr;
    if (sizes != nullptr && batched.contains(node.inputs.front()))
      finding.details.push_back(fmt::format("`{}` reshapes to {}", node.label(), shape_text(*sizes)));
  }
  if (finding.details.empty()) return;
  finding.what =
      fmt::format("the first axis is declared free, but {} Reshape{} it: another size fails or mixes rows",
                  finding.details.size(), finding.details.size() == 1 ? " fixes" : "s fix");
  findings.push_back(std::move(finding));
}

void check_graph_capture(const CheckedModel& model, Findings& findings) {
  Nodes nodes;
  bool branches = false;
  for (const NodeOutline& node : model.outline.nodes) {
    const bool control = is_one_of(kControlFlow, node);
    branches = branches || control;
    if (control || is_one_of(kCpuOnly, node) || has_data_dependent_shape(node) || node.domain == "ai.onnx.ml")
      nodes.push_back(&node);
  }
  if (nodes.empty()) return;
  findings.push_back(
      {.severity = Severity::Note,
       .topic = "graph capture",
       .what = fmt::format("{} node{} graph capture (CUDA graphs): control flow, CPU-only operators or "
                           "sizes that depend on the data",
                           nodes.size(), nodes.size() == 1 ? " forbids" : "s forbid"),
       .details = names_of(nodes),
       .hint = "leave graph capture off for this model",
       .slug = branches ? "graph-capture-control-flow" : "graph-capture-cpu-nodes"});
}

}  // namespace surefoot::diagnose
