#include "surefoot/tune.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "diagnose/tune_search.hpp"
#include "plan/selection.hpp"
#include "session/cpu_budget.hpp"
#include "session/graph_switch.hpp"
#include "session/tuning_record.hpp"
#include "surefoot/bench.hpp"

namespace surefoot {
namespace {

using Clock = std::chrono::steady_clock;
using diagnose::CostPair;
using diagnose::TuneAxis;
using std::chrono::milliseconds;

/// The number of sessions that the final comparison times.
constexpr int kFinal = 6;

std::vector<std::string> other_providers(const Session& session) {
  std::vector<std::string> names;
  for (const Candidate* candidate : session.plan().viable())
    if (candidate->name != session.provider()) names.push_back(candidate->name);
  return names;
}

std::vector<std::string> thread_counts() {
  const int most = session::cpu_budget().threads();
  std::vector<std::string> counts;
  for (const int count : std::set<int>{1, 2, (most + 1) / 2, most})
    if (count <= most) counts.push_back(std::to_string(count));
  return counts;
}

constexpr const char* kGraph = "graph";

/// Nothing where the provider that leads captures no graphs.
std::vector<std::string> graph_modes(const Session& session, const SessionOptions& options) {
  const Candidate* leading = session.plan().candidate(session.provider());
  const bool captures = leading != nullptr && session::GraphSwitch::of(*leading, options).exists();
  return captures ? std::vector<std::string>{"on"} : std::vector<std::string>();
}

std::vector<TuneAxis> axes_for(const Session& session, const SessionOptions& options) {
  std::vector<TuneAxis> axes = {
      {"provider", other_providers(session)},  {"threads", thread_counts()}, {"spinning", {"off"}},
      {"optimization", {"extended", "basic"}}, {"parallel", {"on"}},         {"memory_pattern", {"off"}},
      {kGraph, graph_modes(session, options)}};
  std::erase_if(axes, [&](const TuneAxis& axis) {
    return axis.values.empty() || !session::is_open(axis.setting, options);
  });
  return axes;
}

/// How each pair is measured.
struct Pairs {
  std::filesystem::path model;
  std::span<const Input> inputs;
  const TuneOptions& options;
  SessionOptions session;
  milliseconds time;  ///< for each of a pair

  Result<BenchSubject> subject(std::string name, const TuneSettings& settings, bool prepared) const {
    BenchSubject made{.name = std::move(name), .model = model, .options = session, .prepared = prepared};
    if (auto applied = session::apply_tuned(settings, made.options); !applied)
      return fail(std::move(applied).error());
    return made;
  }

  double cost(const BenchResult& result) const {
    return options.goal == TuneGoal::Latency ? result.latency.p50
                                             : 1e6 / result.throughput.front().per_second;
  }

  Result<CostPair> measure(const TuneSettings& before, const TuneSettings& after) const {
    // Only a prepared run replays a graph: against what it gains stands one without.
    const bool prepared = before.contains(kGraph) || after.contains(kGraph);
    auto first = subject("before", before, prepared), second = subject("after", after, prepared);
    if (!first) return fail(std::move(first).error());
    if (!second) return fail(std::move(second).error());
    BenchOptions bench_options{.time = time};
    if (options.goal == TuneGoal::Throughput) bench_options.callers = {options.callers};
    auto results = bench(std::array{*std::move(first), *std::move(second)}, inputs, bench_options);
    if (!results) return fail(std::move(results).error());
    const BenchResult& tried = results->back();
    const auto wanted = after.find("provider");
    if (wanted != after.end() && tried.provider != wanted->second)
      return fail({.code = ErrorCode::ProviderFailed,
                   .what = tried.events.empty() ? fmt::format("`{}` led instead", tried.provider)
                                                : tried.events.front().error.what});
    return CostPair{cost(results->front()), cost(tried)};
  }
};

Result<std::filesystem::path> save(const TuneReport& report, const TuneOptions& options,
                                   const Session& session, const std::filesystem::path& model) {
  const Runtime& runtime = *options.session.runtime;
  const auto place = session::tuning_place(model, session.info(), runtime, options.session);
  if (!place) return fail(place.error());
  auto written = session::write_tuning(*place, report.settings,
                                       {{"file", std::filesystem::absolute(model).string()},
                                        {"onnxruntime", runtime.version()},
                                        {"goal", std::string(to_string(options.goal))},
                                        {"default_us", fmt::format("{:.2f}", report.before)},
                                        {"tuned_us", fmt::format("{:.2f}", report.after)}});
  if (!written) return fail(std::move(written).error());
  return place->file;
}

Result<Session> open_default(const std::filesystem::path& model, TuneOptions& options) {
  std::erase(options.session.providers.prefer, plan::kMeasured);
  if (!options.session.runtime) {
    auto runtime = Runtime::load();
    if (!runtime) return fail(std::move(runtime).error());
    options.session.runtime = std::move(*runtime);
  }
  return Session::open(model, options.session);
}

}  // namespace

std::string_view to_string(TuneGoal goal) noexcept {
  return goal == TuneGoal::Latency ? "latency" : "throughput";
}

Result<TuneReport> tune(const std::filesystem::path& model, std::span<const Input> inputs,
                        const TuneOptions& wanted) {
  TuneOptions options = wanted;
  auto session = open_default(model, options);
  if (!session) return fail(std::move(session).error());
  // A model that is slow to open has its time to search all the same.
  const auto begin = Clock::now();
  const auto axes = axes_for(*session, options.session);
  std::size_t timed = kFinal;
  for (const TuneAxis& axis : axes) timed += 2 * axis.values.size();
  // Half the time is left for opening and warming up.
  const milliseconds each = std::max(milliseconds(20), options.time / static_cast<std::int64_t>(2 * timed));
  const Pairs pairs{model, inputs, options, options.session, each};
  const auto measure = [&](const auto& before, const auto& after) { return pairs.measure(before, after); };
  TuneReport report =
      diagnose::search_settings(axes, measure, [&] { return Clock::now() - begin > options.time * 3 / 4; });
  if (auto proved = diagnose::prove(report, measure); !proved) return fail(std::move(proved).error());
  if (!options.save) return report;
  auto record = save(report, options, *session, model);
  if (!record) return fail(std::move(record).error());
  report.record = *std::move(record);
  return report;
}

}  // namespace surefoot
