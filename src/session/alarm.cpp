#include "session/alarm.hpp"

namespace surefoot::session {

Alarm::~Alarm() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

void Alarm::set(Clock::time_point when) {
  if (!thread_.joinable()) thread_ = std::jthread([this](const std::stop_token& stop) { wait(stop); });
  {
    std::lock_guard lock(mutex_);
    when_ = when;
    rang_ = false;
  }
  changed_.notify_one();
}

bool Alarm::clear() {
  std::lock_guard lock(mutex_);
  when_.reset();
  return rang_;
}

void Alarm::wait(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    if (!when_) {
      changed_.wait(lock, stop, [this] { return when_.has_value(); });
    } else if (Clock::now() >= *when_) {
      when_.reset();
      rang_ = true;
      ring_();
    } else {
      const auto until = *when_;
      changed_.wait_until(lock, stop, until, [&] { return when_ != until; });
    }
  }
}

}  // namespace surefoot::session
