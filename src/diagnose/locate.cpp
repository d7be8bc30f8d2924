#include <fmt/format.h>

#include <algorithm>

#include "surefoot/compare.hpp"
#include "surefoot/model.hpp"

namespace surefoot {
namespace {

constexpr std::size_t kBatch = 16;

/// A value that a node of the main graph gives.
struct InnerValue {
  std::string name, node, op;
};

Result<std::vector<InnerValue>> inner_values(const Model& model) {
  std::vector<InnerValue> values;
  for (const std::string& name : model.nodes().names()) {
    if (name.find('>') != name.npos) continue;  // inside a subgraph: no output of the main graph
    auto node = model.nodes().get(name);
    if (!node) return fail(std::move(node).error());
    for (const std::string& output : node->outputs)
      if (!output.empty()) values.push_back({output, name, node->op});
  }
  return values;
}

std::vector<std::string> names_of(std::span<const InnerValue> values) {
  std::vector<std::string> names;
  for (const InnerValue& value : values) names.push_back(value.name);
  return names;
}

/// The model with these values as outputs, run with these options.
Result<Outputs> run_with_outputs(const LocateRequest& request, const SessionOptions& options,
                                 const std::vector<std::string>& values) {
  auto model = Model::open(request.model);
  if (!model) return fail(std::move(model).error());
  const auto outputs = model->interface().outputs();
  for (const std::string& value : values)
    if (std::ranges::find(outputs, value, &ValueInfo::name) == outputs.end())
      if (auto added = model->interface().add_output(value); !added) return fail(std::move(added).error());
  if (auto created = model->create_session(options); !created) return fail(std::move(created).error());
  return model->infer(request.inputs, {.outputs = values});
}

/// The place of the first of these values that differs, and how.
using Found = std::optional<std::pair<std::size_t, TensorDifference>>;

Result<Found> first_that_differs(const LocateRequest& request, std::span<const InnerValue> values) {
  const auto names = names_of(values);
  auto one = run_with_outputs(request, request.one, names);
  if (!one) return fail(std::move(one).error());
  auto other = run_with_outputs(request, request.other, names);
  if (!other) return fail(std::move(other).error());
  for (std::size_t i = 0; i < values.size(); ++i)
    for (NamedDifference& part : difference_of(names[i], (*one)[i], (*other)[i], request.tolerance))
      if (!part.difference.within()) return Found({i, std::move(part.difference)});
  return Found();
}

/// Up to kBatch places spread over [begin, end), the last one among them.
std::vector<std::size_t> spread(std::size_t begin, std::size_t end) {
  const std::size_t count = std::min(kBatch, end - begin);
  std::vector<std::size_t> places;
  for (std::size_t i = 1; i <= count; ++i) places.push_back(begin + (end - begin) * i / count - 1);
  return places;
}

InputRange range_of(const std::string& name, const TensorView& tensor) {
  ValueType type{.element = tensor.type, .shape = std::vector<Dimension>()};
  for (const std::int64_t size : tensor.shape) type.shape->push_back({.size = size});
  InputRange range{.name = name, .type = to_string(type)};
  if (const auto numbers = statistics(tensor)) {
    range.nan_count = numbers->nan_count;
    if (numbers->count > numbers->nan_count) range.least = numbers->least, range.most = numbers->most;
  }
  return range;
}

/// An input's range: of a weight, of what the caller gave, or as the second session computes it.
InputRange input_range(const LocateRequest& request, const Model& model, const std::string& name) {
  if (model.weights().contains(name)) {
    auto weight = model.weights().get(name);
    return weight ? range_of(name, weight->view()) : InputRange{.name = name};
  }
  const auto given = std::ranges::find(request.inputs, std::string_view(name), &Input::name);
  if (given != request.inputs.end())
    return given->value == nullptr ? range_of(name, given->tensor) : InputRange{.name = name};
  auto computed = run_with_outputs(request, request.other, {name});
  const Tensor* tensor = computed ? (*computed)[0].tensor() : nullptr;
  return tensor == nullptr ? InputRange{.name = name} : range_of(name, tensor->view());
}

Result<Departure> describe(const LocateRequest& request, const Model& model, const InnerValue& value,
                           TensorDifference difference) {
  Departure departure{
      .value = value.name, .node = value.node, .op = value.op, .difference = std::move(difference)};
  auto node = model.nodes().get(value.node);
  if (!node) return fail(std::move(node).error());
  for (const std::string& input : node->inputs)
    if (!input.empty()) departure.inputs.push_back(input_range(request, model, input));
  return departure;
}

}  // namespace

Result<Location> locate_departure(const LocateRequest& request) {
  auto model = Model::open(request.model);
  if (!model) return fail(std::move(model).error());
  auto values = inner_values(*model);
  if (!values) return fail(std::move(values).error());
  Location location{.values = values->size()};
  std::optional<std::pair<std::size_t, TensorDifference>> found;
  for (std::size_t begin = 0, end = values->size(); begin < end;) {
    const auto places = spread(begin, end);
    std::vector<InnerValue> batch;
    for (const std::size_t place : places) batch.push_back((*values)[place]);
    location.looked_at += batch.size();
    auto first = first_that_differs(request, batch);
    if (!first) return fail(std::move(first).error());
    if (!*first) break;
    const std::size_t at = (*first)->first;
    found = {places[at], std::move((*first)->second)};
    end = places[at];
    begin = at == 0 ? begin : places[at - 1] + 1;
  }
  if (!found) return location;
  auto departure = describe(request, *model, (*values)[found->first], std::move(found->second));
  if (!departure) return fail(std::move(departure).error());
  location.departure = std::move(*departure);
  return location;
}

}  // namespace surefoot
