#include "session/opener.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "provider/catalogue.hpp"
#include "session/explain.hpp"
#include "session/fork_guard.hpp"
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
void open_cached(const ModelCache& cache, ort::Environment& environment, const ort::SessionSettings& settings,
                 Opened& opened) {
  auto cached = cache.find(settings);
  if (!cached) opened.note = OpenFailure{Stage::Create, std::move(cached).error()};
  if (!cached || !*cached) return;
  auto options = ort::make_options(environment, settings_for_artifact(settings, *(*cached)->form));
  auto session = options ? ort::Session::open(environment, (*cached)->file, {}, *options)
                         : Result<std::shared_ptr<const ort::Session>>(fail(std::move(options).error()));
  if (session) {
    opened.session = std::move(*session);
    opened.cached = (*cached)->form;
    return;
  }
  cache.drop(settings);
  opened.note = OpenFailure{
      Stage::Create, std::move(session).error().while_doing("opening the cached model, which is dropped")};
}

/// Plugins read their options only now.
bool refuses_options(const Error& error, const Plan& plan, const Candidate& candidate) {
  return ort::blames_an_option(error) &&
         std::ranges::any_of(candidate.providers,
                             [&](const std::string& name) { return !plan.options(name).empty(); });
}

}  // namespace

ort::SessionSettings settings_of(const OpenRequest& request, const Candidate& candidate) {
  ort::SessionSettings settings = settings_for(request.options, request.plan, candidate, request.runtime);
  settings.entries.try_emplace("session.load_model_format",
                               request.source.format == ModelFormat::OrtFormat ? "ORT" : "ONNX");
  return settings;
}

OpenResult open_candidate(const OpenRequest& request, const Candidate& candidate) {
  const auto& [source, options, plan, runtime, cache] = request;
  ort::Environment& environment = runtime.environment();
  const ort::LiveSession live(environment);  // the devices that are added stay until the session holds them
  ort::SessionSettings settings = settings_of(request, candidate);
  Opened opened{.candidate = &candidate, .session = nullptr};
  const bool on_host = candidate.name == provider::host().name;
  if (cache != nullptr && on_host) open_cached(*cache, environment, settings, opened);
  if (opened.session != nullptr) {
    opened.session = kept_in_child(std::move(opened.session));
    return opened;
  }
  auto outside = map_outside_data(source);  // ORT copies it while it makes the session
  if (!outside)
    return OpenFailure{Stage::Create, std::move(outside).error().while_doing(doing(source, candidate))};
  for (const auto& [location, file] : *outside) settings.external_files.emplace_back(location, file.bytes());
  auto prepared = ort::make_options(environment, settings);
  if (!prepared)
    return OpenFailure{Stage::Register, std::move(prepared).error().while_doing(doing(source, candidate))};
  auto session = ort::Session::open(environment, source.path, source.bytes, *prepared);
  if (!session && !options.optimization && on_host) {
    if (auto lower = open_less_optimized(environment, source, settings, session.error())) {
      opened.note = OpenFailure{Stage::Create, std::move(lower->note)};
      session = std::move(lower->session);
    }
  }
  if (!session) {
    Error error = explain_open(std::move(session).error(), runtime).while_doing(doing(source, candidate));
    if (!refuses_options(error, plan, candidate)) return OpenFailure{Stage::Create, std::move(error)};
    return OpenFailure{Stage::Register, ort::as_wrong_option(std::move(error))};
  }
  opened.session = kept_in_child(std::move(*session));
  auto placed = check_placement(*opened.session, candidate);
  if (!placed)
    return OpenFailure{Stage::Placement, std::move(placed).error().while_doing(doing(source, candidate))};
  if (*placed) opened.note = OpenFailure{Stage::Placement, **std::move(placed)};
  return opened;
}

}  // namespace surefoot::session
