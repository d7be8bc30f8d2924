#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/input/input_spec.hpp"
#include "apps/cli/input/json_value.hpp"
#include "apps/cli/input/shape_text.hpp"
#include "apps/cli/output/save.hpp"
#include "apps/cli/output/top_k.hpp"
#include "apps/cli/output/value_text.hpp"
#include "apps/cli/prepared_flags.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"
#include "surefoot/prepared_run.hpp"

namespace surefoot::cli {
namespace {

constexpr Flag kRunFlags[] = {
    {.name = "input",
     .letter = 'i',
     .value = "NAME=SPEC",
     .help = "an input: a file, a literal, zeros, ones, random[:shape]",
     .details = "Files: .npy, .npz (`file.npz:member`), .json, .png and .jpg (options layout, size, scale, "
                "mean, std, channels), .wav, raw bytes with shape. Options follow the file after commas: "
                "`x=cat.png,layout=nchw,scale=1/255`. NAME may be left out for a model with one input, and "
                "for a .npz that has them all.",
     .repeats = true,
     .completion = Completion::File},
    {.name = "outputs", .value = "A,B", .help = "compute only these outputs", .repeats = true},
    {.name = "save",
     .letter = 's',
     .value = "FILE",
     .help = "write all outputs to a .npz file",
     .completion = Completion::File},
    {.name = "top", .letter = 'k', .value = "K", .help = "print the K best classes of each output"},
    {.name = "labels",
     .value = "FILE",
     .help = "names of the classes, one a line or JSON",
     .completion = Completion::File},
    {.name = "repeat", .letter = 'r', .value = "N", .help = "run N times and print the times"},
    {.name = "quiet", .letter = 'q', .help = "say nothing on stderr but errors"},
};

using Clock = std::chrono::steady_clock;

struct Times {
  double open_ms = 0;
  std::vector<double> run_ms = {};
  GraphState graph = {};

