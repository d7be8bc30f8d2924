#include <fmt/format.h>

#include <charconv>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/input/input_spec.hpp"
#include "apps/cli/talk.hpp"
#include "surefoot/model.hpp"

namespace surefoot::cli {
namespace {

constexpr Flag kEditFlags[] = {
    {.name = "output",
     .letter = 'o',
     .value = "OUT",
     .help = "the file to write",
     .completion = Completion::File},
    {.name = "set",
     .value = "NAME=FILE",
     .help = "give a weight another value of its type and shape",
     .details = "FILE as for `run --input`: .npy, `file.npz:member`, .json, a literal, zeros, ones, random.",
     .repeats = true,
     .completion = Completion::File},
    {.name = "replace",
     .value = "NAME=FILE",
     .help = "give a weight a value of any type and shape",
     .repeats = true,
     .completion = Completion::File},
    {.name = "erase", .value = "NAME", .help = "take out a weight that nothing reads", .repeats = true},
    {.name = "rename",
     .value = "OLD=NEW",
     .help = "rename a weight, input, output or inner value",
     .repeats = true},
    {.name = "fix-dim", .value = "NAME=SIZE", .help = "give a free dimension a fixed size", .repeats = true},
    {.name = "free-dim",
     .value = "PORT:AXIS=NAME",
     .help = "make an axis of an input or output free",
     .details = "AXIS counts from 0; an empty NAME leaves the axis without one: `--free-dim x:0=batch`.",
     .repeats = true},
    {.name = "add-output", .value = "VALUE", .help = "make an inner value an output", .repeats = true},
    {.name = "remove-output", .value = "NAME", .help = "take out an output", .repeats = true},
    {.name = "to-fp16-weights",
     .help = "store float32 weights as float16, read through a Cast",
     .details = "Those under 1 kB stay, and those with an element that float16 cannot hold: they are named."},
    {.name = "to-external",
     .value = "SIZE",
     .help = "put weights of at least SIZE (1MB, 64kB, 0) into files beside it"},
    {.name = "file-per-weight", .help = "with --to-external: a file a weight, instead of one file"},
    {.name = "to-internal", .help = "put all weights into the model's own file"},
};

/// "1MB", "64 kB", "100": decimal units.
Result<std::uint64_t> size_from(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  std::uint64_t factor = 0;
  for (const auto& [name, size] : {std::pair<std::string_view, std::uint64_t>{"", 1},
                                   {"B", 1},
                                   {"kB", 1000},
                                   {"KB", 1000},
                                   {"MB", 1'000'000},
                                   {"GB", 1'000'000'000}})
    if (unit == name) factor = size;
  if (problem == std::errc() && factor != 0 && number <= UINT64_MAX / factor) return number * factor;
  return fail({.code = ErrorCode::InvalidArgument,
               .what = fmt::format("`--to-external {}`: a size is wanted", text),
               .hint = "write it as 1MB, 64kB or 0"});
}

/// The weights as what a value may be read for.
std::vector<ValueInfo> declared_weights(const Weights& weights) {
  std::vector<ValueInfo> declared;
  for (const WeightInfo& weight : weights.items()) {
    ValueType type{.element = weight.type, .shape = std::vector<Dimension>()};
    for (const std::int64_t size : weight.shape) type.shape->push_back({.size = size});
    declared.push_back({.name = weight.name, .type = std::move(type)});
  }
  return declared;
}

/// What `NAME=FILE` says. A name that no weight has is said in the words of weights.
Result<NamedValue> read_value(const Weights& weights, const std::string& argument) {
  const std::vector<ValueInfo> declared = declared_weights(weights);
  const bool known = std::ranges::any_of(
      declared, [&](const ValueInfo& info) { return argument.starts_with(info.name + "="); });
  if (!known)
    if (auto info = weights.info(argument.substr(0, argument.find('='))); !info)
      return fail(std::move(info).error());
  auto values = read_input(argument, declared);
  if (!values) return fail(std::move(values).error());
  return std::move(values->front());
}

Result<void> set_weight(Model& model, const std::string& argument, bool any_type) {
  Weights weights = model.weights();
  auto value = read_value(weights, argument);
  if (!value) return fail(std::move(value).error());
  const Tensor* tensor = value->value.tensor();
  if (tensor == nullptr)
    return fail({.code = ErrorCode::InvalidInput,
                 .what = fmt::format("the value for `{}` is no tensor", value->name)});
  auto copy = tensor->clone();
  if (!copy) return fail(std::move(copy).error());
  auto done =
      any_type ? weights.replace(value->name, std::move(*copy)) : weights.set(value->name, std::move(*copy));
  if (!done && !any_type && done.error().code == ErrorCode::InvalidArgument) {
    Error error = std::move(done).error();
    error.hint = fmt::format("use `--replace {}`", argument);
    return fail(std::move(error));
  }
  return done;
}

Result<void> fix_dimensions(Model& model, const Parsed& parsed) {
  const auto pairs = parsed.pairs("fix-dim");
  if (!pairs) return fail(pairs.error());
  for (const auto& [name, text] : *pairs) {
    std::int64_t size = -1;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), size);
    if (problem != std::errc() || end != text.data() + text.size())
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("`--fix-dim {}={}`: a whole number is wanted", name, text)});
    auto done = model.interface().fix(name, size);
    if (!done && done.error().code == ErrorCode::NotFound)
      if (model.interface().fix_denotation(name, size)) continue;
    if (!done) return done;
  }
  return {};
}

Result<void> free_dimensions(Model& model, const Parsed& parsed) {
  const auto pairs = parsed.pairs("free-dim");
  if (!pairs) return fail(pairs.error());
  for (const auto& [place, name] : *pairs) {
    const std::size_t colon = std::min(place.rfind(':'), place.size());
    std::size_t axis = 0;
    const char* const end_of_place = place.data() + place.size();
    const auto [end, problem] =
        std::from_chars(place.data() + std::min(colon + 1, place.size()), end_of_place, axis);
    if (problem != std::errc() || end != end_of_place)
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("`--free-dim {}={}`: `PORT:AXIS=NAME` is wanted", place, name)});
    if (auto done = model.interface().set_axis(place.substr(0, colon), axis, {.name = name}); !done)
      return done;
  }
  return {};
}

