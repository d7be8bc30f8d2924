#include "session/opener.hpp"

#include <fmt/format.h>

#include "provider/catalogue.hpp"
#include "session/explain.hpp"
#include "session/fork_guard.hpp"
#include "session/optimizer_retry.hpp"
#include "session/placement.hpp"
#include "session/settings.hpp"

namespace surefoot::session {
namespace {

std::string doing(const Source& source, const Candidate& candidate) {
  return fmt::format("opening {} on `{}`", source.name(), candidate.name);
}

}  // namespace

OpenResult open_candidate(const OpenRequest& request, const Candidate& candidate) {
  const auto& [source, options, plan, runtime] = request;
  ort::Environment& environment = runtime.environment();
  const ort::LiveSession live(environment);  // the devices that are added stay until the session holds them
  ort::SessionSettings settings = settings_for(options, plan, candidate, runtime);
  settings.entries.try_emplace("session.load_model_format",
                               source.format == ModelFormat::OrtFormat ? "ORT" : "ONNX");
  auto prepared = ort::make_options(environment, settings);
  if (!prepared)
    return OpenFailure{Stage::Register, std::move(prepared).error().while_doing(doing(source, candidate))};
  auto session = ort::Session::open(environment, source.path, source.bytes, *prepared);
  Opened opened{.candidate = &candidate, .session = nullptr};
  if (!session && !options.optimization && candidate.name == provider::host().name) {
    if (auto lower = open_less_optimized(environment, source, settings, session.error())) {
      opened.note = std::move(lower->note);
      session = std::move(lower->session);
    }
  }
  if (!session)
    return OpenFailure{
        Stage::Create,
        explain_open(std::move(session).error(), runtime).while_doing(doing(source, candidate))};
  opened.session = kept_in_child(std::move(*session));
  if (auto placed = check_placement(*opened.session, candidate); !placed)
    return OpenFailure{Stage::Placement, std::move(placed).error().while_doing(doing(source, candidate))};
  return opened;
}

}  // namespace surefoot::session
