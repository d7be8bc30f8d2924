#include "surefoot/compile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "compile/request_check.hpp"
#include "compile/validation.hpp"
#include "compile/writer.hpp"
#include "file/new_files.hpp"
#include "provider/catalogue.hpp"

namespace surefoot {
namespace {

namespace fs = std::filesystem;
using compilation::Target;
using Clock = std::chrono::steady_clock;
using Microseconds = std::chrono::microseconds;

constexpr std::uint64_t kExternalBeyond = std::uint64_t{1} << 30;
constexpr auto kQuick = std::chrono::seconds(1);
constexpr std::size_t kTimedOpenings = 3;
/// Engines compute in reduced precision by default, and the CPU that they are compared with does not.
constexpr double kEngineTolerance = 2e-2;

Microseconds since(Clock::time_point begin) {
  return std::chrono::duration_cast<Microseconds>(Clock::now() - begin);
}

/// Opens as often as is quick, and gives the last session with the median time.
Result<Session> open_timed(const Target& target, const fs::path& model, const SessionOptions& options,
                           Microseconds& time) {
  std::vector<Microseconds> times;
  for (;;) {
    const auto begin = Clock::now();
    auto session = compilation::open_on(target, model, options);
    if (!session) return session;
    times.push_back(since(begin));
    if (times.size() < kTimedOpenings && times.back() < kQuick) continue;
    std::ranges::sort(times);
    time = times[times.size() / 2];
    return session;
  }
}

std::uint64_t bytes_of(const ModelInfo& info, const fs::path& model) {
  std::set<std::string> beside;
  for (const ExternalData& data : info.external_data) beside.insert(data.location);
  for (const EpContext& context : info.ep_contexts)
    if (!context.embedded && !context.file.empty()) beside.insert(context.file);
  std::uint64_t bytes = info.file_bytes;
  std::error_code problem;
  for (const std::string& name : beside)
    if (const auto size = fs::file_size(model.parent_path() / name, problem); !problem) bytes += size;
  return bytes;
}

/// What the provider wrote to know its work by.
std::string compatibility_in(const ModelInfo& info, const Target& target) {
  const auto at = info.metadata.find("ep_compatibility_info." + target.ort_name);
  return at == info.metadata.end() ? std::string() : at->second;
}

/// Sizes that were fixed while compiling are no free dimensions any more.
SessionOptions for_compiled(SessionOptions options, const ModelInfo& compiled) {
  std::set<std::string> names, denotations;
  for (const ValueInfo& input : compiled.inputs)
    if (input.type.shape)
      for (const Dimension& axis : *input.type.shape)
        names.insert(axis.name), denotations.insert(axis.denotation);
  std::erase_if(options.dimensions, [&](const auto& given) { return !names.contains(given.first); });
  std::erase_if(options.dimensions_by_denotation,
                [&](const auto& given) { return !denotations.contains(given.first); });
  return options;
}

Error about_reopening(Error error, const Target& target) {
  error.what = fmt::format("what was compiled for `{}` cannot be opened again: {}", target.name, error.what);
  if (error.code != ErrorCode::OutOfMemory) error.code = ErrorCode::ProviderFailed;
  error.hint = "nothing was written; use the model itself, or another version of the provider";
  return error;
}

/// One call of compile().
class Job {
 public:
  Job(const fs::path& source, const CompileOptions& options, Target target, ModelInfo info)
      : source_(source), options_(options), target_(std::move(target)), info_(std::move(info)) {}

  Result<CompileReport> run(const fs::path& destination) {
    report_.form = options_.form.value_or(target_.form_for(destination));
    report_.provider = target_.name;
    report_.onnxruntime = options_.session.runtime->version();
    report_.source_bytes = bytes_of(info_, source_);
    auto files = file::NewFiles::create(destination);
    if (!files) return fail(std::move(files).error());
    auto done = run_reference();
    if (done) done = write(files->main());
    if (done) done = validate(files->main());
    if (done) done = publish(*files);
    if (!done) return fail(std::move(done).error());
    return std::move(report_);
  }

 private:
  void at(CompileStep step) const {
    if (options_.on_step) options_.on_step(step);
  }

  void note(const Session& session) {
    std::ranges::move(session.events(), std::back_inserter(report_.notes));
  }

