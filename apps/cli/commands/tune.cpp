#include "surefoot/tune.hpp"

#include <fmt/format.h>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/input/call_inputs.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"

namespace surefoot::cli {
namespace {

constexpr std::array<std::string_view, 2> kGoals = {"latency", "throughput"};

constexpr Flag kTuneFlags[] = {
    {.name = "goal", .value = "GOAL", .help = "what is to be better; default: latency", .choices = kGoals},
    {.name = "callers", .value = "N", .help = "concurrent callers of the throughput; default 2"},
    {.name = "time", .value = "SECONDS", .help = "about so long in all; default 20"},
    {.name = "no-save", .help = "do not keep what was found"},
};

Result<TuneOptions> tune_options_from(const Parsed& parsed) {
  TuneOptions options{.save = !parsed.has("no-save")};
  auto session = session_options_from(parsed);
  if (!session) return fail(std::move(session).error());
  options.session = std::move(*session);
  if (parsed.value("goal") == kGoals[1]) options.goal = TuneGoal::Throughput;
  auto callers = parsed.integer("callers", 1);
  if (!callers) return fail(std::move(callers).error());
  if (callers->value_or(1) > kMostThreads)
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("`--callers {}`: at most {}", **callers, kMostThreads)});
  if (*callers) options.callers = static_cast<int>(**callers);
  if (!parsed.has("time")) return options;
  auto seconds = number_from(parsed, "time");
  if (!seconds) return fail(std::move(seconds).error());
  options.time = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
  return options;
}

std::string gain_text(double before, double after) {
  const double part = (1 - after / before) * 100;
  return fmt::format("{:.0f} % {}", std::abs(part), part >= 0 ? "faster" : "slower");
}

void print_trial(const TuneTrial& trial) {
  const std::string name = fmt::format("{}={}", trial.setting, trial.value);
  if (trial.error)
    fmt::print("  {:<24}not measured: {}\n", name, trial.error->what);
  else
    fmt::print("  {:<24}{:.1f} -> {:.1f} us, {}{}\n", name, trial.before, trial.after,
               gain_text(trial.before, trial.after), trial.kept ? ", kept" : "");
}

void print_text(const TuneReport& report) {
  fmt::print("tried\n");
  for (const TuneTrial& trial : report.trials) print_trial(trial);
  for (const std::string& setting : report.untried)
    fmt::print("  {:<24}not all of it: the time was up\n", setting);
  if (report.settings.empty()) {
    fmt::print("outcome   the default, {:.1f} us: nothing was faster each time\n", report.before);
  } else {
    fmt::print("outcome   {:.1f} -> {:.1f} us, {}:", report.before, report.after,
               gain_text(report.before, report.after));
    for (const auto& [setting, value] : report.settings) fmt::print(" {}={}", setting, value);
    fmt::print("\n");
  }
  if (report.record.empty()) return;
  fmt::print("saved     {}\n          sessions use it with `--prefer measured`\n", report.record.string());
}

nlohmann::ordered_json json_of(const TuneTrial& trial) {
  nlohmann::ordered_json json = {{"setting", trial.setting}, {"value", trial.value}, {"kept", trial.kept}};
  if (trial.error)
    json["error"] = trial.error->what;
  else
    json["before_us"] = trial.before, json["after_us"] = trial.after;
  return json;
}

void print_json(const TuneReport& report, TuneGoal goal) {
  auto json = document("tune");
  json["goal"] = to_string(goal);
  json["settings"] = nlohmann::ordered_json(report.settings);
  json["default_us"] = report.before;
  json["tuned_us"] = report.after;
  json["trials"] = nlohmann::ordered_json::array();
  for (const TuneTrial& trial : report.trials) json["trials"].push_back(json_of(trial));
  json["untried"] = report.untried;
  json["record"] = report.record.string();
  print(json);
}

Result<Exit> run_tune(const Parsed& parsed) {
  auto options = tune_options_from(parsed);
  if (!options) return fail(std::move(options).error());
  auto info = inspect(parsed.positionals().front());
  if (!info) return fail(std::move(info).error());
  auto values = given_or_made_up(parsed, *info);
  if (!values) return fail(std::move(values).error());
  auto runtime = runtime_from(parsed);
  if (!runtime) return fail(std::move(runtime).error());
  options->session.runtime = std::move(*runtime);
  auto report = tune(parsed.positionals().front(), as_inputs(*values), *options);
  if (!report) return fail(with_sample_hint(std::move(report).error(), parsed));
  parsed.has("json") ? print_json(*report, options->goal) : print_text(*report);
  return Exit::Yes;
}

}  // namespace

const Command& tune_command() {
  static const Command kCommand{
      .name = "tune",
      .summary = "find the session's settings that run a model fastest here",
      .description =
          "Tries providers, threads, spinning, optimisation, parallel operators and memory planning, each in "
          "turns with the best so far, and keeps what also beats the default in a final comparison. What "
          "a flag sets is left as it is. Sessions that prefer `measured` use the outcome.",
      .positional = "MODEL",
      .positional_help = "the model's file",
      .flags = {kTuneFlags, sample_flags(), selection_flags(), session_flags(), model_flags(),
                runtime_flags(), kJson},
      .examples = {"surefoot tune model.onnx --time 60",
                   "surefoot tune model.onnx --goal throughput --callers 4",
                   "surefoot run model.onnx --prefer measured -i x=random"},
      .run = run_tune};
  return kCommand;
}

}  // namespace surefoot::cli