Result<void> rename_values(Model& model, const Parsed& parsed) {
  const auto pairs = parsed.pairs("rename");
  if (!pairs) return fail(pairs.error());
  for (const auto& [from, to] : *pairs) {
    Weights weights = model.weights();
    auto done = weights.contains(from) ? weights.rename(from, to) : model.interface().rename(from, to);
    if (!done) return done;
  }
  return {};
}

bool states_type(const Model& model, std::string_view output) {
  const std::vector<ValueInfo> outputs = model.interface().outputs();
  const auto at = std::ranges::find(outputs, output, &ValueInfo::name);
  if (at == outputs.end() || at->type.kind == ValueKind::None) return false;
  return at->type.kind != ValueKind::Tensor || at->type.shape;
}

/// Where the file states no type ONNX Runtime is asked; without it the output is written all the same.
Result<void> add_output(Model& model, const std::string& name) {
  if (auto done = model.interface().add_output(name); !done || states_type(model, name)) return done;
  const auto type = model.infer_type(name);
  if (!type) {
    say(fmt::format("output `{}` is written without a type, which onnx's checker wants: {}\n", name,
                    type.error().what));
    return {};
  }
  if (auto done = model.interface().remove_output(name); !done) return done;
  return model.interface().add_output(name, *type);
}

Result<void> change_outputs(Model& model, const Parsed& parsed) {
  for (const std::string& name : parsed.values("add-output"))
    if (auto done = add_output(model, name); !done) return done;
  for (const std::string& name : parsed.values("remove-output"))
    if (auto done = model.interface().remove_output(name); !done) return done;
  return {};
}

