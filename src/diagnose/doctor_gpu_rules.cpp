#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "diagnose/doctor_rules.hpp"

namespace surefoot::diagnose {
namespace {

constexpr std::string_view kNvidia = "nvidia";

/// The oldest driver (Linux) for each CUDA major, from NVIDIA's table of compatibility.
struct CudaDriver {
  int cuda, driver;
};
constexpr CudaDriver kDrivers[] = {{11, 450}, {12, 525}, {13, 580}};

/// The oldest compute capability that each CUDA major builds for, from its release notes.
struct OldestGpu {
  int cuda;
  std::pair<int, int> capability;
};
constexpr OldestGpu kOldestGpus[] = {{12, {5, 0}}, {13, {7, 5}}};

std::string_view title(std::string_view vendor) {
  constexpr std::pair<std::string_view, std::string_view> kTitles[] = {
      {"nvidia", "NVIDIA"}, {"amd", "AMD"}, {"intel", "Intel"}, {"qualcomm", "Qualcomm"}, {"apple", "Apple"}};
  for (const auto& [name, written] : kTitles)
    if (name == vendor) return written;
  return vendor;
}

int major_of(std::string_view version) {
  int major = 0;
  std::from_chars(version.data(), version.data() + version.size(), major);
  return major;
}

bool is_built_in(const ProviderFact& provider) {
  return provider.status.present ||
         (provider.status.absent_because && provider.status.absent_because->code != ErrorCode::Unsupported);
}

std::vector<const ProviderFact*> providers_of(const MachineReport& machine, std::string_view vendor) {
  std::vector<const ProviderFact*> found;
  for (const ProviderFact& provider : machine.providers)
    if (provider.vendor == vendor && provider.status.platform && !provider.is_retired)
      found.push_back(&provider);
  return found;
}

/// Providers that are for no vendor in particular serve its GPUs too: DirectML, WebGPU.
bool is_any_open_provider_present(const MachineReport& machine) {
  return std::ranges::any_of(machine.providers, [](const ProviderFact& provider) {
    return provider.vendor.empty() && provider.status.present && provider.needs_device;
  });
}

std::set<std::string> vendors(const MachineReport& machine) {
  std::set<std::string> names;
  for (const GpuFact& gpu : machine.gpus) names.insert(gpu.vendor);
  return names;
}

/// The plainest provider of a vendor needs the least: it stands last in the catalogue's order.
void add_idle(const MachineReport& machine, const std::string& vendor, DoctorFindings& findings) {
  const auto all = providers_of(machine, vendor);
  const auto is_present = [](const ProviderFact* provider) { return provider->status.present; };
  if (all.empty() || std::ranges::any_of(all, is_present)) return;
  const auto built_in = std::ranges::find_if(all.rbegin(), all.rend(),
                                             [](const ProviderFact* each) { return is_built_in(*each); });
  const ProviderFact& provider = built_in == all.rend() ? *all.back() : **built_in;
  const Error reason = provider.status.absent_because.value_or(Error{.what = "it is not present"});
  const bool broken = built_in != all.rend();
  if (!broken && is_any_open_provider_present(machine)) return;
  const bool jetson = !machine.board.empty() && vendor == kNvidia;
  findings.push_back(
      {.severity = broken ? Severity::Error : Severity::Warning,
       .topic = "gpu",
       .what = fmt::format("the {} GPU is not used: {}", title(vendor), reason.what),
       .action = jetson && !broken
                     ? fmt::format("install NVIDIA's own onnxruntime-gpu wheel for JetPack, as the "
                                   "registry's has no CUDA for {}",
                                   machine.architecture)
                 : broken ? reason.hint
                          : provider.install,
       .slug = std::string(slug_of(reason))});
}

}  // namespace

bool has_gpu_of(const MachineReport& machine, std::string_view vendor) {
  return std::ranges::find(machine.gpus, vendor, &GpuFact::vendor) != machine.gpus.end();
}

void find_idle_gpus(const MachineReport& machine, DoctorFindings& findings) {
  if (machine.providers.empty()) return;
  for (const std::string& vendor : vendors(machine)) add_idle(machine, vendor, findings);
}

void find_driver_problems(const MachineReport& machine, DoctorFindings& findings) {
  // Jetson's driver is part of its system and has no number of this kind.
  if (!has_gpu_of(machine, kNvidia) || !machine.board.empty()) return;
  if (machine.nvidia_driver.empty() && machine.platform == "linux" && !machine.wsl) {
    findings.push_back({.severity = Severity::Error,
                        .topic = "driver",
                        .what = "an NVIDIA GPU is there, and its driver is not loaded",
                        .action = machine.container.empty()
                                      ? "install the NVIDIA driver (apt install nvidia-driver), and restart"
                                      : "start the container with --gpus all, on a host with the driver",
                        .slug = "nvidia-driver-missing"});
    return;
  }
  const auto needed = std::ranges::find(kDrivers, machine.cuda_wanted, &CudaDriver::cuda);
  if (needed == std::end(kDrivers) || machine.nvidia_driver.empty() ||
      major_of(machine.nvidia_driver) >= needed->driver)
    return;
  findings.push_back(
      {.severity = Severity::Error,
       .topic = "driver",
       .what = fmt::format(
           "ONNX Runtime was built with CUDA {}, which needs NVIDIA's driver {} or newer; this is {}",
           needed->cuda, needed->driver, machine.nvidia_driver),
       .action = fmt::format("upgrade the driver to {} or newer, or install an onnxruntime-gpu for CUDA {}",
                             needed->driver, needed->cuda - 1),
       .slug = "cuda-driver-too-old"});
}

void find_nvml_problems(const MachineReport& machine, DoctorFindings& findings) {
  // A driver that is not loaded is a finding of its own.
  if (machine.nvml_problem.empty() || machine.nvidia_driver.empty()) return;
  findings.push_back(
      {.severity = Severity::Error,
       .topic = "driver",
       .what = fmt::format("NVIDIA's driver does not answer its own libraries: {}", machine.nvml_problem),
       .action = machine.nvml_mismatched
                     ? "restart, since the driver was upgraded and the kernel still runs the old one"
                     : "run nvidia-smi, and mend or install again what it complains of"});
}

void find_gpus_too_old(const MachineReport& machine, DoctorFindings& findings) {
  const auto floor = std::ranges::find(kOldestGpus, machine.cuda_wanted, &OldestGpu::cuda);
  if (floor == std::end(kOldestGpus)) return;
  for (const GpuFact& gpu : machine.gpus) {
    const auto [major, minor] = gpu.compute_capability;
    if (major == 0 || gpu.compute_capability >= floor->capability) continue;
    findings.push_back(
        {.severity = Severity::Error,
         .topic = "gpu",
         .what = fmt::format(
             "`{}` has compute capability {}.{}, and ONNX Runtime was built with CUDA {}, which "
             "runs on {}.{} and newer",
             gpu.name, major, minor, floor->cuda, floor->capability.first, floor->capability.second),
         .action = fmt::format("install an onnxruntime-gpu for CUDA {}", floor->cuda - 1),
         .slug = "cuda-no-kernel-image"});
  }
}

void find_closed_devices(const MachineReport& machine, DoctorFindings& findings) {
  for (const GpuFact& gpu : machine.gpus)
    if (!gpu.node.empty() && !gpu.can_open)
      findings.push_back({.severity = Severity::Error,
                          .topic = "gpu",
                          .what = fmt::format("this user may not open `{}`, the device of the {} GPU",
                                              gpu.node.string(), title(gpu.vendor)),
                          .action = "sudo usermod -aG render,video $USER, and log in again"});
}

void find_hidden_gpus(const MachineReport& machine, DoctorFindings& findings) {
  const bool hidden =
      machine.visible_gpus && (machine.visible_gpus->empty() || machine.visible_gpus->starts_with('-'));
  if (hidden && has_gpu_of(machine, kNvidia))
    findings.push_back({.severity = Severity::Warning,
                        .topic = "environment",
                        .what = fmt::format("CUDA_VISIBLE_DEVICES is `{}`, which hides every NVIDIA GPU",
                                            *machine.visible_gpus),
                        .action = "unset CUDA_VISIBLE_DEVICES",
                        .slug = "cuda-no-device"});
  if (machine.wsl && !machine.wsl_gpu)
    findings.push_back({.severity = Severity::Warning,
                        .topic = "wsl",
                        .what = "the Windows Subsystem for Linux passes no GPU through (/dev/dxg is absent)",
                        .action = "on Windows: wsl --update, and a current GPU driver"});
  const auto all = providers_of(machine, kNvidia);
  const bool gpu_build =
      std::ranges::any_of(all, [](const ProviderFact* each) { return is_built_in(*each); });
  if (gpu_build && machine.gpus.empty() && !machine.container.empty())
    findings.push_back(
        {.severity = Severity::Warning,
         .topic = "container",
         .what = fmt::format("ONNX Runtime's GPU build runs in a container ({}) that sees no GPU",
                             machine.container),
         .action = "start the container with --gpus all, if the host has an NVIDIA GPU",
         .slug = "nvidia-driver-missing"});
}

void find_vulkan_problems(const MachineReport& machine, DoctorFindings& findings) {
  constexpr std::string_view kLoader = "libvulkan.so.1";
  const bool wanted = std::ranges::any_of(machine.providers, [&](const ProviderFact& provider) {
    return is_built_in(provider) && std::ranges::find(provider.opens, kLoader) != provider.opens.end();
  });
  const bool has_loader =
      std::ranges::find(machine.libraries, kLoader, &LibraryFact::soname) != machine.libraries.end();
  if (!wanted || !has_loader || !machine.vulkan_drivers.empty()) return;
  findings.push_back({.severity = Severity::Warning,
                      .topic = "vulkan",
                      .what = "the Vulkan loader is installed, and no driver for it is",
                      .action = "apt install mesa-vulkan-drivers",
                      .slug = "webgpu-no-adapter"});
}

}  // namespace surefoot::diagnose
