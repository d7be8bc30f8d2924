#include "surefoot/model_interface.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "error/suggest.hpp"
#include "model/declared_type.hpp"
#include "model/dimensions.hpp"
#include "model/state.hpp"
#include "model/value_names.hpp"
#include "onnx/model_file.hpp"
#include "onnx/onnx_proto.hpp"
#include "onnx/part_writer.hpp"

namespace surefoot {
namespace {

using model::State;
using onnx::GraphField, onnx::Part;

std::vector<ValueInfo> ports(State& state, GraphField side) {
  std::vector<ValueInfo> found;
  for (const Part& part : *state.graph().parts)
    if (part.is(side)) found.push_back(model::declared_info(part));
  return found;
}

/// All axes that have a name, of inputs and outputs, for suggestions.
std::vector<std::string> axis_names(State& state, std::string Dimension::*field) {
  std::vector<std::string> names;
  for (const GraphField side : {GraphField::Input, GraphField::Output})
    for (const ValueInfo& info : ports(state, side))
      for (const Dimension& axis : info.type.shape.value_or(std::vector<Dimension>()))
        if (!(axis.*field).empty() && std::ranges::find(names, axis.*field) == names.end())
          names.push_back(axis.*field);
  return names;
}

/// What is to be fixed: by which of its two kinds of name.
struct Named {
  std::string_view name;
  std::string Dimension::*field;
  std::string_view word;
};

Result<void> fix_axes(State& state, const Named& wanted, std::int64_t size) {
  if (size < 0)
    return fail(
        {.code = ErrorCode::InvalidArgument,
         .what = fmt::format("{} `{}` is set to {}, a size is wanted", wanted.word, wanted.name, size)});
  const std::vector<std::string> names = axis_names(state, wanted.field);
  if (std::ranges::find(names, wanted.name) == names.end())
    return fail({.code = ErrorCode::NotFound,
                 .what = fmt::format("the model has no {} `{}`", wanted.word, wanted.name),
                 .hint = suggestion(wanted.name, names)});
  const bool by_name = wanted.field == &Dimension::name;
  for (Part& part : *state.graph().parts) {
    if (!part.is(GraphField::Input) && !part.is(GraphField::Output) && !part.is(GraphField::ValueInfo))
      continue;
    model::each_dimension(part, [&](Part& axis) {
      if (by_name ? model::has_symbol(axis, wanted.name) : model::has_denotation(axis, wanted.name))
        model::change_size(axis, {.size = size});
    });
  }
  state.touch();
  return {};
}

/// The input or output of that name, or null.
Part* find_port(State& state, std::string_view name) {
  for (Part& part : *state.graph().parts)
    if ((part.is(GraphField::Input) || part.is(GraphField::Output)) &&
        model::declared_info(part).name == name)
      return &part;
  return nullptr;
}

Failure no_port(State& state, std::string_view name, std::string_view word) {
  std::vector<std::string> names;
  for (const GraphField side : {GraphField::Input, GraphField::Output})
    for (ValueInfo& info : ports(state, side))
      if (side == GraphField::Output || word != "output") names.push_back(std::move(info.name));
  return fail({.code = ErrorCode::NotFound,
               .what = fmt::format("{} has no {} `{}`", onnx::quoted(state.path), word, name),
               .hint = suggestion(name, names)});
}

void drop_inner_types(State& state) {
  state.graph().parts->remove_if([](const Part& part) { return part.is(GraphField::ValueInfo); });
  state.graph().changed = true;
}

/// The type that the file states for a value of the main graph.
std::optional<ValueType> stated_type(State& state, std::string_view name) {
  for (const Part& part : *state.graph().parts)
    if (model::declares(part, name)) return model::declared_info(part).type;
  const auto weight = state.by_name.find(std::string(name));
  if (weight == state.by_name.end()) return std::nullopt;
  ValueType type{.element = state.weights[weight->second].type(), .shape = std::vector<Dimension>()};
  for (const std::int64_t size : state.weights[weight->second].shape()) type.shape->push_back({.size = size});
  return type;
}

}  // namespace

std::vector<ValueInfo> ModelInterface::inputs() const { return ports(*state_, GraphField::Input); }
std::vector<ValueInfo> ModelInterface::outputs() const { return ports(*state_, GraphField::Output); }

Result<void> ModelInterface::rename(std::string_view from, std::string_view to) {
  if (!model::gives(*state_, 0, from)) {
    const auto names = model::value_names(*state_, 0);
    return fail({.code = ErrorCode::NotFound,
                 .what = fmt::format("{} has no value `{}`", onnx::quoted(state_->path), from),
                 .hint = suggestion(from, names)});
  }
  return model::rename_value(*state_, 0, from, to);
}

Result<void> ModelInterface::fix(std::string_view dimension, std::int64_t size) {
  return fix_axes(*state_, {dimension, &Dimension::name, "free dimension"}, size);
}

Result<void> ModelInterface::fix_denotation(std::string_view denotation, std::int64_t size) {
  return fix_axes(*state_, {denotation, &Dimension::denotation, "denotation"}, size);
}

Result<void> ModelInterface::set_axis(std::string_view port, std::size_t axis, const Dimension& dimension) {
  Part* part = find_port(*state_, port);
  if (part == nullptr) return no_port(*state_, port, "input or output");
  const auto shape = model::declared_info(*part).type.shape;
  if (!shape || axis >= shape->size())
    return fail(
        {.code = ErrorCode::InvalidArgument,
         .what = fmt::format("`{}` has {}, so no axis {}", port,
                             shape ? fmt::format("{} axes", shape->size()) : "no stated shape", axis)});
  std::size_t place = 0;
  model::each_dimension(*part, [&](Part& found) {
    if (place++ == axis) model::change_size(found, dimension);
  });
  if (!dimension.is_fixed()) drop_inner_types(*state_);
  state_->touch();
  return {};
}

Result<void> ModelInterface::add_output(std::string_view value, const std::optional<ValueType>& type) {
  if (!model::gives(*state_, 0, value))
    return fail({.code = ErrorCode::NotFound,
                 .what = fmt::format("{} has no value `{}`", onnx::quoted(state_->path), value),
                 .hint = suggestion(value, model::value_names(*state_, 0))});
  for (const ValueInfo& output : outputs())
    if (output.name == value)
      return fail(
          {.code = ErrorCode::InvalidArgument, .what = fmt::format("`{}` is an output already", value)});
  const std::optional<ValueType> stated = type ? type : stated_type(*state_, value);
  std::string bytes;
  onnx::Builder<onnx::ValueInfoField> builder(bytes);
  onnx::write_value_info(builder, value, stated ? &*stated : nullptr);
  state_->graph().parts->push_back(onnx::make_part(GraphField::Output, std::move(bytes)));
  state_->graph().changed = true;
  state_->touch();
  return {};
}

Result<void> ModelInterface::remove_output(std::string_view name) {
  const std::vector<ValueInfo> all = outputs();
  if (std::ranges::find(all, name, &ValueInfo::name) == all.end()) return no_port(*state_, name, "output");
  if (all.size() == 1)
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("`{}` is the only output, and a model needs one", name)});
  state_->graph().parts->remove_if([&](const Part& part) {
    return part.is(GraphField::Output) && model::declared_info(part).name == name;
  });
  state_->graph().changed = true;
  state_->touch();
  return {};
}

}  // namespace surefoot
