#include <fmt/format.h>

#include "report/json.hpp"

namespace surefoot::reporting {

Json json_of(const GpuFact& gpu) {
  const auto [major, minor] = gpu.compute_capability;
  return {{"vendor", gpu.vendor},
          {"id", gpu.id},
          {"node", gpu.node.string()},
          {"can_open", gpu.can_open},
          {"address", gpu.address},
          {"name", gpu.name},
          {"memory_bytes", gpu.memory_bytes},
          {"compute_capability", major == 0 ? "" : fmt::format("{}.{}", major, minor)}};
}

Json json_of(const LibraryFact& library) {
  return {{"soname", library.soname},
          {"path", library.path.string()},
          {"loader_finds_it", library.loader_finds_it},
          {"version", library.version},
          {"wanted_by", library.wanted_by}};
}

Json json_of(const PackageFact& package) {
  return {{"name", package.name}, {"version", package.version}, {"folder", package.folder.string()}};
}

Json json_of(const RuntimeFound& found) {
  return {{"path", found.path.string()},
          {"version", found.version},
          {"chosen", found.chosen},
          {"usable", !found.refused}};
}

Json json_of(const ProviderFact& provider) {
  Json json = {
      {"name", provider.status.name}, {"known", provider.status.known}, {"present", provider.status.present}};
  const bool is_usable = provider.verdict && provider.verdict->outcome == ProbeOutcome::Works;
  json["usable"] = provider.verdict || !provider.status.present ? Json(is_usable) : Json(nullptr);
  if (provider.verdict && !is_usable) json["probe"] = provider.verdict->what;
  if (provider.status.absent_because) json["reason"] = json_of(*provider.status.absent_because);
  return json;
}

Json json_of(const MachineReport& machine) {
  return {{"platform", machine.platform},
          {"architecture", machine.architecture},
          {"glibc", machine.libc},
          {"board", machine.board},
          {"container", machine.container},
          {"wsl", machine.wsl},
          {"cpu", machine.cpu},
          {"cpu_features", machine.cpu_features},
          {"cpus", machine.cpus},
          {"cpus_allowed", machine.cpus_allowed},
          {"cpu_quota", machine.cpu_quota},
          {"memory_bytes", machine.memory_bytes},
          {"memory_limit_bytes", machine.memory_limit_bytes},
          {"nvidia_driver", machine.nvidia_driver},
          {"driver_cuda", machine.driver_cuda},
          {"nvml_problem", machine.nvml_problem},
          {"gpus", list_of(machine.gpus)},
          {"libraries", list_of(machine.libraries)},
          {"packages", list_of(machine.packages)},
          {"runtimes", list_of(machine.runtimes)},
          {"providers", list_of(machine.providers)}};
}

Json json_of(const DoctorFinding& finding) {
  Json json = {{"severity", to_string(finding.severity)},
               {"topic", finding.topic},
               {"what", finding.what},
               {"action", finding.action}};
  if (!finding.slug.empty()) json["slug"] = finding.slug;
  return json;
}

}  // namespace surefoot::reporting
