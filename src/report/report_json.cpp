#include <fmt/chrono.h>
#include <fmt/format.h>

#include "report/json.hpp"

namespace surefoot {
namespace {

using reporting::Json;

std::string time_text(std::chrono::system_clock::time_point time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

Json json_of_plan(const Report& report) {
  return {{"chosen", report.provider},
          {"providers", report.providers},
          {"candidates", reporting::list_of(report.candidates)}};
}

Json json_of_comparison(const Report& report) {
  if (!report.comparison) return {};
  return {{"one", report.provider},
          {"other", report.latency.empty() ? std::string() : report.latency.back().name},
          {"within", report.comparison->within()},
          {"outputs", reporting::list_of(report.comparison->outputs)}};
}

Json json_of_inputs(const Report& report) {
  Json values = Json::array();
  for (const ReportInput& input : report.inputs)
    values.push_back({{"name", input.name}, {"type", input.type}});
  return {{"made_up", report.made_up_inputs}, {"values", std::move(values)}};
}

}  // namespace

std::string to_json(const Report& report) {
  const Json json = {
      {"schema", "surefoot.report/1"},
      {"made", time_text(report.made)},
      {"model", reporting::json_of_model(report)},
      {"inputs", json_of_inputs(report)},
      {"runtime",
       {{"version", report.runtime.runtime_version}, {"path", report.runtime.runtime_path.string()}}},
      {"plan", json_of_plan(report)},
      {"events", reporting::list_of(report.events)},
      {"placement", report.placement ? reporting::json_of(*report.placement) : Json()},
      {"profile", reporting::json_of(report.profile)},
      {"nodes", reporting::list_of(report.nodes, report.profile.runs)},
      {"latency", reporting::list_of(report.latency)},
      {"comparison", json_of_comparison(report)},
      {"findings", reporting::list_of(report.findings)},
      {"machine", reporting::json_of(report.machine)}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace surefoot
