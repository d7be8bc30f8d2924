#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "diagnosis.hpp"
#include "durations.hpp"
#include "errors.hpp"
#include "events.hpp"
#include "inputs.hpp"
#include "machine.hpp"
#include "measuring.hpp"
#include "names.hpp"
#include "plan.hpp"
#include "surefoot/report.hpp"

namespace surefoot::python {
namespace {

namespace fs = std::filesystem;

void set_on_step(ReportRequest& request, nb::object call) {
  request.on_step = {};
  if (auto told = text_call(std::move(call)))
    request.on_step = [told = std::move(told)](ReportStep step) { told(to_string(step)); };
}

void set_runs(ReportRequest& request, std::int64_t runs) {
  if (runs < 1)
    raise({.code = ErrorCode::InvalidArgument,
           .what = "a profile of " + std::to_string(runs) + " runs is asked for",
           .hint = "give 1 or more"});
  request.runs = static_cast<std::size_t>(runs);
}

nb::list rows_of(const std::vector<ReportNode>& nodes) {
  nb::list list;
  for (const ReportNode& each : nodes)
    list.append(nb::make_tuple(each.name, each.op, each.provider, each.in_model, each.calls,
                               seconds_of(each.total), each.inputs, each.outputs));
  return list;
}

nb::list rows_of(const std::vector<ReportInput>& inputs) {
  nb::list list;
  for (const ReportInput& each : inputs) list.append(nb::make_tuple(each.name, each.type));
  return list;
}

nb::list rows_of(const std::vector<BenchResult>& results) {
  nb::list list;
  for (const BenchResult& each : results) list.append(to_tuple(each));
  return list;
}

/// What it is of, and how it was opened.
nb::dict opened(const Report& report) {
  nb::dict made;
  made["path"] = report.path;
  made["made"] = seconds_of(report.made.time_since_epoch());
  made["model"] = to_dict(report.model);
  made["inputs"] = rows_of(report.inputs);
  made["made_up_inputs"] = report.made_up_inputs;
  made["onnxruntime"] = report.runtime.runtime_version;
  made["library"] = report.runtime.runtime_path;
  made["execution_providers"] = to_list(report.runtime.providers);
  made["candidates"] = to_list(std::span<const Candidate>(report.candidates));
  made["provider"] = report.provider;
  made["providers"] = report.providers;
  made["events"] = to_list(report.events);
  return made;
}

/// What was measured, and what the report is as text.
nb::tuple parts_of(const Report& report) {
  nb::dict made = opened(report);
  made["placement"] = report.placement ? nb::object(to_tuple(*report.placement)) : nb::none();
  made["profile"] = to_dict(report.profile);
  made["nodes"] = rows_of(report.nodes);
  made["latency"] = rows_of(report.latency);
  made["comparison"] = report.comparison ? nb::object(to_list(*report.comparison)) : nb::none();
  made["machine"] = to_tuple(report.machine, report.findings);
  const auto [json, html] = [&] {
    const nb::gil_scoped_release released;
    return std::pair(to_json(report), to_html(report));
  }();
  return nb::make_tuple(made, json, html);
}

template <class Make>
nb::tuple made_of(ReportRequest request, nb::dict feed, Make&& make) {
  const ModelInfo info = waiting([&] { return inspect(request.model); });
  const CallInputs inputs(info, std::move(feed));
  request.inputs = inputs.inputs();
  return parts_of(waiting([&] { return make(request); }));
}

nb::tuple report_on(const ReportRequest& request, nb::dict feed) {
  return made_of(request, std::move(feed), make_report);
}

nb::tuple report_in(const ReportRequest& request, nb::dict feed, const fs::path& page, bool replace) {
  const ExistingFile existing = replace ? ExistingFile::Replace : ExistingFile::Keep;
  return made_of(request, std::move(feed),
                 [&](const ReportRequest& filled) { return write_report(filled, page, existing); });
}

}  // namespace

void bind_reporting(nb::module_& module) {
  nb::class_<ReportRequest>(module, "ReportRequest")
      .def(nb::init<>())
      .def_rw("model", &ReportRequest::model)
      .def_rw("options", &ReportRequest::options)
      .def_rw("made_up_inputs", &ReportRequest::made_up_inputs)
      .def("set_runs", set_runs, nb::arg("runs"))
      .def(
          "set_time", [](ReportRequest& self, double seconds) { self.time = time_to_spend(seconds); },
          nb::arg("seconds"))
      .def("set_on_step", set_on_step, nb::arg("call").none());
  module.def("make_report", report_on, nb::arg("request"), nb::arg("feed"));
  module.def("write_report", report_in, nb::arg("request"), nb::arg("feed"), nb::arg("page"),
             nb::arg("replace"));
}

}  // namespace surefoot::python
