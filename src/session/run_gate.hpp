/// Lets one run in at a time, and lets another thread end it.
#pragma once

#include <atomic>

namespace surefoot::session {

/// Threads  cancel() and is_open() from any; leave() from the thread that entered.
class RunGate {
 public:
  /// False while a run is under way.
  bool enter() noexcept {
    Phase idle = Phase::Idle;
    return phase_.compare_exchange_strong(idle, Phase::Running, std::memory_order_acquire);
  }

  bool is_open() const noexcept { return phase_.load(std::memory_order_acquire) == Phase::Idle; }

  /// Calls `end` when a run is under way that nobody has ended yet.
  template <class End>
  void cancel(End&& end) noexcept {
    Phase running = Phase::Running;
    if (!phase_.compare_exchange_strong(running, Phase::Cancelling, std::memory_order_acquire)) return;
    end();
    phase_.store(Phase::Cancelled, std::memory_order_release);
    phase_.notify_all();
  }

  /// Calls `undo` when the run was ended, after `end` has returned; gives whether it was.
  template <class Undo>
  bool leave(Undo&& undo) noexcept {
    Phase running = Phase::Running;
    if (phase_.compare_exchange_strong(running, Phase::Idle, std::memory_order_acq_rel)) return false;
    phase_.wait(Phase::Cancelling, std::memory_order_acquire);
    undo();
    phase_.store(Phase::Idle, std::memory_order_release);
    return true;
  }

 private:
  enum class Phase : int { Idle, Running, Cancelling, Cancelled };
  std::atomic<Phase> phase_ = Phase::Idle;
};

}  // namespace surefoot::session
