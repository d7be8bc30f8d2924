#include <fmt/format.h>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/input/call_inputs.hpp"
#include "apps/cli/prepared_flags.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/sides.hpp"
#include "apps/cli/talk.hpp"
#include "surefoot/bench.hpp"

namespace surefoot::cli {
namespace {

constexpr Flag kBenchFlags[] = {
    {.name = "between", .value = "A,B,…", .help = "providers to time side by side; default: the best one"},
    {.name = "time", .value = "SECONDS", .help = "of counted runs, for each; default 2"},
    {.name = "callers", .value = "N,M,…", .help = "also the throughput of so many concurrent callers"},
    {.name = "csv", .help = "print comma-separated values"},
};

Result<BenchOptions> bench_options_from(const Parsed& parsed) {
  BenchOptions options;
  if (parsed.has("time")) {
    auto seconds = number_from(parsed, "time");
    if (!seconds) return fail(std::move(seconds).error());
    options.time = std::chrono::milliseconds(static_cast<std::int64_t>(*seconds * 1000));
  }
  for (const std::string& text : parsed.list("callers")) {
    Parsed one;
    one.add("callers", text);
    auto count = one.integer("callers", 1);
    if (!count) return fail(std::move(count).error());
    if (**count > kMostThreads)
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("`--callers {}`: at most {}", text, kMostThreads)});
    options.callers.push_back(static_cast<int>(**count));
  }
  return options;
}

std::string time_text(double microseconds) {
  return microseconds < 1000 ? fmt::format("{:.1f} us", microseconds)
                             : fmt::format("{:.2f} ms", microseconds / 1000);
}

void print_text(const std::vector<BenchResult>& results) {
  for (const BenchResult& result : results) {
    const Latency& latency = result.latency;
    fmt::print("{}\n", result.name);
    fmt::print("  latency     p50 {} (95 % sure: {} to {}), {} runs\n", time_text(latency.p50),
               time_text(latency.p50_from), time_text(latency.p50_to), latency.runs);
    fmt::print("              min {}, p90 {}, p99 {}, max {}\n", time_text(latency.least),
               time_text(latency.p90), time_text(latency.p99), time_text(latency.most));
    for (const Throughput& throughput : result.throughput)
      fmt::print("  throughput  {:.0f} a second, {} caller{}\n", throughput.per_second, throughput.callers,
                 throughput.callers == 1 ? "" : "s");
    fmt::print("  load        {}, first run {}\n", time_text(static_cast<double>(result.load.count())),
               time_text(static_cast<double>(result.first_run.count())));
    if (result.memory_bytes > 0)
      fmt::print("  memory      {:.1f} MiB more at the peak\n",
                 static_cast<double>(result.memory_bytes) / (1 << 20));
    if (!result.stable)
      fmt::print("  not stable  the times were still falling after {} runs\n", result.warm_up_runs);
  }
}

void print_csv(const std::vector<BenchResult>& results) {
  fmt::print(
      "name,provider,runs,min_us,p50_us,p50_from_us,p50_to_us,p90_us,p99_us,max_us,mean_us,load_us,first_run_"
      "us,"
      "memory_bytes,stable");
  for (const Throughput& throughput : results.front().throughput)
    fmt::print(",per_second_{}", throughput.callers);
  fmt::print("\n");
  for (const BenchResult& result : results) {
    const Latency& latency = result.latency;
    fmt::print("{},{},{},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{:.2f},{},{},{},{}", result.name,
               result.provider, latency.runs, latency.least, latency.p50, latency.p50_from, latency.p50_to,
               latency.p90, latency.p99, latency.most, latency.mean, result.load.count(),
               result.first_run.count(), result.memory_bytes, result.stable ? 1 : 0);
    for (const Throughput& throughput : result.throughput) fmt::print(",{:.2f}", throughput.per_second);
    fmt::print("\n");
  }
}

