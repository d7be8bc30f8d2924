/// The single rules of diagnose_machine(): each looks at one thing and adds what it finds.
#pragma once

#include "surefoot/doctor.hpp"

namespace surefoot::diagnose {

using DoctorFindings = std::vector<DoctorFinding>;

// ONNX Runtime and its packages.
void find_runtime_problems(const MachineReport& machine, DoctorFindings& findings);
void find_package_conflicts(const MachineReport& machine, DoctorFindings& findings);
void find_shadowing(const MachineReport& machine, DoctorFindings& findings);

// What probes found out.
void find_harmful_providers(const MachineReport& machine, DoctorFindings& findings);

// Graphics processors, their drivers and who may use them.
void find_idle_gpus(const MachineReport& machine, DoctorFindings& findings);
void find_driver_problems(const MachineReport& machine, DoctorFindings& findings);
void find_nvml_problems(const MachineReport& machine, DoctorFindings& findings);
void find_gpus_too_old(const MachineReport& machine, DoctorFindings& findings);
void find_closed_devices(const MachineReport& machine, DoctorFindings& findings);
void find_hidden_gpus(const MachineReport& machine, DoctorFindings& findings);
void find_vulkan_problems(const MachineReport& machine, DoctorFindings& findings);

// The system around.
void find_limits(const MachineReport& machine, DoctorFindings& findings);
void find_slow_cpu(const MachineReport& machine, DoctorFindings& findings);

/// Whether the machine lists a processor of that vendor.
bool has_gpu_of(const MachineReport& machine, std::string_view vendor);

}  // namespace surefoot::diagnose
