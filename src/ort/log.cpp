#include "ort/log.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>

namespace surefoot {

std::string_view to_string(LogLevel level) noexcept {
  switch (level) {
    case LogLevel::Verbose:
      return "verbose";
    case LogLevel::Info:
      return "info";
    case LogLevel::Warning:
      return "warning";
    case LogLevel::Error:
      return "error";
    case LogLevel::Fatal:
      return "fatal";
  }
  return "unknown";
}

}  // namespace surefoot

namespace surefoot::ort {
namespace {

struct Listener {
  LogSink sink;
  LogLevel level = LogLevel::Warning;
};

// Never destroyed: ORT's threads may log while the process goes down.
struct Router {
  std::mutex mutex;
  std::shared_ptr<const Listener> listener;
  std::atomic<LogLevel> level = LogLevel::Warning;
};
Router& router() {
  static auto* router = new Router;
  return *router;
}

thread_local LogCapture* current_capture = nullptr;
thread_local LogWatch* current_watch = nullptr;

std::shared_ptr<const Listener> listener() {
  std::lock_guard lock(router().mutex);
  return router().listener;
}

}  // namespace

void set_log_sink(LogSink sink, LogLevel level) {
  std::lock_guard lock(router().mutex);
  router().level = sink ? std::min(level, LogLevel::Warning) : LogLevel::Warning;
  router().listener = sink ? std::make_shared<const Listener>(Listener{std::move(sink), level}) : nullptr;
}

LogLevel log_level() noexcept { return router().level; }

void receive_log(void*, OrtLoggingLevel severity, const char* category, const char*, const char* location,
                 const char* message) noexcept try {
  const auto level = static_cast<LogLevel>(severity);
  if (current_capture != nullptr && level >= LogLevel::Warning) current_capture->lines_.emplace_back(message);
  if (current_watch != nullptr && level >= current_watch->from_) current_watch->take_(message);
  if (const auto to = listener(); to && level >= to->level) to->sink({level, category, location, message});
} catch (...) {
  // A sink that throws, or memory that ran out, must not unwind through ORT.
}

LogCapture::LogCapture() noexcept : outer_(current_capture) { current_capture = this; }
LogCapture::~LogCapture() { current_capture = outer_; }

LogWatch::LogWatch(LogLevel from, std::function<void(std::string_view)> take)
    : from_(from), take_(std::move(take)) {
  current_watch = this;
}
LogWatch::~LogWatch() { current_watch = nullptr; }

Error LogCapture::explain(Error error) const {
  if (lines_.empty()) return error;
  if (!error.native) error.native.emplace();
  for (const std::string& line : lines_)
    if (error.native->text.find(line) == std::string::npos) {
      if (!error.native->text.empty()) error.native->text += '\n';
      error.native->text += line;
    }
  return error;
}

}  // namespace surefoot::ort
