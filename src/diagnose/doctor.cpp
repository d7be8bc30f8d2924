#include "surefoot/doctor.hpp"

#include <algorithm>

#include "diagnose/doctor_rules.hpp"
#include "surefoot/model_check.hpp"

namespace surefoot {

std::vector<DoctorFinding> diagnose_machine(const MachineReport& machine) {
  std::vector<DoctorFinding> findings;
  for (const auto rule :
       {diagnose::find_runtime_problems, diagnose::find_package_conflicts, diagnose::find_harmful_providers,
        diagnose::find_driver_problems, diagnose::find_nvml_problems, diagnose::find_gpus_too_old,
        diagnose::find_closed_devices, diagnose::find_hidden_gpus, diagnose::find_idle_gpus,
        diagnose::find_shadowing, diagnose::find_vulkan_problems, diagnose::find_limits,
        diagnose::find_slow_cpu})
    rule(machine, findings);
  std::ranges::stable_sort(findings, {}, &DoctorFinding::severity);
  return findings;
}

Result<std::vector<DoctorFinding>> diagnose_machine(const MachineReport& machine,
                                                    const std::filesystem::path& model) {
  auto check = check_model(model, machine.runtimes);
  if (!check) return fail(std::move(check).error());
  std::vector<DoctorFinding> findings = diagnose_machine(machine);
  for (const ModelFinding& found : check->findings)
    findings.push_back({found.severity, "model, " + found.topic, found.what, found.hint, found.slug});
  std::ranges::stable_sort(findings, {}, &DoctorFinding::severity);
  return findings;
}

}  // namespace surefoot
