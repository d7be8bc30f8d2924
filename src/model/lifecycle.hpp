/// What a model knows of its session: the one that is there, what it was made of, and what went before.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "surefoot/model.hpp"

namespace surefoot::model {

/// The state of a model in short: two that are equal make equal sessions.
struct Fingerprint {
  std::uint64_t tree = 0;
  std::map<std::string, std::vector<std::uint64_t>> weights = {};  ///< those that differ from the file

  bool operator==(const Fingerprint&) const = default;
};

struct Lifecycle {
  ModelOptions options = {};
  std::optional<SessionOptions> wanted = {};  ///< of the last create_session(), also when it failed
  std::optional<Session> session = {};
  SessionOptions made_with = {};
  Fingerprint made_of = {};
  unsigned made_in = 0;               ///< the process: session::fork_generation()
  std::optional<Error> failure = {};  ///< of the last attempt, when that failed
  bool released = false;
  std::vector<ModelEvent> events = {};
};

struct State;

Fingerprint fingerprint(const State& state);

/// A session of the model as it is now, which the state does not keep. Errors: those of Session::open().
Result<Session> open_session(State& state, SessionOptions options);

/// In how far `to` differs from `from`, for an event; empty when they are equal.
std::string difference(const Fingerprint& from, const Fingerprint& to);
std::string difference(const SessionOptions& from, const SessionOptions& to);

}  // namespace surefoot::model
