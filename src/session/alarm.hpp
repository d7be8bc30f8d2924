/// Calls back when a moment has come.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace surefoot::session {

/// One moment at a time, on a thread of its own that the first set() starts.
///
/// Threads  set() and clear() from one; the callback runs on the alarm's own, never after clear() returned.
class Alarm {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Alarm(std::function<void()> ring) : ring_(std::move(ring)) {}
  ~Alarm();
  Alarm(const Alarm&) = delete;
  Alarm& operator=(const Alarm&) = delete;

  void set(Clock::time_point when);
  /// Whether it has rung since set().
  bool clear();

 private:
  void wait(const std::stop_token& stop);

  std::function<void()> ring_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::optional<Clock::time_point> when_;
  bool rang_ = false;
  std::jthread thread_;
};

}  // namespace surefoot::session
