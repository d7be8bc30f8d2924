/// What a long command is at, and for how long: one line that is written over on a terminal, plain lines
/// elsewhere.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace surefoot::cli {

/// On stderr. The line on the terminal is wiped out at the end: what remains is said by others.
///
/// Threads  at() from one at a time.
class Progress {
 public:
  /// `quiet`: says nothing at all.
  explicit Progress(bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// A step begins, and with it its time.
  void at(std::string_view step);

 private:
  void tick(const std::stop_token& stop);
  void show_locked();

  bool quiet_, terminal_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::string step_;
  std::chrono::steady_clock::time_point begin_ = {};
  std::jthread ticker_;  ///< last, so that it ends first
};

}  // namespace surefoot::cli
