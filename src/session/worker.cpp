#include "session/worker.hpp"

namespace surefoot::session {

Worker::~Worker() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void Worker::do_next(std::function<void()> piece) {
  {
    std::lock_guard lock(mutex_);
    pieces_.push(std::move(piece));
    if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { work(stop); });
  }
  handed_over_.notify_one();
}

void Worker::work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (handed_over_.wait(lock, stop, [this] { return !pieces_.empty(); }) || !pieces_.empty()) {
    const std::function<void()> piece = std::move(pieces_.front());
    pieces_.pop();
    lock.unlock();
    piece();
    lock.lock();
  }
}

}  // namespace surefoot::session
