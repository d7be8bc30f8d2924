#include "measuring.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "durations.hpp"
#include "errors.hpp"
#include "events.hpp"
#include "inputs.hpp"

namespace surefoot::python {
namespace {

namespace fs = std::filesystem;

nb::tuple parts_of(const Latency& latency) {
  return nb::make_tuple(latency.runs, latency.least, latency.p50, latency.p90, latency.p99, latency.most,
                        latency.mean, latency.p50_from, latency.p50_to);
}

/// (name, model, options)
using Subject = std::tuple<std::string, fs::path, SessionOptions>;

nb::list bench_all(const std::vector<Subject>& given, nb::dict feed, double seconds,
                   const std::vector<int>& callers, bool prepared) {
  if (given.empty())
    raise({.code = ErrorCode::InvalidArgument, .what = "nothing to time was given", .hint = "name a model"});
  std::vector<BenchSubject> subjects;
  for (const auto& [name, model, options] : given) subjects.push_back({name, model, options, prepared});
  const ModelInfo info = waiting([&] { return inspect(subjects.front().model); });
  const CallInputs inputs(info, std::move(feed));
  const BenchOptions options{.time = time_to_spend(seconds), .callers = callers};
  nb::list list;
  for (const BenchResult& each : waiting([&] { return bench(subjects, inputs.inputs(), options); }))
    list.append(to_tuple(each));
  return list;
}

nb::list rows_of(const std::vector<NodeTime>& nodes) {
  nb::list list;
  for (const NodeTime& each : nodes)
    list.append(nb::make_tuple(each.name, each.op, each.provider, each.input_type, each.calls,
                               seconds_of(each.total)));
  return list;
}

nb::list rows_of(const std::vector<OperatorTime>& operators) {
  nb::list list;
  for (const OperatorTime& each : operators)
    list.append(nb::make_tuple(each.op, each.provider, each.nodes, each.calls, seconds_of(each.total)));
  return list;
}

nb::list rows_of(const std::vector<ProviderTime>& providers) {
  nb::list list;
  for (const ProviderTime& each : providers)
    list.append(
        nb::make_tuple(each.provider, each.nodes, each.calls, each.partitions, seconds_of(each.total)));
  return list;
}

nb::dict profile(const fs::path& trace, std::size_t skip_runs) {
  return to_dict(waiting([&] { return read_profile(trace, {.skip_runs = skip_runs}); }));
}

}  // namespace

nb::tuple to_tuple(const BenchResult& result) {
  nb::list throughput;
  for (const Throughput& each : result.throughput)
    throughput.append(nb::make_tuple(each.callers, each.per_second));
  return nb::make_tuple(result.name, result.provider, to_list(result.events), seconds_of(result.load),
                        seconds_of(result.first_run), result.memory_bytes, result.warm_up_runs, result.stable,
                        parts_of(result.latency), throughput, result.times);
}

nb::dict to_dict(const ProfileSummary& found) {
  nb::dict made;
  made["runs"] = found.runs;
  made["run_time"] = seconds_of(found.run_time);
  made["node_time"] = seconds_of(found.node_time);
  made["nodes"] = rows_of(found.nodes);
  made["operators"] = rows_of(found.operators);
  made["providers"] = rows_of(found.providers);
  made["copies_to_device"] = found.copies_to_device;
  made["copies_from_device"] = found.copies_from_device;
  made["copy_time"] = seconds_of(found.copy_time);
  made["share_of_copies"] = found.share_of_copies();
  made["unread_events"] = found.unread_events;
  return made;
}

nb::tuple to_tuple(const Placement& placement) {
  nb::list nodes, providers;
  for (const PlacedNode& each : placement.nodes)
    nodes.append(nb::make_tuple(each.name, each.op, each.provider, each.type, each.why_not));
  for (const ProviderShare& each : placement.providers)
    providers.append(nb::make_tuple(each.provider, each.nodes, each.partitions, seconds_of(each.time),
                                    placement.share_of(each.provider),
                                    placement.time_share_of(each.provider)));
  return nb::make_tuple(nodes, providers, placement.measured, placement.copies_to_device,
                        placement.copies_from_device, to_string(placement));
}

void bind_measuring(nb::module_& module) {
  module.def("bench", bench_all, nb::arg("subjects"), nb::arg("feed"), nb::arg("seconds"), nb::arg("callers"),
             nb::arg("prepared"));
  module.def("read_profile", profile, nb::arg("trace"), nb::arg("skip_runs"));
}

}  // namespace surefoot::python
