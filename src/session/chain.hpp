/// Walking down the plan: which candidate is in use, and what happens when it fails.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "session/opener.hpp"

namespace surefoot::session {

using OpenedPtr = std::shared_ptr<const Opened>;

/// Runs a call on a candidate; keeps its own inputs and results. Called with the chain's lock held.
using Attempt = std::function<Result<void>(const OpenedPtr&)>;

/// The candidates of one session, in order, and the one in use.
///
/// Threads  safe from any: a failing candidate is replaced once, and calls that saw it fail wait for that.
class Chain {
 public:
  using Open = std::function<OpenResult(const Candidate&)>;
  using Listener = std::function<void(const FallbackEvent&)>;

  Chain(const Plan& plan, Open open, Listener listener);

  /// Opens the first candidate that opens. Errors: ProviderFailed with each candidate's reason, or the
  /// only candidate's own error; a model that is wrong in itself ends the walk.
  Result<void> start();

  /// The candidate in use; null when all have failed.
  OpenedPtr current() const noexcept;

  /// Whether it is that one, without a lock. `opened` is kept alive by the caller.
  bool is_current(const Opened* opened) const noexcept {
    return opened != nullptr && current_seen_.load(std::memory_order_acquire) == opened;
  }

  /// The candidate in use for a call that is to run on it: waits for a restart() that may be on its way.
  /// Errors: why each candidate failed.
  Result<OpenedPtr> in_use() const;

  /// Handles the failure of a call on `failed`: tries the call on the candidates behind it. The first
  /// that answers takes over, and each failure on the way becomes an event. When another one refuses the
  /// same inputs likewise, they are at fault: its error is returned and nothing changes; what was opened
  /// to judge that is kept for the next time. Returns success when `attempt` succeeded somewhere.
  /// `stage` is what `failed` failed at.
  Result<void> recover(const OpenedPtr& failed, Error error, const Attempt& attempt,
                       Stage stage = Stage::Run);

  /// Keeps an event that changes nothing.
  void note(FallbackEvent event) { record(std::move(event)); }

  /// Tries all candidates again, from the first. What is in use stays so until another has opened, and
  /// when none opens. Errors: as start().
  Result<void> restart();

  std::vector<FallbackEvent> events() const;

  /// Adds an event of a candidate that stays in use.
  void note(const Candidate& candidate, Stage stage, Error error) {
    record({candidate.name, stage, std::move(error), {}, true});
  }

 private:
  /// What came of opening a candidate.
  struct Tried {
    const Candidate* candidate;
    OpenedPtr opened;                   ///< null when it did not open
    std::vector<FallbackEvent> events;  ///< the last one says why not; else the notes that it opened with
  };
  struct Failed {
    std::string candidate;
    Error error;
  };
  Tried open(const Candidate& candidate) const;
  const Tried& judge(const Candidate& candidate);
  Error all_failed() const;
  Result<void> start_locked();
  Result<void> recover_locked(const OpenedPtr& failed, Error error, const Attempt& attempt, Stage stage);
  void replace(OpenedPtr by, std::vector<FallbackEvent> because);
  void record(FallbackEvent event);

  const Plan& plan_;
  std::vector<const Candidate*> viable_;
  Open open_;
  Listener listener_;
  // Not std::atomic<shared_ptr>: up to GCC 12 its load() unlocks without a release.
  mutable std::mutex current_mutex_;
  OpenedPtr current_;
  std::atomic<const Opened*> current_seen_ = nullptr;  ///< what current_ points to
  mutable std::mutex replacing_;                       ///< guards the walk; held while a candidate opens
  std::vector<Tried> judges_;  ///< opened to judge a failure; kept until a candidate is replaced
  std::vector<Failed> last_failures_;
  mutable std::mutex events_mutex_;
  std::vector<FallbackEvent> events_;
};

}  // namespace surefoot::session
