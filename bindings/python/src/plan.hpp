/// Plans and models' facts as tuples and dicts, out of which surefoot's Python files make their classes.
#pragma once

#include <nanobind/nanobind.h>

#include "surefoot/plan.hpp"

namespace surefoot::python {

/// (required, candidates, {provider: options}, text)
nanobind::tuple to_tuple(const Plan& plan);

/// [(name, [provider, …], viable, exception or None), …]
nanobind::list to_list(std::span<const Candidate> candidates);

/// The fields of the same names; inputs and outputs as (name, type, required), a type as
/// (kind, element, shape or None, inner, optional, sparse, text), an axis as (size, name, denotation).
nanobind::dict to_dict(const ModelInfo& info);

/// [(name, type, required), …], as in the dict.
nanobind::list to_list(const std::vector<ValueInfo>& values);

/// Adds `_core.plan` and `_core.inspect`.
void bind_plan(nanobind::module_& module);

}  // namespace surefoot::python
