#include "errors.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace surefoot::python {

nb::object to_exception(const Error& error, const char* maker) {
  const nb::object native = error.native ? nb::cast(error.native->code) : nb::none();
  return nb::module_::import_("surefoot.errors")
      .attr(maker)(static_cast<int>(error.code), to_string(error), error.what, error.doing, error.hint,
                   native, error.native ? error.native->text : std::string());
}

void raise(const Error& error, const char* maker) {
  const nb::object exception = to_exception(error, maker);
  PyErr_SetObject(exception.type().ptr(), exception.ptr());
  throw nb::python_error();
}

}  // namespace surefoot::python
