#include "apps/cli/input/call_inputs.hpp"

#include <algorithm>

#include "apps/cli/session_flags.hpp"
#include "surefoot/sample_inputs.hpp"

namespace surefoot::cli {
namespace {

constexpr Flag kSampleFlags[] = {
    {.name = "input",
     .letter = 'i',
     .value = "NAME=SPEC",
     .help = "an input, as for `run`; those left out are made up",
     .repeats = true,
     .completion = Completion::File},
    {.name = "seed", .value = "N", .help = "of the made-up inputs; default 0"},
};

}  // namespace

std::span<const Flag> sample_flags() { return kSampleFlags; }

Result<std::vector<NamedValue>> given_or_made_up(const Parsed& parsed, const ModelInfo& info,
                                                 const InputSource& source) {
  std::vector<NamedValue> values;
  for (const std::string& argument : parsed.values(source.flag)) {
    auto read = read_input(argument, info.inputs);
    if (!read) return fail(std::move(read).error());
    std::ranges::move(*read, std::back_inserter(values));
  }
  auto seed = parsed.integer("seed", 0);
  if (!seed) return fail(std::move(seed).error());
  std::vector<ValueInfo> missing;
  for (const ValueInfo& input : info.inputs)
    if (std::ranges::find(values, input.name, &NamedValue::name) == values.end()) missing.push_back(input);
  auto options = session_options_from(parsed);  // for the sizes that `--dim` gives
  if (!options) return fail(std::move(options).error());
  auto samples = sample_inputs(missing, {.seed = static_cast<std::uint64_t>(seed->value_or(0)),
                                         .dimensions = std::move(options->dimensions),
                                         .scale = source.scale});
  if (!samples) return fail(std::move(samples).error());
  for (SampleInput& sample : *samples) values.push_back({std::move(sample.name), std::move(sample.tensor)});
  return values;
}

Error with_sample_hint(Error error, const Parsed& parsed) {
  const bool of_run = error.code == ErrorCode::RunFailed || error.code == ErrorCode::ProviderFailed;
  if (of_run && error.hint.empty() && parsed.values("input").empty())
    error.hint =
        "the inputs were made up, and may not suit the model: give real ones with `--input NAME=FILE`";
  return error;
}

std::vector<Input> as_inputs(const std::vector<NamedValue>& values) {
  std::vector<Input> inputs;
  for (const NamedValue& value : values) inputs.emplace_back(value.name, value.value);
  return inputs;
}

}  // namespace surefoot::cli
