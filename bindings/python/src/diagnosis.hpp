/// What is wrong, how far results are apart, what is compiled and what is kept: `_core.explain`, `examine`,
/// `check`, `compare`, `locate`, `bisect`, `sample_inputs`, `compile` and the cache.
#pragma once

#include <nanobind/nanobind.h>

#include "surefoot/compare.hpp"
#include "surefoot/doctor.hpp"

namespace surefoot::python {

/// ({fact: value}, [(vendor, id, device file, can be opened), …], [(package, version, folder), …],
/// [(severity, topic, what, action, slug), …])
nanobind::tuple to_tuple(const MachineReport& machine, const std::vector<DoctorFinding>& findings);

/// [(output, {field: value}), …]
nanobind::list to_list(const Comparison& comparison);

void bind_diagnosis(nanobind::module_& module);
void bind_cache(nanobind::module_& module);
void bind_comparing(nanobind::module_& module);
void bind_compile(nanobind::module_& module);

}  // namespace surefoot::python
