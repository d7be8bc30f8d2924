#include "apps/cli/session_flags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "apps/cli/talk.hpp"

namespace surefoot::cli {
namespace {

constexpr std::array<std::string_view, 5> kLogLevels = {"verbose", "info", "warning", "error", "fatal"};

constexpr Flag kRuntimeFlags[] = {
    {.name = "runtime",
     .value = "FILE",
     .help = "the ONNX Runtime library to load",
     .details =
         "Without it: SUREFOOT_ONNXRUNTIME, ORT_DYLIB_PATH, then a search; `surefoot runtimes` shows it.",
     .completion = Completion::File},
    {.name = "plugin",
     .value = "NAME=FILE",
     .help = "register a plugin provider's library",
     .repeats = true,
     .completion = Completion::File},
    {.name = "allow-telemetry", .help = "leave ONNX Runtime's telemetry on"},
    {.name = "log",
     .value = "LEVEL",
     .help = "show ONNX Runtime's log from this level on",
     .choices = kLogLevels},
};

constexpr Flag kSelectionFlags[] = {
    {.name = "prefer",
     .letter = 'p',
     .value = "A,B",
     .help = "providers to try first, in this order",
     .repeats = true},
    {.name = "only",
     .value = "A,B",
     .help = "require these providers: no fallback to others",
     .repeats = true},
    {.name = "exclude", .value = "A,B", .help = "providers never to use", .repeats = true},
    {.name = "option",
     .letter = 'o',
     .value = "P.KEY=VALUE",
     .help = "an option of provider P",
     .details = "Keys and values are checked; `P.raw:KEY=VALUE` passes one unchecked.",
     .repeats = true},
};

constexpr Flag kModelFlags[] = {
    {.name = "allow-outside-data",
     .help = "trust the model to name external data outside its folder",
     .details =
         "By an absolute path, by `..`, or by a link that leads out. Without it such a model is refused, "
         "as by ONNX Runtime from 1.27 on: it could name any file that you may read."},
};

constexpr Flag kSessionFlags[] = {
    {.name = "dim",
     .letter = 'd',
     .value = "NAME=SIZE",
     .help = "fix a free dimension by its symbolic name",
     .repeats = true},
    {.name = "denotation",
     .value = "NAME=SIZE",
     .help = "fix free dimensions by their denotation",
     .repeats = true},
    {.name = "threads",
     .letter = 't',
     .value = "N",
     .help = "threads for one operator",
     .details = "Default: ONNX Runtime's, but no more than the CPUs that the process may use (affinity, "
                "container quota). 0 leaves the choice to ONNX Runtime."},
    {.name = "inter-threads", .value = "N", .help = "threads for independent operators, with --parallel"},
    {.name = "parallel", .help = "run independent operators at once"},
    {.name = "no-spinning", .help = "let idle threads sleep at once"},
    {.name = "optimization",
     .value = "LEVEL",
     .help = "how far the graph is rewritten",
     .choices = kOptimizationLevels},
    {.name = "no-memory-pattern", .help = "do not plan memory ahead"},
    {.name = "no-arena", .help = "give memory back after each run"},
    {.name = "min-placement",
     .value = "PART",
     .help = "drop a provider that takes fewer of the nodes, e.g. 0.9",
     .details =
         "Without it a provider that takes any node is used. The CPU, as the last one, is never dropped."},
    {.name = "verify",
     .help = "compare a provider's first answer with the CPU's, and drop one that is wrong",
     .details = "Costs a second load of the model and two runs."},
    {.name = "custom-ops",
     .value = "FILE",
     .help = "a library of custom operators",
     .repeats = true,
     .completion = Completion::File},
    {.name = "config", .value = "KEY=VALUE", .help = "a raw session config entry", .repeats = true},
};

constexpr Flag kRecordFlags[] = {
    {.name = "profile",
     .value = "PREFIX",
     .help = "write a profile, named PREFIX and the time",
     .completion = Completion::File},
    {.name = "save-optimized",
     .value = "FILE",
     .help = "write the model as ONNX Runtime rewrote it",
     .completion = Completion::File},
    {.name = "cache", .help = "keep the optimised model, and open that the next time"},
};

constexpr Flag kCacheFlags[] = {
    {.name = "cache-folder",
     .value = "DIR",
     .help = "the cache's folder; default: $XDG_CACHE_HOME/surefoot/models",
     .completion = Completion::File},
};

template <class Level>
Level level_named(std::string_view name, std::span<const std::string_view> names) {
  return static_cast<Level>(std::ranges::find(names, name) - names.begin());
}

void print_log(const LogRecord& record) {
  say(fmt::format("onnxruntime {}: {}\n", to_string(record.level), record.message));
}

Result<std::map<std::string, std::int64_t>> sizes_from(const Parsed& parsed, std::string_view flag) {
  auto pairs = parsed.pairs(flag);
  if (!pairs) return fail(std::move(pairs).error());
  std::map<std::string, std::int64_t> sizes;
  for (const auto& [name, text] : *pairs) {
    Parsed one;
    one.add(flag, text);
    auto size = one.integer(flag, 0);
    if (!size)
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("`--{} {}={}`: a size is wanted", flag, name, text)});
    sizes[name] = **size;
  }
  return sizes;
}

