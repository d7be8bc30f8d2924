/// `_core.explain`, `_core.examine`, `_core.check` and the cache: what is wrong, and what is kept.
#pragma once

#include <nanobind/nanobind.h>

namespace surefoot::python {

void bind_diagnosis(nanobind::module_& module);
void bind_cache(nanobind::module_& module);

}  // namespace surefoot::python
