/// The machine: runtimes and providers.
#pragma once

#include <nanobind/nanobind.h>

namespace surefoot::python {

/// Adds `_core.Runtime`, `load_runtime`, `discover`, `config_keys`, `set_log`.
void bind_machine(nanobind::module_& module);

}  // namespace surefoot::python
