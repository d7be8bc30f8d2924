#include "surefoot/memory.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include "errors.hpp"
#include "inputs.hpp"
#include "measuring.hpp"

namespace surefoot::python {
namespace {

namespace fs = std::filesystem;

nb::tuple to_tuple(const MemoryUse& use) {
  return nb::make_tuple(use.opening, use.opened, use.largest, use.smallest, use.further);
}

nb::tuple to_tuple(const MemoryPolicy& policy) {
  return nb::make_tuple(policy.name, policy.library, policy.command_line, to_tuple(policy.use),
                        to_tuple(policy.saved), policy.gains(), policy.cache_form,
                        policy.error ? to_exception(*policy.error) : nb::none());
}

nb::tuple to_tuple(const MemoryReport& report) {
  nb::list policies;
  for (const MemoryPolicy& each : report.policies) policies.append(to_tuple(each));
  return nb::make_tuple(report.provider, report.file_bytes, report.weight_bytes, to_tuple(report.use),
                        to_tuple(report.noise), policies);
}

nb::tuple measured(const fs::path& model, nb::dict largest, nb::dict smallest,
                   const SessionOptions& options) {
  const ModelInfo info = waiting([&] { return inspect(model); });
  const CallInputs large(info, std::move(largest)), small(info, std::move(smallest));
  return to_tuple(waiting([&] {
    return measure_memory(model, {.session = options, .largest = large.inputs(), .smallest = small.inputs()});
  }));
}

}  // namespace

void bind_memory(nb::module_& module) {
  module.def("measure_memory", measured, nb::arg("model"), nb::arg("largest"), nb::arg("smallest"),
             nb::arg("options"));
}

}  // namespace surefoot::python
