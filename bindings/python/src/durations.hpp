/// Seconds of Python as durations.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace surefoot::python {

/// Negative ones, and those that are no number, are none; the longest are about thirty years.
inline std::chrono::milliseconds milliseconds_of(double seconds) {
  const double kept = seconds > 0 ? std::min(seconds, 1e9) : 0;
  return std::chrono::milliseconds(static_cast<std::int64_t>(kept * 1000));
}

template <class Duration>
double seconds_of(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace surefoot::python
