#include "diagnose/nvml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "ort/loader.hpp"

namespace surefoot::diagnose {
namespace {

// NVML's ABI, of NVIDIA's API reference; the functions with a number replace older ones of the same name.
using Return = int;
using Device = struct nvmlDevice_st*;
constexpr Return kSuccess = 0;
constexpr Return kMismatch = 18;  // NVML_ERROR_LIB_RM_VERSION_MISMATCH

struct Memory {
  unsigned long long total, free, used;
};
struct PciInfo {
  char legacy[16];
  unsigned domain, bus, device, device_and_vendor, subsystem;
  char bus_id[32];  // "00000000:01:00.0"
};

struct Unmap {
  void operator()(void* library) const { ort::unmap_library(library); }
};
using Handle = std::unique_ptr<void, Unmap>;

/// NVML, open and asked by name.
class Nvml {
 public:
  explicit Nvml(Handle library) : library_(std::move(library)) {}

  /// Fails like NVML where it has no such function: older drivers lack some.
  template <class... Args>
  Return call(const char* name, Args... args) const {
    constexpr Return kNoFunction = 13;
    auto* const found = reinterpret_cast<Return (*)(Args...)>(ort::symbol(library_.get(), name));
    return found == nullptr ? kNoFunction : found(args...);
  }
  std::string words(Return code) const {
    auto* const found =
        reinterpret_cast<const char* (*)(Return)>(ort::symbol(library_.get(), "nvmlErrorString"));
    const char* text = found == nullptr ? nullptr : found(code);
    return text == nullptr ? fmt::format("error {}", code) : std::string(text);
  }
  template <std::size_t Size, class... Args>
  std::string text(const char* name, Args... args) const {
    std::array<char, Size> buffer{};
    if (call(name, args..., buffer.data(), static_cast<unsigned>(Size)) != kSuccess) return {};
    buffer.back() = '\0';
    return buffer.data();
  }

 private:
  Handle library_;
};

/// As sysfs writes it, with four digits of the domain.
std::string pci_address(const Nvml& nvml, Device device) {
  constexpr std::size_t kLength = 12;
  PciInfo info{};
  if (nvml.call("nvmlDeviceGetPciInfo_v3", device, &info) != kSuccess) return {};
  info.bus_id[sizeof info.bus_id - 1] = '\0';
  std::string address = info.bus_id;
  std::ranges::transform(address, address.begin(),
                         [](char letter) { return letter >= 'A' && letter <= 'F' ? letter + 32 : letter; });
  return address.size() > kLength ? address.substr(address.size() - kLength) : address;
}

/// The GPU at that address; a new one where the system lists none there, as in WSL.
GpuFact& gpu_at(const std::string& address, MachineReport& machine) {
  const auto at = std::ranges::find_if(
      machine.gpus, [&](const GpuFact& gpu) { return !address.empty() && gpu.address == address; });
  if (at != machine.gpus.end()) return *at;
  return machine.gpus.emplace_back(GpuFact{.vendor = "nvidia", .address = address});
}

void read_device(const Nvml& nvml, unsigned index, MachineReport& machine) {
  Device device = nullptr;
  if (nvml.call("nvmlDeviceGetHandleByIndex_v2", index, &device) != kSuccess) return;
  GpuFact& gpu = gpu_at(pci_address(nvml, device), machine);
  gpu.name = nvml.text<96>("nvmlDeviceGetName", device);
  Memory memory{};
  if (nvml.call("nvmlDeviceGetMemoryInfo", device, &memory) == kSuccess) gpu.memory_bytes = memory.total;
  int major = 0, minor = 0;
  if (nvml.call("nvmlDeviceGetCudaComputeCapability", device, &major, &minor) == kSuccess)
    gpu.compute_capability = {major, minor};
}

void read_started(const Nvml& nvml, MachineReport& machine) {
  const std::string driver = nvml.text<80>("nvmlSystemGetDriverVersion");
  if (machine.nvidia_driver.empty()) machine.nvidia_driver = driver;
  int cuda = 0;
  if (nvml.call("nvmlSystemGetCudaDriverVersion_v2", &cuda) == kSuccess)
    machine.driver_cuda = fmt::format("{}.{}", cuda / 1000, cuda % 1000 / 10);
  unsigned count = 0;
  if (nvml.call("nvmlDeviceGetCount_v2", &count) != kSuccess) return;
  for (unsigned index = 0; index < count; ++index) read_device(nvml, index, machine);
}

}  // namespace

void read_nvml(const std::filesystem::path& library, MachineReport& machine) {
  auto mapped = ort::map_library(library);
  if (!mapped) return;
  const Nvml nvml{Handle(*mapped)};
  const Return started = nvml.call("nvmlInit_v2");
  if (started != kSuccess) {
    machine.nvml_problem = nvml.words(started);
    machine.nvml_mismatched = started == kMismatch;
    return;
  }
  read_started(nvml, machine);
  nvml.call("nvmlShutdown");
}

}  // namespace surefoot::diagnose
