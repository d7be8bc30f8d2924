#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "model/declared_type.hpp"
#include "model/numbers.hpp"
#include "model/state.hpp"
#include "model/value_names.hpp"
#include "onnx/model_file.hpp"
#include "onnx/model_writer.hpp"
#include "onnx/onnx_proto.hpp"
#include "onnx/part_writer.hpp"

namespace surefoot {
namespace model {
namespace {

using onnx::GraphField, onnx::NodeField, onnx::Part;
using Names = std::set<std::string, std::less<>>;

constexpr std::int64_t kFirstCastWithFloat16 = 6;  // before, `to` is text
constexpr std::int64_t kFirstFreeWeights = 4;  // the IR version from which an input's default may be given

/// A weight that will be stored as float16.
struct Half {
  std::size_t index;
  Tensor value;
};

Result<void> check_opset(const State& state) {
  std::int64_t opset = 0;
  for (const OpsetImport& import : state.info.opsets)
    if (import.domain.empty() || import.domain == "ai.onnx") opset = import.version;
  if (opset >= kFirstCastWithFloat16) return {};
  return fail(
      {.code = ErrorCode::Unsupported,
       .what = opset == 0
                   ? fmt::format("{} imports no opset of ONNX itself, so no Cast", onnx::quoted(state.path))
                   : fmt::format("{} is of opset {}, and float16 weights need the Cast of opset {}",
                                 onnx::quoted(state.path), opset, kFirstCastWithFloat16),
       .hint = "convert the model to a newer opset first"});
}

std::string bare_name(const State& state, const Weight& weight) {
  return weight.at.name.substr(state.tree.scopes[weight.at.scope].prefix.size());
}

/// The names of all inputs, or of all outputs, of every graph.
Names ports(const State& state, GraphField side) {
  Names names;
  for (const onnx::Scope& scope : state.tree.scopes) {
    if (scope.part == nullptr || scope.function) continue;
    for (const Part& part : *scope.part->parts)
      if (part.is(side)) names.insert(declared_info(part).name);
  }
  return names;
}

/// Why a weight has to stay as it is, before its elements are looked at; empty where nothing is in the way.
std::string obstacle(const State& state, const Weight& weight, const Names& inputs, const Names& outputs) {
  const std::string name = bare_name(state, weight);
  if (weight.at.sparse && !weight.value()) return "it is sparse";
  if (weight.is_patched()) return "it is patched: release its patches first";
  if (outputs.contains(name)) return "it is an output";
  if (weight.at.scope == 0 && state.info.ir_version >= kFirstFreeWeights && inputs.contains(name))
    return "it is an input's default, and callers give float32";
  return {};
}

/// Rounds the elements. `reason` says which one does not fit, where one does not.
Result<Tensor> halved(const TensorView& from, HalfReport& report, std::string& reason) {
  auto made = Tensor::zeros(ElementType::Float16, Shape(from.shape.begin(), from.shape.end()));
  if (!made) return made;
  std::uint64_t flushed = 0;
  double error = 0;
  std::byte* to = made->mutable_bytes().data();
  for (std::size_t i = 0; i < from.bytes.size() / sizeof(float); ++i) {
    const auto wide = element_at<float>(from.bytes, i);
    const Float16 half(wide);
    std::memcpy(to + i * sizeof half, &half, sizeof half);
    if (!std::isfinite(wide)) continue;
    const auto back = static_cast<float>(half);
    if (std::isinf(back)) {
      reason = fmt::format("element {} is {}, beyond float16's 65504", i, wide);
      return made;
    }
    flushed += wide != 0 && back == 0;
    error = std::max(error, std::abs(static_cast<double>(wide) - static_cast<double>(back)));
  }
  report.flushed_count += flushed;
  report.largest_error = std::max(report.largest_error, error);
  return made;
}

Result<std::vector<Half>> convert_all(State& state, const HalfOptions& options, HalfReport& report) {
  const Names inputs = ports(state, GraphField::Input), outputs = ports(state, GraphField::Output);
  std::vector<Half> halves;
  for (std::size_t index = 0; index < state.weights.size(); ++index) {
    const Weight& weight = state.weights[index];
    if (weight.erased || weight.type() != ElementType::Float32) continue;
    const auto bytes = storage_bytes(ElementType::Float32, element_count(weight.shape()).value_or(0));
    if (bytes.value_or(0) < options.from_bytes || bytes == 0u) continue;
    std::string reason = obstacle(state, weight, inputs, outputs);
    if (reason.empty()) {
      const auto data = data_of(state, weight);
      if (!data) return fail(data.error());
      auto half = halved(data->view(), report, reason);
      if (!half) return fail(std::move(half).error());
      if (reason.empty()) halves.push_back({index, std::move(*half)});
    }
    if (!reason.empty()) report.kept.push_back({weight.at.name, std::move(reason)});
  }
  return halves;
}

/// Every name of a value, and every name of a node, anywhere in the model.
Names taken_names(const State& state) {
  Names names;
  for (const onnx::TreeNode& node : state.tree.nodes) names.insert(node.name);
  for (std::size_t scope = 0; scope < state.tree.scopes.size(); ++scope) {
    if (state.tree.scopes[scope].part == nullptr) continue;
    for (std::string& name : value_names(state, scope)) names.insert(std::move(name));
  }
  return names;
}

std::string new_name(Names& taken, const std::string& wanted) {
  std::string name = wanted;
  for (int number = 2; !taken.insert(name).second; ++number) name = fmt::format("{}_{}", wanted, number);
  return name;
}

Part cast_part(const std::string& node, const std::string& from, const std::string& to) {
  std::string bytes;
  onnx::Builder<NodeField> builder(bytes);
  onnx::write_node(builder, {.op = "Cast",
                             .inputs = {from},
                             .outputs = {to},
                             .attributes = {{"to", static_cast<int>(ElementType::Float32)}},
                             .name = node});
  return onnx::make_part(GraphField::Node, std::move(bytes));
}

using Renamed = std::map<std::string, std::string, std::less<>>;

/// Lets the nodes of a graph read what Casts of these weights give, and puts those before all of them.
void add_casts(State& state, std::size_t scope, const std::vector<std::string>& weights, Names& taken) {
  Renamed wide;
  for (const std::string& weight : weights) wide.emplace(weight, new_name(taken, weight + ".float32"));
  redirect_readers(state, scope, wide);
  Part& graph = *state.tree.scopes[scope].part;
  const auto place =
      std::ranges::find_if(*graph.parts, [](const Part& part) { return part.is(GraphField::Node); });
  const std::string& prefix = state.tree.scopes[scope].prefix;
  for (const std::string& weight : weights) {
    const std::string name = new_name(taken, prefix + weight + ".to_float32");
    const auto at = graph.parts->insert(place, cast_part(name.substr(prefix.size()), weight, wide[weight]));
    state.tree.nodes.push_back({.name = name, .part = &*at, .scope = scope});
  }
  graph.changed = true;
}

void apply(State& state, std::vector<Half> halves, HalfReport& report) {
  std::map<std::size_t, std::vector<std::string>> by_scope;
  for (Half& half : halves) {
    Weight& weight = state.weights[half.index];
    const std::string name = bare_name(state, weight);
    declare(state, weight.at.scope, name, half.value.type(), half.value.shape());
    report.converted.push_back(weight.at.name);
    report.bytes_saved += half.value.bytes().size();
    weight.put(std::make_shared<const Tensor>(std::move(half.value)));
    by_scope[weight.at.scope].push_back(name);
  }
  Names taken = taken_names(state);
  for (const auto& [scope, weights] : by_scope) add_casts(state, scope, weights, taken);
  state.touch();
}

}  // namespace
}  // namespace model

Result<HalfReport> Weights::to_float16(const HalfOptions& options) {
  HalfReport report;
  auto halves = model::convert_all(*state_, options, report);
  if (!halves) return fail(std::move(halves).error());
  if (halves->empty()) return report;
  if (auto checked = model::check_opset(*state_); !checked) return fail(std::move(checked).error());
  model::apply(*state_, std::move(*halves), report);
  return report;
}

}  // namespace surefoot
