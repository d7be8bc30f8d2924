/// A thread that does one piece of work after another.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>

namespace surefoot::session {

/// The thread starts with the first piece. Its end finishes what was handed over, and waits for it: not to be
/// destroyed from a piece of its own.
/// Threads  do_next() from any.
class Worker {
 public:
  Worker() = default;
  ~Worker();
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  void do_next(std::function<void()> piece);

 private:
  void work(const std::stop_token& stop);

  std::mutex mutex_;
  std::condition_variable_any handed_over_;
  std::queue<std::function<void()>> pieces_;
  std::jthread thread_;
};

}  // namespace surefoot::session
