#include <fmt/format.h>

#include <algorithm>

#include "diagnose/doctor_rules.hpp"

namespace surefoot::diagnose {

void find_limits(const MachineReport& machine, DoctorFindings& findings) {
  const double usable = machine.cpu_quota > 0 ? std::min<double>(machine.cpu_quota, machine.cpus_allowed)
                                              : static_cast<double>(machine.cpus_allowed);
  if (usable < machine.cpus)
    findings.push_back(
        {.severity = Severity::Note,
         .topic = "threads",
         .what = fmt::format("this process may use {:.3g} of {} CPUs, and ONNX Runtime by itself counts {}",
                             usable, machine.cpus, machine.cpus),
         .action = "set intra_op_num_threads in other programs; Surefoot does it by itself",
         .slug = "thread-affinity-refused"});
  constexpr std::uint64_t kSmall = std::uint64_t{1} << 30;
  if (machine.memory_limit_bytes > 0 && machine.memory_limit_bytes < kSmall)
    findings.push_back({.severity = Severity::Note,
                        .topic = "memory",
                        .what = fmt::format(
                            "the container may use {} MB of memory: loading takes up to twice a model's size",
                            machine.memory_limit_bytes / 1'000'000),
                        .action = "raise the container's memory limit, or use small models",
                        .slug = "host-memory-exhausted"});
}

void find_slow_cpu(const MachineReport& machine, DoctorFindings& findings) {
  const bool is_known = !machine.cpu_features.empty();
  const bool has_avx2 = std::ranges::find(machine.cpu_features, "avx2") != machine.cpu_features.end();
  if (machine.architecture != "x86-64" || !is_known || has_avx2) return;
  findings.push_back({.severity = Severity::Note,
                      .topic = "cpu",
                      .what = "this processor shows no AVX2, and ONNX Runtime is slower without it",
                      .action = "in a virtual machine: pass the host's processor through (-cpu host)"});
}

}  // namespace surefoot::diagnose
