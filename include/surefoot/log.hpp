/// What ONNX Runtime has to say while it works. Silent by default; nothing reaches stderr.
#pragma once

#include <functional>
#include <string_view>

namespace surefoot {

enum class LogLevel { Verbose, Info, Warning, Error, Fatal };

/// "verbose", "info", "warning", "error", "fatal".
std::string_view to_string(LogLevel level) noexcept;

/// One line of ORT's log. The texts live as long as the call of the sink.
struct LogRecord {
  LogLevel level;
  std::string_view category;
  std::string_view location;  ///< ORT's source file, line and function
  std::string_view message;
};

/// Receives records from any thread, also from ORT's own, possibly at once. Must not throw and must
/// not call into the session that logs.
using LogSink = std::function<void(const LogRecord&)>;

}  // namespace surefoot
