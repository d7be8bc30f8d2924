#include "plan.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.hpp"
#include "model_source.hpp"
#include "surefoot/session.hpp"

namespace surefoot::python {
namespace {

nb::tuple candidate_tuple(const Candidate& candidate) {
  const nb::object reason = candidate.reason ? to_exception(*candidate.reason) : nb::none();
  return nb::make_tuple(candidate.name, candidate.providers, candidate.verdict == Verdict::Viable, reason);
}

Result<Plan> plan_for(const ModelSource& source, const SessionOptions& options) {
  auto info = source.bytes() ? inspect(*source.bytes()) : inspect(source.path());
  if (!info) return fail(std::move(info).error());
  auto runtime = options.runtime ? Result<Runtime>(*options.runtime) : Runtime::load();
  if (!runtime) return fail(std::move(runtime).error());
  return make_plan(machine_facts(*runtime), *info, options.providers);
}

nb::tuple plan_of(nb::object model, const SessionOptions& options) {
  const ModelSource source(std::move(model));
  auto made = [&] {
    const nb::gil_scoped_release released;
    return plan_for(source, options);
  }();
  return to_tuple(value_or_raise(std::move(made)));
}

nb::dict inspected(nb::object model) {
  const ModelSource source(std::move(model));
  auto info = [&] {
    const nb::gil_scoped_release released;
    return source.bytes() ? inspect(*source.bytes()) : inspect(source.path());
  }();
  return to_dict(value_or_raise(std::move(info)));
}

}  // namespace

nb::list to_list(std::span<const Candidate> candidates) {
  nb::list list;
  for (const Candidate& each : candidates) list.append(candidate_tuple(each));
  return list;
}

nb::tuple to_tuple(const Plan& plan) {
  nb::dict options;
  for (const Candidate& candidate : plan.candidates())
    for (const std::string& provider : candidate.providers)
      options[provider.c_str()] = plan.options(provider);
  return nb::make_tuple(plan.required(), to_list(plan.candidates()), options, to_string(plan));
}

void bind_plan(nb::module_& module) {
  module.def("plan", plan_of, nb::arg("model"), nb::arg("options"));
  module.def("inspect", inspected, nb::arg("model"));
}

}  // namespace surefoot::python
