/// Walking down the plan: which candidate is in use, and what happens when it fails.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "session/opener.hpp"

namespace surefoot::session {

using OpenedPtr = std::shared_ptr<const Opened>;

/// Runs a call on a candidate; keeps its own inputs and results. Called with the chain's lock held. Where it
/// fails at another stage than the run, it says at which.
using Attempt = std::function<Result<void>(const OpenedPtr&, Stage&)>;

/// The candidates of one session, in order, and the one in use. Every plan that one was opened from lives as
/// long as the chain: what points into it, a call's candidate among it, stays valid when another takes over.
///
/// Threads  safe from any: a failing candidate is replaced once, and calls that saw it fail wait for that.
class Chain {
 public:
  /// Opens a candidate of that plan.
  using Open = std::function<OpenResult(const Plan&, const Candidate&)>;
  using Listener = std::function<void(const FallbackEvent&)>;

  Chain(Plan plan, Open open, Listener listener);

  /// The plan of the candidate in use, or the one whose candidates have all failed. Lives as long as the
  /// chain.
  const Plan& plan() const noexcept { return *plan_.load(std::memory_order_acquire); }

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

  /// Tries the candidates of a new plan, from the first. What is in use stays so until another has opened,
  /// and with its plan when none opens. Errors: as start(), of the new plan.
  Result<void> restart(Plan plan);

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
  Tried open(const Plan& plan, const Candidate& candidate) const;
  const Tried& judge(const Candidate& candidate);
  static Error all_failed(const Plan& plan, const std::vector<Failed>& failures);
  Result<void> start_locked(const Plan& plan);
  void adopt(const Plan& plan);
  Result<void> recover_locked(const OpenedPtr& failed, Error error, const Attempt& attempt, Stage stage);
  void replace(OpenedPtr by, std::vector<FallbackEvent> because);
  void record(FallbackEvent event);

  std::deque<Plan> plans_;                        ///< guarded by replacing_; none moves, nor is changed
  std::atomic<const Plan*> plan_ = nullptr;       ///< into plans_
  std::vector<const Candidate*> viable_;          ///< of plan_; guarded by replacing_
  std::atomic<const Candidate*> last_ = nullptr;  ///< of viable_
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
