/// Opening one candidate, and finding out whether its success is one.
#pragma once

#include <memory>
#include <optional>

#include "ort/session.hpp"
#include "session/model_cache.hpp"
#include "session/source.hpp"
#include "surefoot/session.hpp"

namespace surefoot::session {

/// What went wrong on the way, and where.
struct OpenFailure {
  Stage stage;
  Error error;
};

/// A candidate that opened.
struct Opened {
  const Candidate* candidate;
  std::shared_ptr<const ort::Session> session;
  /// For the events: a step down that was needed, or what could not be found out.
  std::optional<OpenFailure> note = {};
  /// Of what the cache held; null when it was opened from the model itself.
  const ArtifactForm* cached = nullptr;
};

/// What opening a candidate needs; all of it outlives the session.
struct OpenRequest {
  const Source& source;
  const SessionOptions& options;
  const Plan& plan;
  const Runtime& runtime;
  const ModelInfo& info;              ///< of the source
  const ModelCache* cache = nullptr;  ///< null: not to be used
};

/// What the candidate's session is made with.
ort::SessionSettings settings_of(const OpenRequest& request, const Candidate& candidate);

using OpenResult = std::variant<Opened, OpenFailure>;

/// Adds the candidate's providers, makes the session, and checks that the leading provider took any
/// node at all: ORT reports success when a capability call failed, or when it took none.
OpenResult open_candidate(const OpenRequest& request, const Candidate& candidate);

}  // namespace surefoot::session
