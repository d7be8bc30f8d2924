/// `_core.PreparedRun`: a session's inputs and outputs, bound once to the memory of arrays.
#pragma once

#include <nanobind/nanobind.h>

namespace surefoot::python {

void bind_prepared(nanobind::module_& module);

}  // namespace surefoot::python
