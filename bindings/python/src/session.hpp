/// `_core.Session` and the means to stop its runs.
#pragma once

#include <nanobind/nanobind.h>

namespace surefoot::python {

void bind_session(nanobind::module_& module);

}  // namespace surefoot::python
