#include "diagnosis.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "errors.hpp"
#include "names.hpp"
#include "plan.hpp"
#include "surefoot/doctor.hpp"
#include "surefoot/explain.hpp"
#include "surefoot/model_check.hpp"

namespace surefoot::python {
namespace {

using Folders = std::vector<std::filesystem::path>;

nb::list filled(const Explanation& explanation, const std::vector<std::string>& texts) {
  nb::list list;
  for (const std::string& each : texts) list.append(explanation.fill(each));
  return list;
}

nb::list examples_of(const Explanation& explanation) {
  nb::list list;
  for (const FixExample& example : explanation.entry->examples)
    list.append(nb::make_tuple(example.language, explanation.fill(example.code)));
  return list;
}

nb::tuple to_tuple(const Explanation& explanation) {
  const ErrorEntry& entry = *explanation.entry;
  nb::dict found;
  for (const FoundName& each : explanation.found) found[each.name.c_str()] = each.value;
  return nb::make_tuple(entry.slug, entry.topic, text(to_string(entry.severity)), entry.versions,
                        explanation.fill(entry.meaning), filled(explanation, entry.triggers),
                        filled(explanation, entry.solutions), examples_of(explanation),
                        explanation.fill(entry.check), filled(explanation, entry.prevention),
                        explanation.line, explanation.excerpt, found);
}

/// What a text is about; a slug is about its own entry.
nb::list explained(const std::string& given) {
  nb::list list;
  if (const ErrorEntry* entry = find_error_entry(given)) {
    list.append(to_tuple({.entry = entry}));
    return list;
  }
  const auto all = [&] {
    const nb::gil_scoped_release released;
    return explain(given);
  }();
  for (const Explanation& each : all) list.append(to_tuple(each));
  return list;
}

nb::dict facts_of(const MachineReport& machine) {
  nb::dict facts;
  facts["platform"] = machine.platform;
  facts["architecture"] = machine.architecture;
  facts["libc"] = machine.libc;
  facts["board"] = machine.board;
  facts["container"] = machine.container;
  facts["wsl"] = machine.wsl;
  facts["cpu"] = machine.cpu;
  facts["cpu_features"] = machine.cpu_features;
  facts["cpus"] = machine.cpus;
  facts["cpus_allowed"] = machine.cpus_allowed;
  facts["cpu_quota"] = machine.cpu_quota;
  facts["memory_bytes"] = machine.memory_bytes;
  facts["memory_limit_bytes"] = machine.memory_limit_bytes;
  facts["nvidia_driver"] = machine.nvidia_driver;
  facts["driver_cuda"] = machine.driver_cuda;
  facts["nvml_problem"] = machine.nvml_problem;
  facts["visible_gpus"] = machine.visible_gpus;
  return facts;
}

nb::list gpus_of(const MachineReport& machine) {
  nb::list list;
  for (const GpuFact& gpu : machine.gpus)
    list.append(nb::make_tuple(gpu.vendor, gpu.id, gpu.node, gpu.can_open, gpu.address, gpu.name,
                               gpu.memory_bytes, gpu.compute_capability));
  return list;
}

nb::list packages_of(const MachineReport& machine) {
  nb::list list;
  for (const PackageFact& package : machine.packages)
    list.append(nb::make_tuple(package.name, package.version, package.folder));
  return list;
}

nb::list libraries_of(const MachineReport& machine) {
  nb::list list;
  for (const LibraryFact& library : machine.libraries)
    list.append(nb::make_tuple(library.soname, library.path, library.loader_finds_it, library.version,
                               library.wanted_by));
  return list;
}

nb::list findings_of(const std::vector<DoctorFinding>& findings) {
  nb::list list;
  for (const DoctorFinding& each : findings)
    list.append(
        nb::make_tuple(text(to_string(each.severity)), each.topic, each.what, each.action, each.slug));
  return list;
}

nb::tuple examine(const std::filesystem::path& library, const Folders& folders) {
  const MachineReport machine = [&] {
    const nb::gil_scoped_release released;
    return examine_machine({.library = library, .host_folders = folders});
  }();
  return python::to_tuple(machine, diagnose_machine(machine));
}

nb::list findings_of(const ModelCheck& check) {
  nb::list list;
  for (const ModelFinding& each : check.findings)
    list.append(nb::make_tuple(text(to_string(each.severity)), each.topic, each.what, each.details, each.hint,
                               each.slug));
  return list;
}

nb::tuple check(const std::filesystem::path& model, const std::filesystem::path& library,
                const Folders& folders) {
  auto done = [&] {
    const nb::gil_scoped_release released;
    return check_model(model, Runtime::discover({.library = library, .host_folders = folders}));
  }();
  const ModelCheck found = value_or_raise(std::move(done));
  nb::list runtimes;
  for (const RuntimeFit& fit : found.runtimes)
    runtimes.append(nb::make_tuple(fit.version, fit.path, fit.refuses));
  return nb::make_tuple(to_dict(found.info), found.first_runtime, runtimes, findings_of(found));
}

}  // namespace

nb::tuple to_tuple(const MachineReport& machine, const std::vector<DoctorFinding>& findings) {
  return nb::make_tuple(facts_of(machine), gpus_of(machine), packages_of(machine), libraries_of(machine),
                        findings_of(findings));
}

void bind_diagnosis(nb::module_& module) {
  module.def("explain", explained, nb::arg("text"));
  module.def("examine", examine, nb::arg("library"), nb::arg("folders"));
  module.def("check", check, nb::arg("model"), nb::arg("library"), nb::arg("folders"));
}

}  // namespace surefoot::python
