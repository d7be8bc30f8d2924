#include "model/lifecycle.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/graph_check.hpp"
#include "model/session_source.hpp"
#include "model/state.hpp"
#include "onnx/model_file.hpp"
#include "session/fork_guard.hpp"
#include "surefoot/prepared_run.hpp"
#include "surefoot/provider.hpp"

namespace surefoot {
namespace model {
namespace {

using Kind = ModelEvent::Kind;
using Clock = std::chrono::steady_clock;

std::chrono::microseconds since(Clock::time_point begin) {
  return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin);
}

bool came_along(const Lifecycle& life) { return life.made_in == session::fork_generation(); }

SessionOptions complete(const State& state, SessionOptions options) {
  const bool named = !options.providers.only.empty() || !options.providers.prefer.empty();
  if (state.life.options.exclude_engine_builders && !named)
    for (std::string& name : engine_builders())
      if (std::ranges::find(options.providers.exclude, name) == options.providers.exclude.end())
        options.providers.exclude.push_back(std::move(name));
  return options;
}

/// ORT 1.20 looks for the model's file in the working folder while it folds constants; 1.23 is the next that
/// the tests have, and does not.
Untouched place_of_untouched(SessionOptions& options) {
  constexpr int kFirst = 23;
  if (!options.runtime)
    if (auto loaded = Runtime::load()) options.runtime = std::move(*loaded);
  return options.runtime && options.runtime->api_version() >= kFirst ? Untouched::InFile
                                                                     : Untouched::InMemory;
}

/// Why a session has to be made; empty where the one that is there serves.
std::string reason_to_create(const State& state, const SessionOptions& options) {
  const Lifecycle& life = state.life;
  if (!life.session) return life.released ? "it was released before" : "there was none";
  if (!came_along(life)) return "the process was forked";
  if (std::string text = difference(life.made_with, options); !text.empty()) return text;
  return difference(life.made_of, fingerprint(state));
}

Result<void> create(State& state, const SessionOptions& wanted) {
  Lifecycle& life = state.life;
  life.wanted = wanted;
  const SessionOptions options = complete(state, wanted);
  std::string reason = reason_to_create(state, options);
  if (reason.empty()) return {};
  const auto begin = Clock::now();
  const Fingerprint made_of = fingerprint(state);
  auto session = open_session(state, options);
  if (!session) {
    life.failure = session.error();
    life.events.push_back({Kind::Failed, std::move(reason), session.error(), since(begin)});
    return fail(std::move(session).error());
  }
  life.events.push_back({life.session ? Kind::Replaced : Kind::Created, std::move(reason), {}, since(begin)});
  life.session = std::move(*session);
  life.made_with = options;
  life.made_of = made_of;
  life.made_in = session::fork_generation();
  life.failure.reset();
  life.released = false;
  return {};
}

/// The catalogue has an entry for it: `session-not-created`.
Error not_created(const State& state) {
  const Lifecycle& life = state.life;
  const std::string subject = fmt::format("{} has no session", onnx::quoted(state.path));
  Error error{.code = ErrorCode::InvalidState,
              .what = subject + ": none was created yet",
              .hint = "call `create_session()` first"};
  if (life.session && !came_along(life)) {
    error.what = subject + ": the one that was created before fork() did not come along";
    error.hint = "call `create_session()` in the child process, or open the model with `auto_create`";
  } else if (life.failure) {
    error.what = fmt::format("{}: creating it failed: {}", subject, life.failure->what);
    error.hint = life.failure->hint.empty() ? "mend the cause, then call `create_session()` again"
                                            : life.failure->hint;
    error.native = life.failure->native;
  } else if (life.released) {
    error.what = subject + ": it was released";
    error.hint = "call `create_session()` again";
  } else if (!life.options.copied_by.empty()) {
    error.what = fmt::format("{}: the one that was created before {} did not come along", subject,
                             life.options.copied_by);
    error.hint = "call `create_session()` on the copy, or open the model with `auto_create`";
  }
  return error;
}

SessionOptions last_options(const State& state) {
  return state.life.wanted.value_or(state.life.options.session);
}

Result<Session> session_of(State& state) {
  const Lifecycle& life = state.life;
  if (life.session && came_along(life)) return *life.session;
  if (!life.options.auto_create) return fail(not_created(state));
  if (auto made = create(state, last_options(state)); !made) return fail(not_created(state));
  return *life.session;
}

}  // namespace

/// A model that was not edited is ORT's own to read.
Result<Session> open_session(State& state, SessionOptions options) {
  if (fingerprint(state) == Fingerprint()) return Session::open(state.path, std::move(options));
  if (state.tree_version != 0)
    if (auto checked = check_runnable(state); !checked) return fail(std::move(checked).error());
  auto source = make_session_source(state, place_of_untouched(options));
  if (!source) return fail(std::move(source).error());
  options.weights = (*source)->supplied;
  options.external_data_folder = (*source)->folder;
  options.check_files = (*source)->check_files;
  const std::span<const std::byte> bytes = std::as_bytes(std::span((*source)->graph));
  options.keep_alive = std::move(*source);
  return Session::open(bytes, std::move(options));
}

}  // namespace model

std::string_view to_string(ModelEvent::Kind kind) noexcept {
  switch (kind) {
    case ModelEvent::Kind::Created:
      return "created";
    case ModelEvent::Kind::Replaced:
      return "replaced";
    case ModelEvent::Kind::Released:
      return "released";
    case ModelEvent::Kind::Failed:
      return "failed";
  }
  return "unknown";
}

Result<void> Model::create_session() { return model::create(*state_, model::last_options(*state_)); }

Result<void> Model::create_session(SessionOptions options,
                                   const std::map<std::string, std::int64_t>& dimensions) {
  for (const auto& [name, size] : dimensions) options.dimensions[name] = size;
  return model::create(*state_, options);
}

Result<void> Model::create_session(const std::map<std::string, std::int64_t>& dimensions) {
  SessionOptions options = model::last_options(*state_);
  options.dimensions = dimensions;
  return model::create(*state_, options);
}

void Model::release_session() {
  model::Lifecycle& life = state_->life;
  if (!life.session) return;
  const auto begin = model::Clock::now();
  life.session.reset();
  life.failure.reset();
  life.released = true;
  life.events.push_back(
      {ModelEvent::Kind::Released, "release_session() was called", {}, model::since(begin)});
}

bool Model::has_session() const noexcept { return state_->life.session && model::came_along(state_->life); }

Result<Session> Model::session() const { return model::session_of(*state_); }

Result<Outputs> Model::infer(std::span<const Input> inputs, const RunOptions& options) const {
  auto session = model::session_of(*state_);
  if (!session) return fail(std::move(session).error());
  return session->infer(inputs, options);
}

Result<PreparedRun> Model::prepare(PrepareOptions options) const {
  auto session = model::session_of(*state_);
  if (!session) return fail(std::move(session).error());
  return session->prepare(std::move(options));
}

std::vector<FallbackEvent> Model::events() const {
  return state_->life.session ? state_->life.session->events() : std::vector<FallbackEvent>();
}

const std::vector<ModelEvent>& Model::session_events() const noexcept { return state_->life.events; }

}  // namespace surefoot
