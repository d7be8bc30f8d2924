/// ORT's log: routed to the caller's sink, and attached to the failure it explains.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "ort/abi.hpp"
#include "surefoot/error.hpp"
#include "surefoot/log.hpp"

namespace surefoot::ort {

/// The process-wide sink. Records below `level` are dropped before they reach it.
/// An empty sink silences the log, which is the state at the start.
void set_log_sink(LogSink sink, LogLevel level);

/// The lowest level for which anyone listens; ORT sessions are made with it. Warning at least, since
/// warnings explain failures.
LogLevel log_level() noexcept;

/// The callback that ORT's environment is made with.
void receive_log(void* param, OrtLoggingLevel severity, const char* category, const char* logid,
                 const char* code_location, const char* message) noexcept;

/// Keeps the warnings and errors that ORT logs on this thread while the object lives: the cause of
/// a provider's failure often stands only there. Nests; costs two thread-local writes.
class LogCapture {
 public:
  LogCapture() noexcept;
  ~LogCapture();
  LogCapture(const LogCapture&) = delete;
  LogCapture& operator=(const LogCapture&) = delete;

  const std::vector<std::string>& lines() const noexcept { return lines_; }

  /// Adds the lines to `error`'s native text, each once, and returns it.
  Error explain(Error error) const;

 private:
  friend void receive_log(void*, OrtLoggingLevel, const char*, const char*, const char*,
                          const char*) noexcept;
  std::vector<std::string> lines_;
  LogCapture* outer_;
};

/// Hands over each line of that level or above that ORT logs on this thread while the object lives. Does not
/// nest. What a session logs below its own level is never seen.
class LogWatch {
 public:
  LogWatch(LogLevel from, std::function<void(std::string_view)> take);
  ~LogWatch();
  LogWatch(const LogWatch&) = delete;
  LogWatch& operator=(const LogWatch&) = delete;

 private:
  friend void receive_log(void*, OrtLoggingLevel, const char*, const char*, const char*,
                          const char*) noexcept;
  LogLevel from_;
  std::function<void(std::string_view)> take_;
};

}  // namespace surefoot::ort
