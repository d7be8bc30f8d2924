#include <algorithm>

#include "report/json.hpp"

namespace surefoot::reporting {
namespace {

double of_one_run(std::chrono::microseconds total, std::size_t runs) {
  return static_cast<double>(total.count()) / static_cast<double>(std::max<std::size_t>(runs, 1));
}

Json json_of(const Histogram& histogram) {
  return {{"from_us", histogram.from},
          {"width_us", histogram.width},
          {"counts", histogram.counts},
          {"beyond", histogram.beyond}};
}

Json json_of(const Latency& latency) {
  return {{"runs", latency.runs}, {"min", latency.least},
          {"p50", latency.p50},   {"p50_95", {latency.p50_from, latency.p50_to}},
          {"p90", latency.p90},   {"p99", latency.p99},
          {"max", latency.most},  {"mean", latency.mean}};
}

/// JSON has no infinities and no NaN: null there.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

}  // namespace

Json json_of(const Placement& placement) {
  Json json = {{"summary", to_string(placement)}, {"providers", Json::array()}};
  for (const ProviderShare& share : placement.providers)
    json["providers"].push_back(
        {{"name", share.provider}, {"nodes", share.nodes}, {"share", placement.share_of(share.provider)}});
  return json;
}

Json json_of(const ProfileSummary& profile) {
  Json json = {{"runs", profile.runs},
               {"run_us", of_one_run(profile.run_time, profile.runs)},
               {"node_us", of_one_run(profile.node_time, profile.runs)},
               {"copies",
                {{"to_device", profile.copies_to_device},
                 {"from_device", profile.copies_from_device},
                 {"share", profile.share_of_copies()}}},
               {"providers", Json::array()},
               {"operators", Json::array()},
               {"unread_events", profile.unread_events}};
  for (const ProviderTime& row : profile.providers)
    json["providers"].push_back({{"name", row.provider},
                                 {"nodes", row.nodes},
                                 {"partitions", row.partitions},
                                 {"us", of_one_run(row.total, profile.runs)}});
  for (const OperatorTime& row : profile.operators)
    json["operators"].push_back({{"op", row.op},
                                 {"provider", row.provider},
                                 {"nodes", row.nodes},
                                 {"us", of_one_run(row.total, profile.runs)}});
  return json;
}

Json json_of(const ReportNode& node, std::size_t runs) {
  Json json = {{"name", node.name}, {"op", node.op}};
  if (!node.provider.empty()) json["provider"] = node.provider;
  json["in_model"] = node.in_model;
  if (node.calls > 0) {
    json["calls"] = of_one_run(std::chrono::microseconds(node.calls), runs);
    json["us"] = of_one_run(node.total, runs);
  }
  if (!node.in_model) return json;
  json["inputs"] = node.inputs;
  json["outputs"] = node.outputs;
  return json;
}

Json json_of(const BenchResult& result) {
  return {{"name", result.name},
          {"provider", result.provider},
          {"load_us", result.load.count()},
          {"first_run_us", result.first_run.count()},
          {"memory_bytes", result.memory_bytes},
          {"warm_up_runs", result.warm_up_runs},
          {"stable", result.stable},
          {"latency_us", json_of(result.latency)},
          {"histogram", json_of(histogram_of(result.times))},
          {"events", list_of(result.events)}};
}

Json json_of(const NamedDifference& output) {
  Json json = {{"name", output.name}};
  json.update(json_of(output.difference));
  return json;
}

Json json_of(const TensorDifference& difference) {
  Json json = {{"within", difference.within()}};
  if (!difference.mismatch.empty()) {
    json["mismatch"] = difference.mismatch;
    return json;
  }
  json["type"] = to_string(difference.type);
  json["elements"] = difference.elements;
  json["beyond"] = difference.beyond;
  json["max_absolute"] = number(difference.max_absolute);
  json["max_relative"] = number(difference.max_relative);
  json["worst"] = {{"element", difference.worst},
                   {"one", number(difference.worst_one)},
                   {"other", number(difference.worst_other)}};
  if (difference.cosine) json["cosine"] = number(*difference.cosine);
  for (std::size_t i = 0; i < kUlpBins; ++i) json["ulps"][std::string(kUlpBinNames[i])] = difference.ulps[i];
  json["nan"] = {difference.nan_one, difference.nan_other};
  json["infinite"] = {difference.infinite_one, difference.infinite_other};
  return json;
}

}  // namespace surefoot::reporting
