/// Opening one candidate, and finding out whether its success is one.
#pragma once

#include <memory>
#include <optional>

#include "ort/session.hpp"
#include "session/graph_switch.hpp"
#include "session/model_cache.hpp"
#include "session/profile_files.hpp"
#include "session/source.hpp"
#include "surefoot/session.hpp"

namespace surefoot::session {

/// What went wrong on the way, and where.
struct OpenFailure {
  Stage stage;
  Error error;
};

/// Whether the leading provider of an open candidate captures graphs.
struct GraphUse {
  std::optional<Error> absent = {};  ///< why it does not, where the session's options ask for it
  DeviceLock device = {};            ///< null where it does not
  bool by_thread = false;            ///< GraphSwitch::is_by_thread
};

/// A candidate that opened.
struct Opened {
  const Candidate* candidate;
  std::shared_ptr<const ort::Session> session;
  const Plan* plan = nullptr;  ///< that the candidate is of
  /// For the events: steps down that were needed, or what could not be found out.
  std::vector<OpenFailure> notes = {};
  /// Of what the cache held; null when it was opened from the model itself.
  const ArtifactForm* cached = nullptr;
  GraphUse graphs = {};
  int dlpack_device = 0;  ///< DLPack's number for the leading provider's memory; 0: it has none
};

/// Whether it is ORT's CPU alone.
bool is_host(const Candidate& candidate);

/// What opening a candidate needs; all of it outlives the session.
struct OpenRequest {
  const Source& source;
  const SessionOptions& options;
  const Plan& plan;
  const Runtime& runtime;
  const ModelInfo& info;              ///< of the source
  const ModelCache* cache = nullptr;  ///< null: not to be used
  std::shared_ptr<ProfileFiles> profiles = {};
  /// Of the source's file, where it was read and ORT needs nothing beside it; empty otherwise.
  std::span<const std::byte> content = {};
};

/// What the candidate's session is made with.
ort::SessionSettings settings_of(const OpenRequest& request, const Candidate& candidate);

using OpenResult = std::variant<Opened, OpenFailure>;

/// Adds the candidate's providers, makes the session, and checks that the leading provider took any
/// node at all: ORT reports success when a capability call failed, or when it took none. Where graph capture
/// is only to be tried, what does not open with it is opened without.
OpenResult open_candidate(const OpenRequest& request, const Candidate& candidate);

}  // namespace surefoot::session
