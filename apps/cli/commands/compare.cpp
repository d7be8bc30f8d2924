#include <fmt/format.h>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/input/call_inputs.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/sides.hpp"
#include "apps/cli/talk.hpp"
#include "report/json.hpp"
#include "surefoot/compare.hpp"

namespace surefoot::cli {
namespace {

constexpr Flag kCompareFlags[] = {
    {.name = "between",
     .value = "A,B",
     .help = "two providers: A is held against B; default: the best, and cpu"},
    {.name = "other-runtime",
     .value = "FILE",
     .help = "the second side's ONNX Runtime",
     .completion = Completion::File},
    {.name = "other-config",
     .value = "KEY=VALUE",
     .help = "a session config entry of the second side alone",
     .repeats = true},
    {.name = "other-optimization",
     .value = "LEVEL",
     .help = "the second side's optimization level",
     .choices = kOptimizationLevels},
    {.name = "absolute", .value = "X", .help = "tolerance: what may differ in any case"},
    {.name = "relative", .value = "X", .help = "tolerance: part of the second side's number"},
    {.name = "locate", .help = "find the first inner value that differs"},
};

Result<std::optional<Tolerance>> tolerance_from(const Parsed& parsed) {
  if (!parsed.has("absolute") && !parsed.has("relative")) return std::optional<Tolerance>();
  auto absolute = number_from(parsed, "absolute");
  if (!absolute) return fail(std::move(absolute).error());
  auto relative = number_from(parsed, "relative");
  if (!relative) return fail(std::move(relative).error());
  return std::optional(Tolerance{.absolute = *absolute, .relative = *relative});
}

std::string number_text(double number) { return fmt::format("{:.3g}", number); }

void print_difference(const NamedDifference& output) {
  const TensorDifference& difference = output.difference;
  fmt::print("{}  {}\n", output.name, difference.within() ? "agrees" : "differs");
  if (!difference.mismatch.empty()) {
    fmt::print("  {}\n", difference.mismatch);
    return;
  }
  fmt::print("  {}\n  max relative {}, cosine {}\n", to_string(difference),
             number_text(difference.max_relative),
             difference.cosine ? fmt::format("{:.9f}", *difference.cosine) : "unknown");
  std::string ulps;
  for (std::size_t i = 0; i < kUlpBins; ++i)
    if (difference.ulps[i] > 0) ulps += fmt::format("  {}: {}", kUlpBinNames[i], difference.ulps[i]);
  if (!ulps.empty()) fmt::print("  steps of the last place{}\n", ulps);
  if (difference.nan_one + difference.nan_other + difference.infinite_one + difference.infinite_other > 0)
    fmt::print("  NaN {} and {}, infinite {} and {}\n", difference.nan_one, difference.nan_other,
               difference.infinite_one, difference.infinite_other);
}

void print_location(const Location& location) {
  fmt::print("\n");
  if (!location.departure) {
    fmt::print(
        "no inner value differs once it is an output ({} of {} looked at): a fusion may do it, see "
        "`surefoot bisect`\n",
        location.looked_at, location.values);
    return;
  }
  const Departure& departure = *location.departure;
  fmt::print("it begins at `{}`, output of node `{}` ({})\n  {}\n", departure.value, departure.node,
             departure.op, to_string(departure.difference));
  for (const InputRange& input : departure.inputs) {
    const std::string range =
        input.least ? fmt::format("from {} to {}", number_text(*input.least), number_text(*input.most)) : "";
    fmt::print("  input `{}`  {}  {}{}\n", input.name, input.type, range,
               input.nan_count > 0 ? fmt::format(", {} NaN", input.nan_count) : "");
  }
}

nlohmann::ordered_json json_of(const Location& location) {
  nlohmann::ordered_json json = {{"values", location.values}, {"looked_at", location.looked_at}};
  if (!location.departure) return json;
  const Departure& departure = *location.departure;
  json["departure"] = {{"value", departure.value},
                       {"node", departure.node},
                       {"op", departure.op},
                       {"difference", reporting::json_of(departure.difference)}};
  for (const InputRange& input : departure.inputs) {
    nlohmann::ordered_json row = {{"name", input.name}, {"type", input.type}, {"nan", input.nan_count}};
    if (input.least) row.update({{"least", *input.least}, {"most", *input.most}});
    json["departure"]["inputs"].push_back(std::move(row));
  }
  return json;
}

void print_json(const Side& one, const Side& other, const Comparison& comparison,
                const std::optional<Location>& location) {
  auto json = document("compare");
  json["within"] = comparison.within();
  json["one"] = one.name;
  json["other"] = other.name;
  json["outputs"] = reporting::list_of(comparison.outputs);
  if (location) json["location"] = json_of(*location);
  print(json);
}

Result<std::optional<Location>> locate(const Parsed& parsed, const Side& one, const Side& other,
                                       std::span<const Input> inputs,
                                       const std::optional<Tolerance>& tolerance) {
  if (!parsed.has("locate")) return std::optional<Location>();
  if (one.model != other.model)
    return fail(
        {.code = ErrorCode::InvalidArgument, .what = "`--locate` looks into one model, and two were given"});
  auto location = locate_departure({one.model, one.options, other.options, inputs, tolerance});
  if (!location) return fail(std::move(location).error());
  return std::optional(std::move(*location));
}

Result<Exit> compare(const Parsed& parsed) {
  auto tolerance = tolerance_from(parsed);
  if (!tolerance) return fail(std::move(tolerance).error());
  auto sides = sides_from(parsed);
  if (!sides) return fail(std::move(sides).error());
  auto& [one, other] = *sides;
  auto values = given_or_made_up(parsed, one.session->info());
  if (!values) return fail(std::move(values).error());
  const auto inputs = as_inputs(*values);
  auto comparison = compare_sessions(*one.session, *other.session, inputs, *tolerance);
  if (!comparison) return fail(with_sample_hint(std::move(comparison).error(), parsed));
  const bool agrees = comparison->within();
  auto location = agrees ? Result<std::optional<Location>>(std::optional<Location>())
                         : locate(parsed, one, other, inputs, *tolerance);
  if (!location) return fail(std::move(location).error());
  if (parsed.has("json")) {
    print_json(one, other, *comparison, *location);
  } else {
    fmt::print("{}, held against {}\n", one.name, other.name);
    for (const NamedDifference& output : comparison->outputs) print_difference(output);
    if (*location) print_location(**location);
  }
  return agrees ? Exit::Yes : Exit::No;
}

}  // namespace

const Command& compare_command() {
  static const Command kCommand{.name = "compare",
                                .summary = "run a model in two ways, and say how far the results are apart",
                                .description =
                                    "Two providers, two models, two ONNX Runtimes or two sets of options; "
                                    "the first is held against the "
                                    "second. Inputs that are not given are made up. Without a tolerance each "
                                    "type has a usual one. Exit "
                                    "1 when an output differs by more.",
                                .positional = "MODEL [OTHER]",
                                .positional_help = "the model's file, and another one to hold it against",
                                .least_words = 1,
                                .most_words = 2,
                                .flags = {kCompareFlags, sample_flags(), selection_flags(), session_flags(),
                                          model_flags(), runtime_flags(), kJson},
                                .examples = {"surefoot compare model.onnx --between openvino,cpu --locate",
                                             "surefoot compare model.onnx quantized.onnx --absolute 0.05"},
                                .run = compare};
  return kCommand;
}

}  // namespace surefoot::cli