  /// Opening the source where that builds an engine would do the work twice: the CPU runs it instead.
  Result<Target> reference_target() const {
    if (!target_.builds_engines) return target_;
    return compilation::find_target(*options_.session.runtime, std::string(provider::host().name));
  }

  Result<void> run_reference() {
    auto target = reference_target();
    if (!target) return fail(std::move(target).error());
    at(CompileStep::OpenSource);
    auto session = open_timed(*target, source_, options_.session, report_.load_before);
    if (!session) return fail(std::move(session).error());
    note(*session);
    at(CompileStep::RunSource);
    auto reference = compilation::run_source(*session, options_.inputs);
    if (!reference) return fail(std::move(reference).error());
    reference_ = std::move(*reference);
    report_.validation.reference = target->name;
    return {};
  }

  bool external_weights() const {
    const bool large = info_.initializer_bytes > kExternalBeyond || !info_.external_data.empty();
    return options_.external_weights.value_or(large) && report_.form != CompiledForm::OrtFormat;
  }

  Result<void> write(const fs::path& destination) {
    at(CompileStep::Compile);
    const auto begin = Clock::now();
    auto info = compilation::write_compiled({.target = target_,
                                             .source = source_,
                                             .info = info_,
                                             .options = options_.session,
                                             .destination = destination,
                                             .form = report_.form,
                                             .embed = options_.embed,
                                             .external_weights = external_weights()});
    if (!info) return fail(std::move(info).error());
    report_.compile_time = since(begin);
    if (target_.builds_engines) report_.load_before = report_.compile_time;
    report_.compiled_bytes = bytes_of(*info, destination);
    report_.compiled_parts = info->ep_contexts.size();
    report_.compatibility = compatibility_in(*info, target_);
    compiled_ = std::move(*info);
    return {};
  }

  double tolerance() const {
    return options_.tolerance.value_or(target_.builds_engines ? kEngineTolerance : -1);
  }

  Result<void> validate(const fs::path& compiled) {
    at(CompileStep::OpenCompiled);
    const SessionOptions options = for_compiled(options_.session, compiled_);
    auto session = open_timed(target_, compiled, options, report_.load_after);
    if (!session) return fail(about_reopening(std::move(session).error(), target_));
    note(*session);
    at(CompileStep::Compare);
    auto validation = compilation::compare_with(*session, reference_, tolerance());
    if (!validation) return fail(std::move(validation).error());
    validation->reference = report_.validation.reference;
    report_.validation = std::move(*validation);
    return {};
  }

  Result<void> publish(file::NewFiles& files) {
    at(CompileStep::Publish);
    auto places = files.commit();
    if (!places) return fail(std::move(places).error());
    report_.files = std::move(*places);
    return {};
  }

  const fs::path& source_;
  const CompileOptions& options_;
  Target target_;
  ModelInfo info_;
  ModelInfo compiled_ = {};
  compilation::Reference reference_ = {};
  CompileReport report_ = {};
};

}  // namespace

std::string_view to_string(CompiledForm form) noexcept {
  switch (form) {
    case CompiledForm::Onnx:
      return "onnx";
    case CompiledForm::OrtFormat:
      return "ort";
    case CompiledForm::EpContext:
      return "ep-context";
  }
  return "unknown";
}

std::string_view to_string(CompileStep step) noexcept {
  switch (step) {
    case CompileStep::OpenSource:
      return "opening the source";
    case CompileStep::RunSource:
      return "running the source";
    case CompileStep::Compile:
      return "compiling";
    case CompileStep::OpenCompiled:
      return "opening what was compiled";
    case CompileStep::Compare:
      return "comparing the outputs";
    case CompileStep::Publish:
      return "putting it in place";
  }
  return "unknown";
}

Result<CompileReport> compile(const fs::path& source, const fs::path& destination, const std::string& target,
                              const CompileOptions& options) {
  auto info = inspect(source);
  if (!info) return fail(std::move(info).error());
  if (auto checked = compilation::check_request(options, *info); !checked)
    return fail(std::move(checked).error());
  auto runtime = options.session.runtime ? Result<Runtime>(*options.session.runtime) : Runtime::load();
  if (!runtime) return fail(std::move(runtime).error());
  CompileOptions complete = options;
  complete.session.runtime = *runtime;
  auto found = compilation::find_target(*runtime, target);
  if (!found) return fail(std::move(found).error());
  return Job(source, complete, std::move(*found), std::move(*info)).run(destination);
}

}  // namespace surefoot
