#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "diagnose/doctor_rules.hpp"

namespace surefoot::diagnose {
namespace {

bool is_usable(const RuntimeFound& found) { return !found.refused; }

void add_refused(const MachineReport& machine, DoctorFindings& findings) {
  for (const RuntimeFound& found : machine.runtimes)
    if (found.refused)
      findings.push_back(
          {.severity = Severity::Warning,
           .topic = "onnxruntime",
           .what = found.refused->what,
           .action = found.refused->hint.empty() ? "remove it, or install it again" : found.refused->hint,
           .slug = std::string(slug_of(*found.refused))});
}

}  // namespace

void find_runtime_problems(const MachineReport& machine, DoctorFindings& findings) {
  add_refused(machine, findings);
  if (std::ranges::any_of(machine.runtimes, is_usable)) return;
  const bool musl = machine.platform == "linux" && machine.libc.empty();
  findings.push_back(
      {.severity = Severity::Error,
       .topic = "onnxruntime",
       .what = musl ? "no ONNX Runtime is usable, and this system has no glibc, which its packages need"
                    : "no ONNX Runtime is usable on this machine",
       .action = musl ? "use an image with glibc, such as debian:stable-slim" : "pip install onnxruntime",
       .slug = "onnxruntime-not-found"});
}

/// One that merely failed says so whenever it is opened, and many are not meant for this machine.
void find_harmful_providers(const MachineReport& machine, DoctorFindings& findings) {
  for (const ProviderFact& provider : machine.providers)
    if (provider.verdict && is_harmful(provider.verdict->outcome))
      findings.push_back(
          {.severity = Severity::Error,
           .topic = "provider",
           .what = fmt::format("`{}` was probed: {}", provider.status.name, provider.verdict->what),
           .action = provider.verdict->hint.empty() ? "surefoot providers --probe --fresh"
                                                    : provider.verdict->hint});
}

void find_package_conflicts(const MachineReport& machine, DoctorFindings& findings) {
  std::map<std::filesystem::path, std::vector<std::string>> by_folder;
  for (const PackageFact& package : machine.packages) by_folder[package.folder].push_back(package.name);
  for (const auto& [folder, names] : by_folder)
    if (names.size() > 1)
      findings.push_back(
          {.severity = Severity::Error,
           .topic = "python",
           .what = fmt::format(
               "{} are both installed in `{}`: they share one folder, and the last one installed wins",
               fmt::join(names, " and "), folder.string()),
           .action =
               fmt::format("pip uninstall -y {}, then install the one that is wanted", fmt::join(names, " ")),
           .slug = "python-module-shadowed"});
}

void find_shadowing(const MachineReport& machine, DoctorFindings& findings) {
  for (const RuntimeFound& found : machine.runtimes) {
    const auto in_path = std::ranges::find(machine.library_path, found.path.parent_path());
    if (found.chosen || in_path == machine.library_path.end()) continue;
    findings.push_back(
        {.severity = Severity::Warning,
         .topic = "environment",
         .what = fmt::format("LD_LIBRARY_PATH puts ONNX Runtime {} in `{}` before others for every program "
                             "that loads it by name",
                             found.version.empty() ? "(refused)" : found.version, in_path->string()),
         .action = fmt::format("take `{}` out of LD_LIBRARY_PATH", in_path->string()),
         .slug = "onnxruntime-too-old"});
  }
  if (machine.mapped_runtimes.size() > 1)
    findings.push_back(
        {.severity = Severity::Warning,
         .topic = "onnxruntime",
         .what = fmt::format("{} copies of ONNX Runtime are in this process", machine.mapped_runtimes.size()),
         .action = "let every part of the program use the same one"});
}

}  // namespace surefoot::diagnose
