/// The machine: runtimes and providers.
#pragma once

#include <nanobind/nanobind.h>

#include "surefoot/provider.hpp"

namespace surefoot::python {

/// [(name, ONNX Runtime's name, known, for this platform, plugin, present, exception or None), …]
nanobind::list to_list(const std::vector<ProviderStatus>& providers);

/// Adds `_core.Runtime`, `load_runtime`, `discover`, `config_keys`, `set_log`.
void bind_machine(nanobind::module_& module);

}  // namespace surefoot::python