Result<void> change_weights(Model& model, const Parsed& parsed) {
  for (const std::string& argument : parsed.values("set"))
    if (auto done = set_weight(model, argument, false); !done) return done;
  for (const std::string& argument : parsed.values("replace"))
    if (auto done = set_weight(model, argument, true); !done) return done;
  for (const std::string& name : parsed.values("erase"))
    if (auto done = model.weights().erase(name); !done) return done;
  return {};
}

/// What was converted, and what was not and why.
void tell(const HalfReport& report) {
  say(fmt::format("stored as float16: {} weights, {} bytes less, elements differ by at most {:.3g}\n",
                  report.converted.size(), report.bytes_saved, report.largest_error));
  if (report.flushed_count > 0) say(fmt::format("  {} elements became zero\n", report.flushed_count));
  for (const HalfReport::Kept& kept : report.kept)
    say(fmt::format("  `{}` stays float32: {}\n", kept.name, kept.reason));
}

nlohmann::ordered_json json_of(const HalfReport& report) {
  nlohmann::ordered_json json = {{"converted", report.converted},
                                 {"kept", nlohmann::ordered_json::array()},
                                 {"bytes_saved", report.bytes_saved},
                                 {"flushed", report.flushed_count},
                                 {"largest_error", report.largest_error}};
  for (const HalfReport::Kept& kept : report.kept)
    json["kept"].push_back({{"name", kept.name}, {"reason", kept.reason}});
  return json;
}

Result<SaveOptions> save_options(const Parsed& parsed) {
  SaveOptions options{.one_file = !parsed.has("file-per-weight")};
  if (parsed.has("to-external") && parsed.has("to-internal"))
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = "`--to-external` and `--to-internal` contradict each other"});
  if (parsed.has("to-internal")) options.placement = WeightPlacement::Inside;
  if (!parsed.has("to-external")) return options;
  const auto size = size_from(parsed.value("to-external"));
  if (!size) return fail(size.error());
  options.placement = WeightPlacement::External;
  options.external_from_bytes = *size;
  return options;
}

Result<Exit> edit_model(const Parsed& parsed) {
  if (!parsed.has("output"))
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = "`surefoot edit` writes a file, and none is named",
                 .hint = "add `-o OUT`; the model's own path may be given"});
  const auto options = save_options(parsed);
  if (!options) return fail(options.error());
  auto model = Model::open(parsed.positionals().front());
  if (!model) return fail(std::move(model).error());
  // Renaming comes last, so that all other flags go by the names that the file has.
  for (const auto step : {change_weights, fix_dimensions, free_dimensions, change_outputs, rename_values})
    if (auto done = step(*model, parsed); !done) return fail(std::move(done).error());
  std::optional<HalfReport> half;
  if (parsed.has("to-fp16-weights")) {
    auto report = model->weights().to_float16();
    if (!report) return fail(std::move(report).error());
    half = std::move(*report);
  }
  if (auto saved = model->save(parsed.value("output"), *options); !saved)
    return fail(std::move(saved).error());
  if (!parsed.has("json")) {
    if (half) tell(*half);
    return Exit::Yes;
  }
  auto json = document("edit");
  json["output"] = parsed.value("output");
  json["edited"] = model->is_edited();
  if (half) json["float16"] = json_of(*half);
  print(json);
  return Exit::Yes;
}

}  // namespace

const Command& edit_command() {
  static const Command kCommand{
      .name = "edit",
      .summary = "write a model again with other weights, names, dimensions or outputs",
      .description =
          "Reads only what it changes, and keeps every other byte. Names are those of the file; "
          "renaming comes last. Needs no ONNX Runtime, but for the type of an added output that the file "
          "does not state.",
      .positional = "MODEL",
      .positional_help = "the model's file",
      .flags = {kEditFlags, kJson},
      .examples = {"surefoot edit m.onnx -o fixed.onnx --fix-dim batch=1 --rename x=pixels",
                   "surefoot edit m.onnx -o m.onnx --set encoder.bias=bias.npy --to-external 1MB"},
      .run = edit_model};
  return kCommand;
}

}  // namespace surefoot::cli
