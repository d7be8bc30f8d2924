#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"
#include "report/json.hpp"
#include "surefoot/doctor.hpp"

namespace surefoot::cli {
namespace {

void print_row(std::string_view title, std::string_view text) {
  if (!text.empty()) fmt::print("{:<12}{}\n", title, text);
}

void print_finding(const DoctorFinding& finding) {
  fmt::print("{:<9}{}: {}\n", to_string(finding.severity), finding.topic, finding.what);
  if (!finding.action.empty()) fmt::print("         do:  {}\n", finding.action);
  if (!finding.slug.empty()) fmt::print("         see: surefoot explain {}\n", finding.slug);
}

std::string system_text(const MachineReport& machine) {
  std::string text = fmt::format("{} {}", machine.platform, machine.architecture);
  if (!machine.libc.empty()) text += fmt::format(", glibc {}", machine.libc);
  if (!machine.board.empty()) text += ", " + machine.board;
  if (machine.wsl) text += ", WSL";
  return machine.container.empty() ? text : fmt::format("{}, in a container ({})", text, machine.container);
}

std::string cpu_text(const MachineReport& machine) {
  std::string text = fmt::format("{}{}{} of {} CPUs", machine.cpu, machine.cpu.empty() ? "" : ", ",
                                 machine.cpus_allowed, machine.cpus);
  if (machine.cpu_quota > 0) text += fmt::format(", quota {:.3g}", machine.cpu_quota);
  return machine.cpu_features.empty() ? text
                                      : fmt::format("{}; {}", text, fmt::join(machine.cpu_features, " "));
}

constexpr double kGigabyte = 1e9;

std::string memory_text(const MachineReport& machine) {
  std::string text = fmt::format("{:.1f} GB", static_cast<double>(machine.memory_bytes) / kGigabyte);
  if (machine.memory_limit_bytes > 0)
    text += fmt::format(", limit {:.1f} GB", static_cast<double>(machine.memory_limit_bytes) / kGigabyte);
  return text;
}

std::string gpu_text(const GpuFact& gpu) {
  std::string text = gpu.vendor;
  for (const std::string& part : {gpu.id, gpu.node.string()})
    if (!part.empty()) text += " " + part;
  if (!gpu.can_open) text += " (may not be opened)";
  if (!gpu.name.empty()) text += ", " + gpu.name;
  if (gpu.memory_bytes > 0)
    text += fmt::format(", {:.1f} GB", static_cast<double>(gpu.memory_bytes) / kGigabyte);
  const auto [major, minor] = gpu.compute_capability;
  return major == 0 ? text : fmt::format("{}, compute capability {}.{}", text, major, minor);
}

std::string driver_text(const MachineReport& machine) {
  if (machine.nvidia_driver.empty()) return {};
  return fmt::format("NVIDIA {}{}", machine.nvidia_driver,
                     machine.driver_cuda.empty() ? "" : ", CUDA to " + machine.driver_cuda);
}

void print_hardware(const MachineReport& machine) {
  print_row("system", system_text(machine));
  print_row("cpu", cpu_text(machine));
  print_row("memory", memory_text(machine));
  for (const GpuFact& gpu : machine.gpus) print_row("gpu", gpu_text(gpu));
  if (machine.gpus.empty()) print_row("gpu", "none");
  print_row("driver", driver_text(machine));
  for (const auto& file : machine.vulkan_drivers) print_row("vulkan", file.string());
}

std::string library_text(const LibraryFact& library) {
  std::string text = fmt::format("{}  {}", library.soname, short_path(library.path));
  if (!library.version.empty()) text += "  " + library.version;
  if (!library.wanted_by.empty()) text += fmt::format("  (wanted by {})", fmt::join(library.wanted_by, ", "));
  return library.loader_finds_it ? text : text + "  (the loader does not look there)";
}

/// False where this ONNX Runtime was made without it.
bool is_in_it(const ProviderStatus& status) {
  return status.present || !status.absent_because || status.absent_because->code != ErrorCode::Unsupported;
}

std::string usable_text(const ProviderFact& provider) {
  if (!provider.verdict) return "not probed yet";
  if (provider.verdict->outcome == ProbeOutcome::Works) return "usable";
  return "not usable: it " + provider.verdict->what;
}

std::string provider_text(const ProviderFact& provider) {
  const ProviderStatus& status = provider.status;
  const std::string known = status.known ? "" : "not known, ";
  if (status.present) return fmt::format("{}  {}present, {}", status.name, known, usable_text(provider));
  return fmt::format("{}  {}not present: {}", status.name, known,
                     status.absent_because ? status.absent_because->what : "its library is missing");
}

/// What is in the chosen ONNX Runtime, one a line, and the names of what is not.
void print_providers(const MachineReport& machine) {
  std::vector<std::string> missing;
  for (const ProviderFact& provider : machine.providers)
    if (is_in_it(provider.status))
      print_row("provider", provider_text(provider));
    else if (provider.status.platform && !provider.is_retired)
      missing.push_back(provider.status.name);
  print_row("not in it", fmt::format("{}", fmt::join(missing, ", ")));
}

void print_software(const MachineReport& machine) {
  for (const LibraryFact& library : machine.libraries) print_row("library", library_text(library));
  for (const PackageFact& package : machine.packages)
    print_row("package", fmt::format("{} {}  {}", package.name, package.version, short_path(package.folder)));
  for (const RuntimeFound& found : machine.runtimes)
    print_row("onnxruntime", fmt::format("{} {}  {}", found.version.empty() ? "?" : found.version,
                                         found.refused  ? "refused"
                                         : found.chosen ? "chosen"
                                                        : "usable",
                                         short_path(found.path)));
  print_providers(machine);
}

bool is_healthy(const std::vector<DoctorFinding>& findings) {
  return std::ranges::all_of(findings,
                             [](const DoctorFinding& finding) { return finding.severity == Severity::Note; });
}

void print_all(const MachineReport& machine, const std::vector<DoctorFinding>& findings, bool as_json) {
  if (as_json) {
    auto json = document("doctor");
    json["healthy"] = is_healthy(findings);
    json["findings"] = reporting::list_of(findings);
    json["machine"] = reporting::json_of(machine);
    return print(json);
  }
  for (const DoctorFinding& finding : findings) print_finding(finding);
  fmt::print("{}", findings.empty() ? "nothing to mend\n\n" : "\n");
  print_hardware(machine);
  print_software(machine);
}

Result<Exit> examine(const Parsed& parsed) {
  const MachineReport machine = examine_machine({.library = parsed.value("runtime")});
  auto findings = parsed.positionals().empty() ? Result<std::vector<DoctorFinding>>(diagnose_machine(machine))
                                               : diagnose_machine(machine, parsed.positionals().front());
  if (!findings) return fail(std::move(findings).error());
  print_all(machine, *findings, parsed.has("json"));
  return is_healthy(*findings) ? Exit::Yes : Exit::No;
}

}  // namespace

const Command& doctor_command() {
  static const Command kCommand{.name = "doctor",
                                .summary = "say what is wrong on this machine, and the command that mends it",
                                .description =
                                    "Looks at the system, processors, drivers, libraries, Python packages "
                                    "and ONNX Runtimes, without loading a "
                                    "provider, and prints what is to be mended, worst first, each with one "
                                    "action, then the facts. With a model: "
                                    "what stands in its way, too. Exit 1 when something is an error or a "
                                    "warning. Whether a provider that is "
                                    "present also works is asked by `surefoot providers`.",
                                .positional = "[MODEL]",
                                .positional_help = "a model that is to run here",
                                .least_words = 0,
                                .flags = {runtime_flags().first(1), kJson},
                                .examples = {"surefoot doctor", "surefoot doctor model.onnx --json"},
                                .run = examine};
  return kCommand;
}

}  // namespace surefoot::cli
