/// Seconds of Python as durations.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

#include "errors.hpp"

namespace surefoot::python {

/// Negative ones, and those that are no number, are none; the longest are about thirty years.
inline std::chrono::milliseconds milliseconds_of(double seconds) {
  const double kept = seconds > 0 ? std::min(seconds, 1e9) : 0;
  return std::chrono::milliseconds(static_cast<std::int64_t>(kept * 1000));
}

/// A time to spend on measuring. Throws InvalidArgument for one that is negative or no number.
inline std::chrono::milliseconds time_to_spend(double seconds) {
  if (seconds >= 0) return milliseconds_of(seconds);
  raise({.code = ErrorCode::InvalidArgument,
         .what = "a time of " + std::to_string(seconds) + " s is to be spent on measuring",
         .hint = "give seconds, 0 or more"});
}

template <class Duration>
double seconds_of(Duration duration) {
  return std::chrono::duration<double>(duration).count();
}

}  // namespace surefoot::python
