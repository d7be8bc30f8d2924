#include <sys/stat.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <vector>

#include "ort/environment.hpp"
#include "probe/machine_state.hpp"
#include "provider/catalogue.hpp"

namespace surefoot::probe {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kGeneration = "1";  // raised when the probe itself comes to ask other things

void add_file(cache::Hasher& hasher, const fs::path& path) {
  struct stat facts {};
  const bool there = ::stat(path.c_str(), &facts) == 0;
  hasher.add(path.string());
  if (!there) return;
  for (const auto number :
       {std::int64_t{facts.st_size}, std::int64_t{facts.st_mtim.tv_sec}, std::int64_t{facts.st_mtim.tv_nsec}})
    hasher.add(std::to_string(number));
}

void add_content(cache::Hasher& hasher, const char* path) {
  std::ifstream file(path);
  std::string line;
  if (std::getline(file, line)) hasher.add(line);
}

/// Device files come and go with the devices.
void add_names(cache::Hasher& hasher, const char* folder, std::string_view beginning = {}) {
  std::vector<std::string> names;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(folder, problem))
    if (const std::string name = entry.path().filename(); name.starts_with(beginning)) names.push_back(name);
  std::ranges::sort(names);
  for (const std::string& name : names) hasher.add(name);
  hasher.add(std::string_view(folder));
}

cache::Digest system_digest() {
  cache::Hasher hasher;
  utsname system{};
  if (::uname(&system) == 0) hasher.add(std::string_view(system.release));
  for (const char* file :
       {"/proc/driver/nvidia/version", "/sys/module/amdgpu/version", "/sys/module/i915/version",
        "/sys/module/xe/version", "/sys/module/intel_vpu/version"})
    add_content(hasher, file);
  for (const char* folder : {"/dev/dri", "/dev/accel"}) add_names(hasher, folder);
  add_names(hasher, "/dev", "nvidia");
  for (const char* path : {"/etc/ld.so.cache", "/usr/share/vulkan/icd.d", "/etc/vulkan/icd.d"})
    add_file(hasher, path);
  return hasher.digest();
}

/// Kernel, drivers and devices as this process first saw them: what it has loaded of them does not change
/// either, and looking anew costs a tenth of a millisecond at each session.
const cache::Digest& system_seen() {
  static const cache::Digest seen = system_digest();
  return seen;
}

/// What a user sets to have other libraries, or devices, found.
void add_environment(cache::Hasher& hasher) {
  for (const char* name : {"LD_LIBRARY_PATH", "LD_PRELOAD", "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                           "ROCR_VISIBLE_DEVICES", "VK_ICD_FILENAMES", "VK_DRIVER_FILES"}) {
    const char* value = std::getenv(name);
    hasher.add(std::string_view(name)).add(std::string_view(value == nullptr ? "" : value));
  }
  const char* paths = std::getenv("LD_LIBRARY_PATH");
  const std::string list = paths == nullptr ? "" : paths;
  for (std::size_t begin = 0; begin < list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    add_file(hasher, list.substr(begin, end - begin));
    begin = end + 1;
  }
}

void add_provider(cache::Hasher& hasher, const Runtime& runtime, const std::string& name,
                  const ProbeRequest& request) {
  const provider::ProviderSpec* row = provider::find(name);
  hasher.add(row == nullptr ? std::string_view(name) : row->name);
  const fs::path folder = runtime.path().parent_path();
  if (row != nullptr && !row->library.empty())
    add_file(hasher, folder / provider::library_file(row->library));
  add_file(hasher, folder);
  for (const auto& [plugin, file] : plugins_of(runtime, request)) {
    hasher.add(plugin);
    add_file(hasher, file);
  }
}

}  // namespace

std::map<std::string, fs::path> plugins_of(const Runtime& runtime, const ProbeRequest& request) {
  auto plugins = runtime.environment().plugin_files();
  if (!request.plugin.empty()) plugins[request.provider] = request.plugin;
  return plugins;
}

cache::Digest state_of(const Runtime& runtime, const std::string& provider, const ProbeRequest& request) {
  cache::Hasher hasher;
  hasher.add(kGeneration).add(runtime.version());
  add_file(hasher, runtime.path());
  add_provider(hasher, runtime, provider, request);
  for (const auto& [key, value] : request.options) hasher.add(key).add(value);
  add_environment(hasher);
  hasher.add(system_seen());
  return hasher.digest();
}

}  // namespace surefoot::probe
