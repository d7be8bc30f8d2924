#include "surefoot/report.hpp"

#include <fmt/format.h>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/input/call_inputs.hpp"
#include "apps/cli/output/progress.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"

namespace surefoot::cli {
namespace {

constexpr Flag kReportFlags[] = {
    {.name = "output",
     .letter = 'o',
     .value = "PAGE",
     .help = "the HTML file to write, which must not exist",
     .completion = Completion::File},
    {.name = "force", .help = "replace PAGE where it exists"},
    {.name = "time", .value = "SECONDS", .help = "of timing, for each provider; default 2; 0: none"},
    {.name = "runs", .letter = 'r', .value = "N", .help = "runs under the profiler; default 10"},
    {.name = "quiet", .letter = 'q', .help = "say nothing on stderr but errors"},
};

/// Those of other commands, but that `-o` means the page here, as in `compile`, and no provider's option.
std::span<const Flag> provider_flags() {
  static const std::vector<Flag> kFlags = [] {
    std::vector<Flag> flags(selection_flags().begin(), selection_flags().end());
    for (Flag& flag : flags)
      if (flag.letter == kReportFlags[0].letter) flag.letter = 0;
    return flags;
  }();
  return kFlags;
}

/// Errors: InvalidArgument.
Result<void> set_amounts(const Parsed& parsed, ReportRequest& request) {
  if (parsed.has("time")) {
    auto seconds = number_from(parsed, "time");
    if (!seconds) return fail(std::move(seconds).error());
    request.time = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
  }
  auto runs = parsed.integer("runs", 1);
  if (!runs) return fail(std::move(runs).error());
  request.runs = static_cast<std::size_t>(runs->value_or(10));
  return {};
}

/// Errors: those of the flags and of the runtime.
Result<ReportRequest> request_from(const Parsed& parsed) {
  auto options = session_options_from(parsed);
  if (!options) return fail(std::move(options).error());
  ReportRequest request{.model = parsed.positionals().front(),
                        .options = std::move(*options),
                        .made_up_inputs = !parsed.has("input")};
  if (auto set = set_amounts(parsed, request); !set) return fail(std::move(set).error());
  auto runtime = runtime_from(parsed);
  if (!runtime) return fail(std::move(runtime).error());
  request.options.runtime = std::move(*runtime);
  return request;
}

Result<Report> report_with_progress(const Parsed& parsed, ReportRequest request) {
  auto info = inspect(request.model);
  if (!info) return fail(std::move(info).error());
  auto values = given_or_made_up(parsed, *info);
  if (!values) return fail(std::move(values).error());
  const auto inputs = as_inputs(*values);
  request.inputs = inputs;
  Progress progress(parsed.has("quiet"));
  request.on_step = [&progress](ReportStep step) { progress.at(to_string(step)); };
  if (!parsed.has("output")) return make_report(request);
  return write_report(request, parsed.value("output"),
                      parsed.has("force") ? ExistingFile::Replace : ExistingFile::Keep);
}

std::string latency_text(const Latency& latency) {
  if (latency.runs == 0) return "not timed";
  const std::string p50 = latency.p50 < 1000 ? fmt::format("{:.1f} us", latency.p50)
                                             : fmt::format("{:.2f} ms", latency.p50 / 1000);
  return fmt::format("p50 {}, {} runs", p50, latency.runs);
}

void print_text(const Report& report, const std::string& page) {
  fmt::print("{}\n  {:<10}{}\n  {:<10}{}\n", page, "provider", report.provider, "latency",
             latency_text(report.latency.front().latency));
  if (report.comparison)
    fmt::print("  {:<10}{} the CPU\n", "outputs", report.comparison->within() ? "agree with" : "differ from");
}

Result<Exit> make(const Parsed& parsed) {
  if (!parsed.has("output") && !parsed.has("json"))
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = "`--output` is missing",
                 .hint = "name the page to write: `-o report.html`"});
  auto request = request_from(parsed);
  if (!request) return fail(std::move(request).error());
  auto report = report_with_progress(parsed, std::move(*request));
  if (!report) return fail(with_sample_hint(std::move(report).error(), parsed));
  if (!parsed.has("quiet")) say(events_text(report->events));
  parsed.has("json") ? print(nlohmann::ordered_json::parse(to_json(*report)))
                     : print_text(*report, parsed.value("output"));
  return Exit::Yes;
}

}  // namespace

const Command& report_command() {
  static const Command kCommand{
      .name = "report",
      .summary = "write one HTML page about how a model runs here",
      .description =
          "Plan and reasons, nodes by provider, where the time goes, latency, comparison with the CPU, "
          "machine "
          "and findings, all measured now. The page holds everything and asks no network. Inputs that are "
          "not "
          "given are made up.",
      .positional = "MODEL",
      .positional_help = "the model's file",
      .flags = {kReportFlags, sample_flags(), provider_flags(), session_flags(), model_flags(), cache_flags(),
                runtime_flags(), kJson},
      .examples = {"surefoot report model.onnx -o report.html",
                   "surefoot report model.onnx -o report.html --prefer openvino --input image=cat.png"},
      .run = make};
  return kCommand;
}

}  // namespace surefoot::cli