  double median() const {
    std::vector<double> sorted = run_ms;
    std::ranges::sort(sorted);
    return sorted[sorted.size() / 2];
  }
};

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

Result<std::vector<NamedValue>> read_inputs(const Parsed& parsed, const ModelInfo& info) {
  std::vector<NamedValue> values;
  for (const std::string& argument : parsed.values("input")) {
    auto read = read_input(argument, info.inputs);
    if (!read) return fail(std::move(read).error());
    std::ranges::move(*read, std::back_inserter(values));
  }
  return values;
}

/// Runs as often as asked for, and takes the times.
template <class Run>
Result<void> repeat(const Parsed& parsed, Times& times, const Run& run) {
  auto asked = parsed.integer("repeat", 1);
  if (!asked) return fail(std::move(asked).error());
  for (std::int64_t left = asked->value_or(1); left > 0; --left) {
    const auto begin = Clock::now();
    Result<void> done = run();
    if (!done) return done;
    times.run_ms.push_back(milliseconds_since(begin));
  }
  return {};
}

Result<std::vector<NamedValue>> run_plainly(const Session& session, const std::vector<NamedValue>& values,
                                            const Parsed& parsed, Times& times) {
  std::vector<Input> inputs;
  for (const NamedValue& value : values) inputs.emplace_back(value.name, value.value);
  const RunOptions options{.outputs = parsed.list("outputs")};
  std::vector<NamedValue> results;
  auto done = repeat(parsed, times, [&]() -> Result<void> {
    auto outputs = session.infer(inputs, options);
    if (!outputs) return fail(std::move(outputs).error());
    results.clear();
    for (std::size_t i = 0; i < outputs->size(); ++i)
      results.push_back({outputs->name(i), std::move((*outputs)[i])});
    return {};
  });
  if (!done) return fail(std::move(done).error());
  return results;
}

Result<PreparedRun> prepare(const Session& session, const std::vector<NamedValue>& values,
                            const Parsed& parsed) {
  PrepareOptions options{.outputs = parsed.list("outputs")};
  for (const NamedValue& value : values)
    if (const Tensor* tensor = value.value.tensor()) options.shapes[value.name] = tensor->shape();
  auto run = session.prepare(std::move(options));
  if (!run) return run;
  for (const NamedValue& value : values)
    if (const Tensor* tensor = value.value.tensor())
      if (auto written = run->write(value.name, tensor->view()); !written)
        return fail(std::move(written).error());
  return run;
}

Result<std::vector<NamedValue>> run_prepared(const Session& session, const std::vector<NamedValue>& values,
                                             const Parsed& parsed, Times& times) {
  auto run = prepare(session, values, parsed);
  if (!run) return fail(std::move(run).error());
  if (auto done = repeat(parsed, times, [&] { return run->run(); }); !done)
    return fail(std::move(done).error());
  times.graph = run->graph();
  std::vector<NamedValue> results;
  for (const ValueInfo& output : run->outputs()) {
    auto view = run->output_view(output.name);
    if (!view) return fail(std::move(view).error());
    auto copy = Tensor::from_bytes(view->type, Shape(view->shape.begin(), view->shape.end()), view->bytes);
    if (!copy) return fail(std::move(copy).error());
    results.push_back({output.name, std::move(*copy)});
  }
  return results;
}

/// What to print of each output when `--top` is given.
struct TopRequest {
  std::size_t k = 0;  ///< 0: not asked for
  std::vector<std::string> labels = {};
};

Result<TopRequest> top_request(const Parsed& parsed) {
  auto k = parsed.integer("top", 1);
  if (!k) return fail(std::move(k).error());
  TopRequest request{.k = static_cast<std::size_t>(k->value_or(0))};
  if (!parsed.has("labels")) return request;
  auto labels = read_labels(parsed.value("labels"));
  if (!labels) return fail(std::move(labels).error());
  request.labels = std::move(*labels);
  if (request.k == 0) request.k = 1;
  return request;
}

using TopRows = std::optional<std::vector<TopRow>>;

/// The ranked rows of an output; nothing where it is to be printed as it is: no ranking is asked for, or
/// it cannot be ranked and stands beside others, as a classifier's label beside its scores.
Result<TopRows> rows_of(const NamedValue& output, const TopRequest& top, bool several) {
  if (top.k == 0) return TopRows();
  auto rows = top_k(output.value, top.k, top.labels);
  if (rows) return TopRows(*std::move(rows));
  if (several) return TopRows();
  return fail(std::move(rows).error().while_doing(fmt::format("ranking output `{}`", output.name)));
}

Result<void> print_text(const std::vector<NamedValue>& outputs, const TopRequest& top) {
  for (const NamedValue& output : outputs) {
    const auto rows = rows_of(output, top, outputs.size() > 1);
    if (!rows) return fail(rows.error());
    fmt::print("{}  {}\n", output.name, *rows ? type_text(output.value) : value_text(output.value));
    for (const TopRow& row : rows->value_or(std::vector<TopRow>())) fmt::print("{}\n", top_text(row));
  }
  return {};
}

nlohmann::ordered_json output_json(const NamedValue& output, const TopRows& rows) {
  nlohmann::ordered_json json = {{"name", output.name}, {"type", type_text(output.value)}};
  if (!rows) {
    json["value"] = json_of(output.value);
    return json;
  }
  json["top"] = nlohmann::ordered_json::array();
  for (const TopRow& row : *rows) {
    auto entries = nlohmann::ordered_json::array();
    for (const TopEntry& entry : row)
      entries.push_back({{"label", entry.label}, {"index", entry.index}, {"score", entry.score}});
    json["top"].push_back(std::move(entries));
  }
  return json;
}

nlohmann::ordered_json graph_json(const GraphState& graph) {
  nlohmann::ordered_json json = {{"wanted", to_string(graph.wanted)}, {"captured", graph.captured}};
  if (graph.reason) json["reason"] = graph.reason->what;
  return json;
}

Result<void> print_json(const Session& session, const std::vector<NamedValue>& outputs, const TopRequest& top,
                        const Times& times) {
  auto json = document("run");
  json["runtime"] = {{"version", session.runtime().version()}, {"path", session.runtime().path().string()}};
  json["provider"] = session.provider();
  json["providers"] = session.providers();
  json["candidates"] = json_of(session.plan());
  json["events"] = json_of(session.events());
  if (const auto placement = session.placement()) json["placement"] = to_string(*placement);
  json["cache"] = to_string(session.cache().use);
  json["open_ms"] = times.open_ms;
  json["run_ms"] = times.run_ms;
  if (times.graph.wanted != GraphCapture::Off) json["graph"] = graph_json(times.graph);
  json["outputs"] = nlohmann::ordered_json::array();
  for (const NamedValue& output : outputs) {
    const auto rows = rows_of(output, top, outputs.size() > 1);
    if (!rows) return fail(rows.error());
    json["outputs"].push_back(output_json(output, *rows));
  }
  print(json);
  return {};
}

/// Before the model is opened: whether `--save` names a place where a file can lie.
Result<void> check_target(const Parsed& parsed) {
  const std::filesystem::path file = parsed.value("save");
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::error_code problem;
  std::string why;
  if (std::filesystem::is_directory(file, problem))
    why = "that is a folder";
  else if (!file.empty() && !std::filesystem::is_directory(folder, problem))
    why = fmt::format("there is no folder `{}`", folder.string());
  if (why.empty()) return {};
  return fail({.code = ErrorCode::IoFailed,
               .what = fmt::format("`--save {}`: {}", file.string(), why),
               .hint = "name a .npz file in a folder that exists"});
}

void say_cache(const CacheState& cache) {
  if (cache.use == CacheUse::Off) return;
  say(fmt::format("cache: {}{}{}\n", to_string(cache.use), cache.reason ? ": " : "",
                  cache.reason ? cache.reason->what : ""));
}

void say_how_it_went(const Session& session, const Times& times) {
  say(plan_text(session.plan(), machine_facts(session.runtime()), session.runtime().path(),
                session.provider()));
  say(events_text(session.events()));
  // Where ONNX Runtime cannot tell, an event has said so.
  if (const auto placement = session.placement()) say(to_string(*placement) + "\n");
  say_cache(session.cache());
  say(fmt::format("opened in {:.1f} ms, ran in {:.2f} ms", times.open_ms, times.median()));
  if (times.run_ms.size() > 1) {
    const auto [least, most] = std::ranges::minmax(times.run_ms);
    say(fmt::format(" (median of {}; {:.2f} to {:.2f})", times.run_ms.size(), least, most));
  }
  say(times.graph.captured ? ", replaying a graph\n" : "\n");
}

Result<void> say_profile(Session& session, const Parsed& parsed) {
  if (!parsed.has("profile")) return {};
  auto file = session.end_profiling();
  if (!file) return fail(std::move(file).error());
  say(fmt::format("profile: {}\n", file->string()));
  return {};
}

Result<Session> open_session(const Parsed& parsed, Times& times) {
  auto options = session_options_from(parsed);
  if (!options) return fail(std::move(options).error());
  auto graph = graph_capture_from(parsed);
  if (!graph) return fail(std::move(graph).error());
  options->graph_capture = *graph;
  // What is wrong with the file is said even where no ONNX Runtime is to be found.
  if (auto info = inspect(parsed.positionals().front()); !info) return fail(std::move(info).error());
  auto runtime = runtime_from(parsed);
  if (!runtime) return fail(std::move(runtime).error());
  options->runtime = std::move(*runtime);
  const auto begin = Clock::now();
  auto session = Session::open(parsed.positionals().front(), std::move(*options));
  times.open_ms = milliseconds_since(begin);
  return session;
}

std::string how_to_give(const ValueInfo& input) {
  if (input.type.kind != ValueKind::Tensor)
    return fmt::format("give it as JSON: `--input {}=FILE.json`", input.name);
  const std::string shape = fixed_shape(input.type) ? "" : ":" + example_shape(input.type);
  return fmt::format("give `--input {0}=FILE`, or `{0}=random{1}` to try the model", input.name, shape);
}

/// Adds to an error about inputs how the first one that is missing may be given.
Error with_input_hint(Error error, const ModelInfo& info, const std::vector<NamedValue>& given) {
  if (error.code != ErrorCode::InvalidInput || !error.hint.empty()) return error;
  const auto missing = std::ranges::find_if(info.inputs, [&](const ValueInfo& input) {
    return input.required && std::ranges::find(given, input.name, &NamedValue::name) == given.end();
  });
  if (missing != info.inputs.end()) error.hint = how_to_give(*missing);
  return error;
}

Result<Exit> run_model(const Parsed& parsed) {
  Times times;
  auto top = top_request(parsed);
  if (!top) return fail(std::move(top).error());
  if (auto checked = check_target(parsed); !checked) return fail(std::move(checked).error());
  auto session = open_session(parsed, times);
  if (!session) return fail(std::move(session).error());
  auto values = read_inputs(parsed, session->info());
  if (!values) return fail(std::move(values).error());
  const auto run = parsed.has("prepared") ? run_prepared : run_plainly;
  auto results = run(*session, *values, parsed, times);
  if (!results) return fail(with_input_hint(std::move(results).error(), session->info(), *values));
  Result<void> done;
  if (parsed.has("save")) done = save_npz(parsed.value("save"), *results);
  if (done && !parsed.has("quiet")) say_how_it_went(*session, times);
  if (done)
    done = parsed.has("json") ? print_json(*session, *results, *top, times) : print_text(*results, *top);
  if (done) done = say_profile(*session, parsed);
  if (!done) return fail(std::move(done).error());
  return Exit::Yes;
}

}  // namespace

const Command& run_command() {
  static const Command kCommand{
      .name = "run",
      .summary = "open a model on the best provider that works, and run it",
      .description = "The outputs go to stdout; the plan, what was given up and the times go to stderr.",
      .positional = "MODEL",
      .positional_help = "the model's file",
      .flags = {kRunFlags, prepared_flags(), selection_flags(), session_flags(), record_flags(),
                model_flags(), cache_flags(), runtime_flags(), kJson},
      .examples = {"surefoot run digits.onnx --input image=3.png --top 3",
                   "surefoot run model.onnx -i x=random:1x3x224x224 --repeat 20",
                   "surefoot run model.onnx -i x=random:1x3x224x224 --prepared --graph try --repeat 20"},
      .run = run_model};
  return kCommand;
}

}  // namespace surefoot::cli