Result<ThreadOptions> threads_from(const Parsed& parsed) {
  ThreadOptions threads{.parallel = parsed.has("parallel")};
  if (parsed.has("no-spinning")) threads.spinning = false;
  for (auto [flag, into] :
       {std::pair("threads", &threads.intra_op), std::pair("inter-threads", &threads.inter_op)}) {
    auto count = parsed.integer(flag, 0);
    if (!count) return fail(std::move(count).error());
    if (*count && **count > kMostThreads)
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("`--{} {}`: at most {} threads", flag, **count, kMostThreads)});
    if (*count) *into = static_cast<int>(**count);
  }
  return threads;
}

Result<void> add_pairs(const Parsed& parsed, SessionOptions& options) {
  auto entries = parsed.pairs("config");
  if (!entries) return fail(std::move(entries).error());
  options.config = {entries->begin(), entries->end()};
  auto dimensions = sizes_from(parsed, "dim");
  if (!dimensions) return fail(std::move(dimensions).error());
  options.dimensions = std::move(*dimensions);
  auto denotations = sizes_from(parsed, "denotation");
  if (!denotations) return fail(std::move(denotations).error());
  options.dimensions_by_denotation = std::move(*denotations);
  return {};
}

}  // namespace

OptimizationLevel optimization_named(std::string_view name) {
  return level_named<OptimizationLevel>(name, kOptimizationLevels);
}

Result<double> number_from(const Parsed& parsed, std::string_view flag) {
  if (!parsed.has(flag)) return 0.0;
  const std::string text = parsed.value(flag);
  double number = -1;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem == std::errc() && end == text.data() + text.size() && number >= 0 && std::isfinite(number))
    return number;
  return fail({.code = ErrorCode::InvalidArgument,
               .what = fmt::format("`--{} {}`: a number that is not negative is wanted", flag, text)});
}

std::span<const Flag> runtime_flags() { return kRuntimeFlags; }
std::span<const Flag> selection_flags() { return kSelectionFlags; }
std::span<const Flag> model_flags() { return kModelFlags; }
std::span<const Flag> session_flags() { return kSessionFlags; }
std::span<const Flag> record_flags() { return kRecordFlags; }
std::span<const Flag> cache_flags() { return kCacheFlags; }

ExternalPlaces places_from(const Parsed& parsed) {
  return parsed.has("allow-outside-data") ? ExternalPlaces::Anywhere : ExternalPlaces::ModelFolder;
}

Result<Runtime> runtime_without_plugins(const Parsed& parsed) {
  RuntimeOptions options{.library = parsed.value("runtime"),
                         .allow_telemetry = parsed.has("allow-telemetry")};
  if (parsed.has("log")) {
    options.log = print_log;
    options.log_level = level_named<LogLevel>(parsed.value("log"), kLogLevels);
  }
  return Runtime::load(options);
}

Result<Runtime> runtime_from(const Parsed& parsed) {
  auto plugins = parsed.pairs("plugin");
  if (!plugins) return fail(std::move(plugins).error());
  auto runtime = runtime_without_plugins(parsed);
  if (!runtime) return runtime;
  for (const auto& [name, file] : *plugins)
    if (auto registered = runtime->register_plugin(name, file); !registered)
      return fail(std::move(registered).error());
  return runtime;
}

Result<ProviderSelection> selection_from(const Parsed& parsed) {
  ProviderSelection selection{
      .prefer = parsed.list("prefer"), .only = parsed.list("only"), .exclude = parsed.list("exclude")};
  auto options = parsed.pairs("option");
  if (!options) return fail(std::move(options).error());
  for (const auto& [key, value] : *options) {
    const std::size_t dot = key.find('.');
    if (dot == std::string::npos || dot == 0)
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("`--option {}={}`: `provider.key=value` is wanted", key, value)});
    selection.options[key.substr(0, dot)][key.substr(dot + 1)] = value;
  }
  return selection;
}

CacheOptions cache_options_from(const Parsed& parsed) { return {.folder = parsed.value("cache-folder")}; }

Result<SessionOptions> session_options_from(const Parsed& parsed) {
  SessionOptions options;
  auto selection = selection_from(parsed);
  if (!selection) return fail(std::move(selection).error());
  options.providers = std::move(*selection);
  auto threads = threads_from(parsed);
  if (!threads) return fail(std::move(threads).error());
  options.threads = *threads;
  if (parsed.has("optimization")) options.optimization = optimization_named(parsed.value("optimization"));
  auto part = number_from(parsed, "min-placement");
  if (!part) return fail(std::move(part).error());
  options.min_placement = *part;
  options.verify = parsed.has("verify");
  options.memory_pattern = !parsed.has("no-memory-pattern");
  options.cpu_arena = !parsed.has("no-arena");
  options.allow_outside_data = places_from(parsed) == ExternalPlaces::Anywhere;
  options.profile_prefix = parsed.value("profile");
  if (parsed.has("cache")) options.cache = cache_options_from(parsed);
  options.optimized_model = parsed.value("save-optimized");
  options.custom_op_libraries = {parsed.values("custom-ops").begin(), parsed.values("custom-ops").end()};
  if (auto added = add_pairs(parsed, options); !added) return fail(std::move(added).error());
  return options;
}

}  // namespace surefoot::cli
