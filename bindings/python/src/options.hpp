/// Session options as attributes of one Python object.
#pragma once

#include <nanobind/nanobind.h>

namespace surefoot::python {

/// Adds `_core.Options`.
void bind_options(nanobind::module_& module);

}  // namespace surefoot::python
