#include "session/opener.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "provider/catalogue.hpp"
#include "provider/own_cache.hpp"
#include "session/compiled_parts.hpp"
#include "session/explain.hpp"
#include "session/fork_guard.hpp"
#include "session/keeping.hpp"
#include "session/optimizer_retry.hpp"
#include "session/outside_data.hpp"
#include "session/placement.hpp"
#include "session/settings.hpp"

namespace surefoot::session {
namespace {

std::string doing(const Source& source, const Candidate& candidate) {
  return fmt::format("opening {} on `{}`", source.name(), candidate.name);
}

/// Opens what the cache holds for these settings, into `opened`. What does not open is dropped, and noted.
void open_cached(const OpenRequest& request, const ort::SessionSettings& settings, Opened& opened) {
  if (request.cache == nullptr || !check_kept(request.options, *opened.candidate)) return;
  const ModelCache& cache = *request.cache;
  ort::Environment& environment = request.runtime.environment();
  const Purpose purpose{settings, compiled_for(request, *opened.candidate)};
  auto cached = cache.find(purpose);
  if (!cached) opened.notes.push_back({Stage::Create, std::move(cached).error()});
  if (!cached || !*cached) return;
  auto session = open_artifact(environment, (*cached)->file, settings, *(*cached)->form);
  if (session) {
    opened.session = std::move(*session);
    opened.cached = (*cached)->form;
    return;
  }
  cache.drop(purpose);
  opened.notes.push_back(
      {Stage::Create, std::move(session).error().while_doing("opening the cached model, which is dropped")});
}

/// `device` is the lock of the device where the provider captures graphs, null where it does not.
Result<std::shared_ptr<const ort::Session>> open_session(ort::Environment& environment, const Source& source,
                                                         const ort::OptionsHandle& options,
                                                         const DeviceLock& device) {
  if (device == nullptr) return ort::Session::open(environment, source.path, source.bytes, options);
  auto session = ort::Session::open_capturing(environment, source.path, source.bytes, options);
  if (!session) return session;
  return ended_under(device, std::move(*session));
}

/// Files that are replaced while they are read would be seen in part.
std::optional<OpenFailure> check_files(const SessionOptions& options) {
  auto checked = options.check_files ? options.check_files() : Result<void>();
  if (checked) return std::nullopt;
  return OpenFailure{Stage::Create, std::move(checked).error()};
}

/// With what is to happen when it is let go.
std::shared_ptr<const ort::Session> kept(std::shared_ptr<const ort::Session> session,
                                         const OpenRequest& request) {
  session = kept_in_child(std::move(session));
  if (request.options.profile_prefix.empty()) return session;
  return profiled(std::move(session), request.profiles);
}

/// Plugins read their options only now.
bool refuses_options(const Error& error, const Plan& plan, const Candidate& candidate) {
  return ort::blames_an_option(error) &&
         std::ranges::any_of(candidate.providers,
                             [&](const std::string& name) { return !plan.options(name).empty(); });
}

/// Has providers that build engines and kernels keep them in the cache.
void keep_what_is_built(const OpenRequest& request, const Candidate& candidate,
                        ort::SessionSettings& settings) {
  for (std::size_t i = 0; i < settings.providers.size(); ++i) {
    ort::Append& append = settings.providers[i];
    const provider::ProviderSpec* row = provider::find(candidate.providers[i]);
    if (row == nullptr || append.method == ort::AppendMethod::Plugin) continue;
    const provider::OptionMap given(append.options.begin(), append.options.end());
    const int ort_minor = request.runtime.api_version();
    if (provider::own_cache_options(*row, given, "folder", ort_minor).empty()) continue;
    const auto folder = request.cache->provider_folder(row->name);
    if (folder.empty()) continue;
    for (auto& option : provider::own_cache_options(*row, given, folder, ort_minor))
      append.options.push_back(option);
  }
}

/// A failure of making the session, in our words.
OpenFailure failed_to_open(const OpenRequest& request, const Candidate& candidate, Error error) {
  error = explain_compiled_parts(explain_open(std::move(error), request.runtime), request.info);
  if (!refuses_options(error, request.plan, candidate)) return {Stage::Create, std::move(error)};
  return {Stage::Register, ort::as_wrong_option(std::move(error))};
}

/// Makes the session of `opened`, at a lower optimization where ORT's own optimizer fails.
std::optional<OpenFailure> make_session(const OpenRequest& request, const ort::SessionSettings& settings,
                                        Opened& opened) {
  const auto& source = request.source;
  ort::Environment& environment = request.runtime.environment();
  auto prepared = ort::make_options(environment, settings);
  if (!prepared) return OpenFailure{Stage::Register, std::move(prepared).error()};
  const bool from_content = !request.content.empty() && is_host(*opened.candidate);
  auto session = open_session(environment, from_content ? Source{.bytes = request.content} : source,
                              *prepared, opened.graphs.device);
  if (!session && !request.options.optimization && is_host(*opened.candidate)) {
    if (auto lower = open_less_optimized(environment, source, settings, session.error())) {
      opened.notes.push_back({Stage::Create, std::move(lower->note)});
      session = std::move(lower->session);
    }
  }
  if (!session) return failed_to_open(request, *opened.candidate, std::move(session).error());
  opened.session = kept(std::move(*session), request);
  if (auto note = note_on_compiled_parts(request.info, opened.session->warnings()))
    opened.notes.push_back({Stage::Create, *std::move(note)});
  return std::nullopt;
}

/// Opens the model itself.
std::optional<OpenFailure> open_model(const OpenRequest& request, ort::SessionSettings settings,
                                      Opened& opened) {
  auto outside = map_outside_data(request.source);  // ORT copies it while it makes the session
  if (!outside) return OpenFailure{Stage::Create, std::move(outside).error()};
  for (const auto& [location, file] : *outside) settings.external_files.emplace_back(location, file.bytes());
  return make_session(request, settings, opened);
}

std::optional<OpenFailure> judge_placement(Opened& opened, double least) {
  auto placed = check_placement(*opened.session, *opened.candidate, least);
  if (!placed) return OpenFailure{Stage::Placement, std::move(placed).error()};
  if (*placed && opened.notes.empty()) opened.notes.push_back({Stage::Placement, **std::move(placed)});
  return std::nullopt;
}

}  // namespace

bool is_host(const Candidate& candidate) { return candidate.name == provider::host().name; }

ort::SessionSettings settings_of(const OpenRequest& request, const Candidate& candidate) {
  ort::SessionSettings settings = settings_for(request.options, request.plan, candidate, request.runtime);
  settings.entries.try_emplace("session.load_model_format",
                               request.source.format == ModelFormat::OrtFormat ? "ORT" : "ONNX");
  if (request.cache != nullptr) keep_what_is_built(request, candidate, settings);
  return settings;
}

namespace {

/// What is wanted of the leading provider.
enum class Graphs { No, Yes };

OpenResult open_with(const OpenRequest& request, const Candidate& candidate, Graphs graphs) {
  const ort::LiveSession live(
      request.runtime.environment());  // devices that are added stay until it holds them
  ort::SessionSettings settings = settings_of(request, candidate);
  const GraphSwitch graph_switch = GraphSwitch::of(candidate, request.options);
  if (graphs == Graphs::Yes) graph_switch.turn_on(settings);
  if (!settings.profile_prefix.empty())
    settings.profile_prefix = request.profiles->next_prefix(settings.profile_prefix);
  Opened opened{.candidate = &candidate, .session = nullptr, .plan = &request.plan};
  const provider::ProviderSpec* row = provider::find(candidate.name);
  opened.dlpack_device = (row == nullptr ? provider::plugin_row() : *row).dlpack_device;
  if (graph_switch.is_on(settings))
    opened.graphs = {.device = device_lock(candidate, settings), .by_thread = graph_switch.is_by_thread()};
  open_cached(request, settings, opened);
  if (opened.session != nullptr) {
    opened.session = kept(std::move(opened.session), request);
    return opened;
  }
  auto failure = check_files(request.options);
  if (!failure) failure = open_model(request, std::move(settings), opened);
  if (!failure) failure = check_files(request.options);
  if (!failure) failure = judge_placement(opened, request.options.min_placement);
  if (!failure) return opened;
  failure->error.doing.push_back(doing(request.source, candidate));
  return *std::move(failure);
}

/// Opens it as if graph capture had not been asked for, and notes why there is none.
OpenResult open_without_graphs(const OpenRequest& request, const Candidate& candidate, Error reason) {
  OpenResult result = open_with(request, candidate, Graphs::No);
  if (auto* opened = std::get_if<Opened>(&result)) {
    opened->notes.push_back({Stage::Capture, reason});
    opened->graphs.absent = std::move(reason);
  }
  return result;
}

}  // namespace

OpenResult open_candidate(const OpenRequest& request, const Candidate& candidate) {
  const GraphCapture wanted = request.options.graph_capture;
  if (wanted == GraphCapture::Off) return open_with(request, candidate, Graphs::No);
  const GraphSwitch graph_switch = GraphSwitch::of(candidate, request.options);
  if (!graph_switch.exists()) {
    Error reason = graph_switch.absent(candidate);
    if (wanted == GraphCapture::Require) return OpenFailure{Stage::Capture, std::move(reason)};
    return open_without_graphs(request, candidate, std::move(reason));
  }
  OpenResult result = open_with(request, candidate, Graphs::Yes);
  auto* failure = std::get_if<OpenFailure>(&result);
  if (failure == nullptr) return result;
  failure->error = graph_switch.refused(std::move(failure->error));
  if (wanted == GraphCapture::Require) return result;
  return open_without_graphs(request, candidate, std::move(failure->error));
}

}  // namespace surefoot::session
