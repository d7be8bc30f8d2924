#include "diagnose/machine_files.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <map>
#include <sstream>

#include "session/cpu_budget.hpp"

namespace surefoot::diagnose {
namespace {

namespace fs = std::filesystem;

/// The file's text up to a zero byte or its end, without line breaks around it; empty when it cannot be read.
std::string text_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(stream), {});
  text.resize(std::min(text.find('\0'), text.size()));
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

bool is_there(const fs::path& path) {
  std::error_code problem;
  return fs::exists(path, problem);
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::error_code problem;
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder, problem)) entries.push_back(entry.path());
  std::ranges::sort(entries);
  return entries;
}

/// What stands behind `key` and a colon in a file of such lines.
std::string field_of(const fs::path& file, std::string_view key) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const auto colon = line.find(':');
    if (!line.starts_with(key) || colon == line.npos) continue;
    const auto begin = line.find_first_not_of(" \t", colon + 1);
    return begin == line.npos ? std::string() : line.substr(begin);
  }
  return {};
}

std::uint64_t number_in(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::vector<std::string> features_that_matter(const std::string& flags) {
  constexpr std::string_view kFeatures[] = {"avx",     "avx2",        "fma",         "f16c",
                                            "avx512f", "avx512_vnni", "avx512_bf16", "amx_tile",
                                            "asimd",   "asimdhp",     "bf16",        "sve"};
  std::vector<std::string> found;
  std::istringstream words(flags);
  for (std::string word; words >> word;)
    if (std::ranges::find(kFeatures, word) != std::end(kFeatures)) found.push_back(word);
  return found;
}

/// v2's memory.max or v1's limit; v1 writes a number near 2^63 for none.
std::uint64_t memory_limit(const fs::path& root) {
  constexpr std::uint64_t kNone = std::uint64_t{1} << 60;
  for (const char* file : {"sys/fs/cgroup/memory.max", "sys/fs/cgroup/memory/memory.limit_in_bytes"})
    if (const std::uint64_t limit = number_in(text_of(root / file)); limit > 0 && limit < kNone) return limit;
  return 0;
}

std::string vendor_of(std::string_view pci) {
  const std::map<std::string_view, std::string_view> kVendors = {
      {"0x10de", "nvidia"}, {"0x1002", "amd"}, {"0x8086", "intel"}, {"0x17cb", "qualcomm"}};
  const auto known = kVendors.find(pci);
  return std::string(known == kVendors.end() ? pci : known->second);
}

/// Display controllers (03) and processing accelerators (12). ASPEED's and QEMU's screens compute nothing.
bool computes(std::string_view device_class, std::string_view vendor) {
  const bool fits = device_class.starts_with("0x03") || device_class.starts_with("0x12");
  return fits && (vendor == "0x10de" || vendor == "0x1002" || vendor == "0x8086" || vendor == "0x17cb");
}

/// NVIDIA's own device file, or the one that the kernel's graphics layer made.
fs::path node_of(const fs::path& root, const fs::path& device, std::string_view vendor, std::size_t index) {
  if (vendor == "nvidia") {
    const fs::path node = "/dev/nvidia" + std::to_string(index);
    if (is_there(root / node.relative_path())) return node;
  }
  for (const fs::path& entry : entries_of(device / "drm"))
    if (entry.filename().string().starts_with("renderD")) return "/dev/dri" / entry.filename();
  return {};
}

std::string nvidia_driver(const fs::path& root) {
  if (std::string version = text_of(root / "sys/module/nvidia/version"); !version.empty()) return version;
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.14  Thu Feb 22 …"
  std::istringstream words(field_of(root / "proc/driver/nvidia/version", "NVRM version"));
  for (std::string word; words >> word;)
    if (!word.empty() && word.find('.') != word.npos && word.find_first_not_of("0123456789.") == word.npos)
      return word;
  return {};
}

}  // namespace

void read_system(const runtime::Surroundings& around, MachineReport& machine) {
  machine.board = text_of(around.root / "proc/device-tree/model");
  const std::string release = text_of(around.root / "proc/sys/kernel/osrelease");
  machine.wsl = release.find("icrosoft") != release.npos;
  machine.wsl_gpu = is_there(around.root / "dev/dxg");
  if (around.variable("KUBERNETES_SERVICE_HOST"))
    machine.container = "kubernetes";
  else if (is_there(around.root / "run/.containerenv"))
    machine.container = "podman";
  else if (is_there(around.root / ".dockerenv"))
    machine.container = "docker";
}

void read_processor(const fs::path& root, MachineReport& machine) {
  const fs::path file = root / "proc/cpuinfo";
  machine.cpu = field_of(file, "model name");
  const std::string flags = field_of(file, "flags");
  machine.cpu_features = features_that_matter(flags.empty() ? field_of(file, "Features") : flags);
  const session::CpuBudget budget = session::cpu_budget(root);
  machine.cpus = budget.machine;
  machine.cpus_allowed = budget.allowed;
  machine.cpu_quota = budget.quota;
  machine.memory_bytes = number_in(field_of(root / "proc/meminfo", "MemTotal")) * 1024;
  machine.memory_limit_bytes = memory_limit(root);
}

void read_gpus(const runtime::Surroundings& around, MachineReport& machine) {
  std::map<std::string, std::size_t> counts;
  for (const fs::path& device : entries_of(around.root / "sys/bus/pci/devices")) {
    const std::string number = text_of(device / "vendor"), model = text_of(device / "device");
    if (!computes(text_of(device / "class"), number)) continue;
    GpuFact gpu{.vendor = vendor_of(number), .address = device.filename().string()};
    if (number.size() > 2 && model.size() > 2) gpu.id = number.substr(2) + ":" + model.substr(2);
    gpu.node = node_of(around.root, device, gpu.vendor, counts[gpu.vendor]++);
    gpu.can_open =
        gpu.node.empty() || ::access((around.root / gpu.node.relative_path()).c_str(), R_OK | W_OK) == 0;
    machine.gpus.push_back(std::move(gpu));
  }
  machine.nvidia_driver = nvidia_driver(around.root);
  machine.visible_gpus = around.variable("CUDA_VISIBLE_DEVICES");
  for (const char* folder : {"usr/share/vulkan/icd.d", "etc/vulkan/icd.d", "usr/local/share/vulkan/icd.d"})
    for (const fs::path& entry : entries_of(around.root / folder))
      if (entry.extension() == ".json") machine.vulkan_drivers.push_back(entry);
  for (const char* variable : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"})
    if (const auto files = around.variable(variable); files && !files->empty())
      machine.vulkan_drivers.emplace_back(*files);
}

void read_packages(std::span<const fs::path> folders, MachineReport& machine) {
  constexpr std::string_view kSuffix = ".dist-info";
  for (const fs::path& folder : folders)
    for (const fs::path& entry : entries_of(folder)) {
      const std::string name = entry.filename().string();
      const auto dash = name.find('-');
      // onnxruntime_extensions and onnxruntime_genai are packages of their own folders.
      if (!name.starts_with("onnxruntime") || !name.ends_with(kSuffix) || dash == name.npos) continue;
      if (name.starts_with("onnxruntime_extensions") || name.starts_with("onnxruntime_genai") ||
          name.starts_with("onnxruntime_ep") || name.starts_with("onnxruntime_tools"))
        continue;
      std::string package = name.substr(0, dash);
      std::ranges::replace(package, '_', '-');
      machine.packages.push_back(
          {package, name.substr(dash + 1, name.size() - kSuffix.size() - dash - 1), folder});
    }
}

}  // namespace surefoot::diagnose
