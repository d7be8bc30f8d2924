/// Errors of the library as Python exceptions; which class stands for which code says surefoot/errors.py.
#pragma once

#include <nanobind/nanobind.h>

#include "surefoot/result.hpp"

namespace surefoot::python {

namespace nb = nanobind;

/// The exception object, not raised: for reports and events. `maker` is the function of surefoot/errors.py
/// that makes it.
nb::object to_exception(const Error& error, const char* maker = "exception_of");

/// Raises it.
[[noreturn]] void raise(const Error& error, const char* maker = "exception_of");

/// The value, or the exception.
template <class T>
T value_or_raise(Result<T>&& result) {
  if (!result) raise(result.error());
  if constexpr (!std::is_void_v<T>) return std::move(*result);
}

/// What `call` gives without Python's lock: its value, or the exception.
template <class Call>
auto waiting(Call&& call) {
  auto done = [&] {
    const nb::gil_scoped_release released;
    return call();
  }();
  return value_or_raise(std::move(done));
}

}  // namespace surefoot::python