nlohmann::ordered_json json_of(const BenchResult& result) {
  const Latency& latency = result.latency;
  nlohmann::ordered_json json = {{"name", result.name},
                                 {"provider", result.provider},
                                 {"load_us", result.load.count()},
                                 {"first_run_us", result.first_run.count()},
                                 {"memory_bytes", result.memory_bytes},
                                 {"warm_up_runs", result.warm_up_runs},
                                 {"stable", result.stable}};
  json["latency_us"] = {{"runs", latency.runs}, {"min", latency.least},
                        {"p50", latency.p50},   {"p50_95", {latency.p50_from, latency.p50_to}},
                        {"p90", latency.p90},   {"p99", latency.p99},
                        {"max", latency.most},  {"mean", latency.mean}};
  json["throughput"] = nlohmann::ordered_json::array();
  for (const Throughput& throughput : result.throughput)
    json["throughput"].push_back({{"callers", throughput.callers}, {"per_second", throughput.per_second}});
  json["events"] = cli::json_of(std::span<const FallbackEvent>(result.events));
  return json;
}

/// One for each provider that is named, or one for the best.
Result<std::vector<BenchSubject>> subjects_from(const Parsed& parsed) {
  auto options = session_options_from(parsed);
  if (!options) return fail(std::move(options).error());
  auto graph = graph_capture_from(parsed);
  if (!graph) return fail(std::move(graph).error());
  options->graph_capture = *graph;
  const bool prepared = parsed.has("prepared");
  const std::filesystem::path model = parsed.positionals().front();
  auto runtime = runtime_from(parsed);
  if (!runtime) return fail(std::move(runtime).error());
  options->runtime = std::move(*runtime);
  std::vector<BenchSubject> subjects;
  for (const std::string& name : parsed.list("between")) {
    BenchSubject subject{
        .name = name, .model = model, .options = on_provider(*options, name), .prepared = prepared};
    auto session = Session::open(model, subject.options);
    if (!session) return fail(std::move(session).error());
    if (auto checked = check_provider(*session, name); !checked) return fail(std::move(checked).error());
    subjects.push_back(std::move(subject));
  }
  if (!subjects.empty()) return subjects;
  auto session = Session::open(model, *options);
  if (!session) return fail(std::move(session).error());
  subjects.push_back(
      {.name = session->provider(), .model = model, .options = std::move(*options), .prepared = prepared});
  return subjects;
}

Result<Exit> run_bench(const Parsed& parsed) {
  auto options = bench_options_from(parsed);
  if (!options) return fail(std::move(options).error());
  auto info = inspect(parsed.positionals().front());
  if (!info) return fail(std::move(info).error());
  auto values = given_or_made_up(parsed, *info);
  if (!values) return fail(std::move(values).error());
  auto subjects = subjects_from(parsed);
  if (!subjects) return fail(std::move(subjects).error());
  auto results = bench(*subjects, as_inputs(*values), *options);
  if (!results) return fail(with_sample_hint(std::move(results).error(), parsed));
  if (parsed.has("json")) {
    auto json = document("bench");
    json["results"] = nlohmann::ordered_json::array();
    for (const BenchResult& result : *results) json["results"].push_back(json_of(result));
    print(json);
    return Exit::Yes;
  }
  for (const BenchResult& result : *results) say(events_text(result.events));
  parsed.has("csv") ? print_csv(*results) : print_text(*results);
  return Exit::Yes;
}

}  // namespace

const Command& bench_command() {
  static const Command kCommand{
      .name = "bench",
      .summary = "time a model: latency, throughput, load time, memory",
      .description =
          "Warms up until the times no longer fall, then measures. Several "
          "providers take turns, so that what "
          "drifts hits all alike. Inputs that are not given are made up.",
      .positional = "MODEL",
      .positional_help = "the model's file",
      .flags = {kBenchFlags, prepared_flags(), sample_flags(), selection_flags(), session_flags(),
                model_flags(), cache_flags(), runtime_flags(), kJson},
      .examples = {"surefoot bench model.onnx --callers 1,2,4",
                   "surefoot bench model.onnx --between openvino,cpu --csv"},
      .run = run_bench};
  return kCommand;
}

}  // namespace surefoot::cli
