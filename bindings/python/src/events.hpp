/// Calls from the library into Python: events and log lines, from any thread.
#pragma once

#include <functional>
#include <string_view>

#include "surefoot/log.hpp"
#include "surefoot/session.hpp"

#include <nanobind/nanobind.h>

namespace surefoot::python {

namespace nb = nanobind;

/// (candidate, stage, exception, seconds, kept)
nb::tuple to_tuple(const FallbackEvent& event);
nb::list to_list(const std::vector<FallbackEvent>& events);

/// A call of `call` with the parts of an event. What it raises is reported as unraisable: the library
/// must not be left by an exception.
std::function<void(const FallbackEvent&)> event_call(nb::object call);

/// The same for a call with one text.
std::function<void(std::string_view)> text_call(nb::object call);

/// A sink that calls `call(level, category, location, message)`.
LogSink log_call(nb::object call);

}  // namespace surefoot::python
