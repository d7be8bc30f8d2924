#include <fmt/format.h>

#include <algorithm>

#include "file/temporary_folder.hpp"
#include "provider/catalogue.hpp"
#include "report/report_nodes.hpp"
#include "surefoot/report.hpp"

namespace surefoot {
namespace {

void begin(ReportStep step, const ReportRequest& request) {
  if (request.on_step) request.on_step(step);
}

/// What every session of the report but the first is opened with: nothing that writes files.
SessionOptions plain_options(SessionOptions options) {
  options.profile_prefix.clear();
  options.optimized_model.clear();
  return options;
}

SessionOptions cpu_options(SessionOptions options) {
  options = plain_options(std::move(options));
  options.providers.prefer.clear();
  options.providers.exclude.clear();
  options.providers.only = {std::string(provider::host().name)};
  options.min_placement = 0;
  options.verify = false;
  return options;
}

void take_session(Report& report, const Session& session) {
  report.runtime = machine_facts(session.runtime());
  const auto candidates = session.plan().candidates();
  report.candidates.assign(candidates.begin(), candidates.end());
  report.provider = session.provider();
  report.providers = session.providers();
  report.events = session.events();
  if (auto placement = session.placement()) report.placement = std::move(*placement);
}

Result<ProfileSummary> profile_of(Session& session, const ReportRequest& request) {
  for (std::size_t left = request.runs + 1; left > 0; --left)
    if (auto outputs = session.infer(request.inputs); !outputs) return fail(std::move(outputs).error());
  auto trace = session.end_profiling();
  if (!trace) return fail(std::move(trace).error());
  return read_profile(*trace, {.skip_runs = 1});
}

Result<void> add_profile(Report& report, Session& session, const ReportRequest& request) {
  auto profile = profile_of(session, request);
  if (!profile) return fail(std::move(profile).error().while_doing("profiling for the report"));
  take_session(report, session);
  report.profile = std::move(*profile);
  auto outline = onnx::read_outline(request.model);
  if (!outline) return fail(std::move(outline).error());
  report.nodes =
      reporting::report_nodes({*outline, report.placement ? &*report.placement : nullptr, report.profile});
  return {};
}

Result<void> add_comparison(Report& report, const Session& session, const ReportRequest& request) {
  if (report.provider == provider::host().name) return {};
  begin(ReportStep::Compare, request);
  auto cpu = Session::open(request.model, cpu_options(request.options));
  if (!cpu) return fail(std::move(cpu).error().while_doing("opening the model on the CPU, to compare"));
  auto comparison = compare_sessions(session, *cpu, request.inputs);
  if (!comparison) return fail(std::move(comparison).error());
  report.comparison = std::move(*comparison);
  return {};
}

Result<void> add_latency(Report& report, const ReportRequest& request) {
  begin(ReportStep::Bench, request);
  const SessionOptions options = plain_options(request.options);
  std::vector<BenchSubject> subjects{{report.provider, request.model, options}};
  if (report.comparison)
    subjects.push_back({std::string(provider::host().name), request.model, cpu_options(options)});
  auto results = bench(subjects, request.inputs, {.time = request.time});
  if (!results) return fail(std::move(results).error());
  report.latency = std::move(*results);
  return {};
}

Result<void> add_machine(Report& report, const ReportRequest& request) {
  begin(ReportStep::Machine, request);
  report.machine = examine_machine({.library = report.runtime.runtime_path});
  auto findings = diagnose_machine(report.machine, request.model);
  if (!findings) return fail(std::move(findings).error());
  report.findings = std::move(*findings);
  return {};
}

/// "float32[1,3]"; of what is no tensor, as the model declares it.
std::string type_of(const Input& input, const ModelInfo& model) {
  if (input.value != nullptr) {
    const auto at = std::ranges::find(model.inputs, input.name, &ValueInfo::name);
    return at == model.inputs.end() ? "" : to_string(at->type);
  }
  std::string axes;
  for (const std::int64_t size : input.tensor.shape) axes += (axes.empty() ? "" : ",") + std::to_string(size);
  return fmt::format("{}[{}]", to_string(input.tensor.type), axes);
}

}  // namespace

std::string_view to_string(ReportStep step) noexcept {
  switch (step) {
    case ReportStep::Profile:
      return "profiling";
    case ReportStep::Compare:
      return "comparing with the CPU";
    case ReportStep::Bench:
      return "timing";
    case ReportStep::Machine:
      return "examining the machine";
  }
  return "working";
}

Result<Report> make_report(const ReportRequest& request) {
  Report report{.path = request.model,
                .made = std::chrono::system_clock::now(),
                .made_up_inputs = request.made_up_inputs};
  auto traces = file::TemporaryFolder::make("surefoot-report");
  if (!traces) return fail(std::move(traces).error());
  SessionOptions options = request.options;
  options.profile_prefix = traces->path() / "run";
  begin(ReportStep::Profile, request);
  auto session = Session::open(request.model, std::move(options));
  if (!session) return fail(std::move(session).error());
  report.model = session->info();
  for (const Input& input : request.inputs)
    report.inputs.push_back({std::string(input.name), type_of(input, report.model)});
  auto done = add_profile(report, *session, request);
  if (done) done = add_comparison(report, *session, request);
  if (done) done = add_latency(report, request);
  if (done) done = add_machine(report, request);
  if (!done) return fail(std::move(done).error());
  report.events = session->events();  // those of the comparison, too
  return report;
}

}  // namespace surefoot
