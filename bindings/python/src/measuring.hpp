/// What is measured of a model: `_core.bench`, `tune`, `measure_memory`, `read_profile`, placements, reports.
#pragma once

#include <nanobind/nanobind.h>

#include "surefoot/bench.hpp"
#include "surefoot/placement.hpp"
#include "surefoot/profile.hpp"

namespace surefoot::python {

/// ([(name, operator, provider, type), …], [(provider, nodes, partitions, seconds, share, time share), …],
/// measured, copies to the device, copies from it, text)
nanobind::tuple to_tuple(const Placement& placement);

/// (name, provider, events, seconds of loading, of the first run, bytes, runs that warmed up, stable,
/// latency, [(callers, runs a second), …], [microseconds, …])
nanobind::tuple to_tuple(const BenchResult& result);

/// The fields of the same names.
nanobind::dict to_dict(const ProfileSummary& profile);

void bind_measuring(nanobind::module_& module);
void bind_tuning(nanobind::module_& module);
void bind_memory(nanobind::module_& module);
void bind_reporting(nanobind::module_& module);

}  // namespace surefoot::python
