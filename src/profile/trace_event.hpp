/// One event of ORT's profiling trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace surefoot::profile {

/// What of an event is of use; empty or 0 where the event does not state it.
struct TraceEvent {
  std::string category;  ///< "Node", "Session", …
  std::string name;      ///< "conv1_kernel_time", "model_run", …
  std::int64_t begin_us = 0, duration_us = 0;
  std::int64_t thread = 0;
  std::string provider;  ///< ORT's name
  std::string op;
  std::string node_index;
  std::string input_type;  ///< of the first input
};

/// Reads one line of the trace, an object with a comma or nothing behind it.
/// Empty where the line is no complete object, or one without category and name.
std::optional<TraceEvent> read_trace_event(std::string_view line);

}  // namespace surefoot::profile
