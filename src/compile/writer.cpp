#include "compile/writer.hpp"

#include <fmt/format.h>

#include <set>

#include "ort/model_compiler.hpp"
#include "session/explain.hpp"
#include "session/opener.hpp"
#include "session/outside_data.hpp"

namespace surefoot::compilation {
namespace {

constexpr std::size_t kExternalFromBytes = 1024;

std::filesystem::path weights_name(const WriteRequest& request) {
  return request.destination.filename().string() + ".data";
}

/// What a session on the target is made with, and the files that stay mapped for it meanwhile.
struct Preparation {
  ort::SessionSettings settings;
  session::MappedData mapped;
};

/// The target's own candidate of the plan that a session on it would have.
Result<Plan> plan_for(const WriteRequest& request, const SessionOptions& options) {
  auto plan = make_plan(machine_facts(*options.runtime), request.info, options.providers);
  if (!plan) return plan;
  const Candidate* candidate = plan->candidate(request.target.name);
  if (candidate != nullptr && candidate->reason) return fail(*candidate->reason);
  return plan;
}

/// ORT moves weights from one external file to another only from here on.
constexpr int kMovesExternalWeights = 23;

/// ORT writes references to files that it has only read from, and those would lead elsewhere: where it does
/// not move the weights, it gets them from memory.
session::Source source_of(const WriteRequest& request) {
  session::Source source{.path = request.source};
  if (request.options.allow_outside_data) session::note_outside_data(source, request.info, {});
  const bool moved =
      request.external_weights && request.options.runtime->api_version() >= kMovesExternalWeights;
  if (moved || !source.outside_data.empty()) return source;
  std::set<std::string> locations;
  for (const ExternalData& data : request.info.external_data) locations.insert(data.location);
  source.data_folder = request.source.parent_path();
  source.outside_data = {locations.begin(), locations.end()};
  return source;
}

Result<Preparation> prepare(const WriteRequest& request) {
  const SessionOptions options = request.target.only(request.options);
  auto plan = plan_for(request, options);
  if (!plan) return fail(std::move(plan).error());
  const session::Source source = source_of(request);
  auto mapped = session::map_outside_data(source);
  if (!mapped) return fail(std::move(mapped).error());
  Preparation made{session::settings_of({source, options, *plan, *options.runtime, request.info},
                                        *plan->candidate(request.target.name)),
                   *std::move(mapped)};
  for (const auto& [location, file] : made.mapped)
    made.settings.external_files.emplace_back(location, file.bytes());
  return made;
}

/// ORT writes what it made of the model while it opens it.
Result<void> write_optimized(const WriteRequest& request, ort::SessionSettings settings) {
  settings.optimized_model = request.destination;
  settings.entries["session.save_model_format"] = request.form == CompiledForm::OrtFormat ? "ORT" : "ONNX";
  if (request.external_weights) {
    settings.entries["session.optimized_model_external_initializers_file_name"] =
        weights_name(request).string();
    settings.entries["session.optimized_model_external_initializers_min_size_in_bytes"] =
        std::to_string(kExternalFromBytes);
  }
  ort::Environment& environment = request.options.runtime->environment();
  const ort::LiveSession live(environment);
  auto options = ort::make_options(environment, settings);
  if (!options) return fail(std::move(options).error());
  auto session = ort::Session::open(environment, request.source, {}, *options);
  if (!session) return fail(std::move(session).error());
  return {};
}

/// The provider compiles, and ORT writes the nodes that stand for what it compiled.
Result<void> write_contexts(const WriteRequest& request, const ort::SessionSettings& settings) {
  ort::CompileSettings what{
      .source = request.source, .destination = request.destination, .embed = request.embed};
  if (request.external_weights) {
    what.weights = weights_name(request);
    what.weights_from_bytes = kExternalFromBytes;
  }
  return ort::compile_model(request.options.runtime->environment(), settings, what);
}

Result<void> write(const WriteRequest& request) {
  auto made = prepare(request);
  if (!made) return fail(std::move(made).error());
  auto written = request.form == CompiledForm::EpContext ? write_contexts(request, made->settings)
                                                         : write_optimized(request, made->settings);
  if (written) return written;
  return fail(session::explain_open(std::move(written).error(), *request.options.runtime));
}

Failure compiled_nothing(const Target& target) {
  return fail({.code = ErrorCode::ProviderFailed,
               .what = fmt::format("`{}` compiled no part of the model", target.name)});
}

Result<ModelInfo> check_written(const WriteRequest& request) {
  auto info = inspect(request.destination);
  if (!info) return info;
  if (request.form == CompiledForm::EpContext && info->ep_contexts.empty())
    return compiled_nothing(request.target);
  auto beside = check_external_data(*info, request.destination);
  if (beside) return info;
  Error error = std::move(beside).error();
  error.code = ErrorCode::ProviderFailed;
  return fail(std::move(error).while_doing("looking for the files that the compiled model refers to"));
}

}  // namespace

Result<ModelInfo> write_compiled(const WriteRequest& request) {
  auto written = write(request);
  if (!written)
    return fail(std::move(written).error().while_doing(
        fmt::format("compiling `{}` for `{}`", request.source.string(), request.target.name)));
  return check_written(request);
}

}  // namespace surefoot::compilation
