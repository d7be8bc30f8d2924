/// `_core.bench`, `_core.read_profile`, and placements: how fast a model runs, and where.
#pragma once

#include <nanobind/nanobind.h>

#include "surefoot/placement.hpp"

namespace surefoot::python {

/// ([(name, operator, provider, type), …], [(provider, nodes, partitions, seconds, share, time share), …],
/// measured, copies to the device, copies from it, text)
nanobind::tuple to_tuple(const Placement& placement);

void bind_measuring(nanobind::module_& module);

}  // namespace surefoot::python
