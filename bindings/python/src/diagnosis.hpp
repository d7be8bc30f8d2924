/// What is wrong, how far results are apart, what is compiled and what is kept: `_core.explain`, `examine`,
/// `check`, `compare`, `locate`, `bisect`, `sample_inputs`, `compile` and the cache.
#pragma once

#include <nanobind/nanobind.h>

namespace surefoot::python {

void bind_diagnosis(nanobind::module_& module);
void bind_cache(nanobind::module_& module);
void bind_comparing(nanobind::module_& module);
void bind_compile(nanobind::module_& module);

}  // namespace surefoot::python
