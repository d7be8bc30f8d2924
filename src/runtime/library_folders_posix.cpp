#include <algorithm>
#include <array>

#include "runtime/library_folders.hpp"

namespace surefoot::runtime {
namespace {

namespace fs = std::filesystem;

/// Below a Python package folder; the NVIDIA packages share the namespace folder `nvidia`.
constexpr std::array<std::string_view, 8> kInPackages{
    "nvidia/*/lib", "tensorrt_libs", "tensorrt_rtx_libs",  "onnxruntime_ep_nv_tensorrt_rtx",
    "torch/lib",    "openvino/libs", "_rocm_sdk_core/lib", "_rocm_sdk_*/lib"};

constexpr std::array<std::string_view, 11> kVendorFolders{"/usr/local/cuda*/lib64",
                                                          "/usr/local/cuda*/targets/*/lib",
                                                          "/usr/local/tensorrt*/lib",
                                                          "/opt/tensorrt*/lib",
                                                          "/usr/lib/wsl/lib",
                                                          "/usr/lib/nvidia*",
                                                          "/opt/rocm*/lib",
                                                          "/opt/rocm*/lib/migraphx/lib",
                                                          "/opt/intel/openvino*/runtime/lib/*",
                                                          "/usr/local/Ascend/ascend-toolkit/latest/lib64",
                                                          "/opt/xilinx/xrt/lib"};

struct MachineFolders {
  std::uint16_t machine;
  std::string_view triplet;
};
constexpr std::array kTriplets{MachineFolders{62, "x86_64-linux-gnu"},
                               MachineFolders{183, "aarch64-linux-gnu"},
                               MachineFolders{40, "arm-linux-gnueabihf"}, MachineFolders{3, "i386-linux-gnu"},
                               MachineFolders{243, "riscv64-linux-gnu"}};

std::string_view triplet_of(const HostFacts& host) {
  for (const MachineFolders& each : kTriplets)
    if (each.machine == host.machine) return each.triplet;
  return {};
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

/// The package folder that a file lies in: the nearest …/site-packages or …/dist-packages above it.
fs::path package_folder_above(const fs::path& file) {
  for (fs::path folder = file.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
    if (folder.filename() == "site-packages" || folder.filename() == "dist-packages") return folder;
  return {};
}

void append(std::vector<fs::path>& folders, std::vector<fs::path> more) {
  for (fs::path& each : more)
    if (std::find(folders.begin(), folders.end(), each) == folders.end()) folders.push_back(std::move(each));
}

}  // namespace

fs::path below_root(const fs::path& root, const fs::path& path) {
  return root.empty() || path.is_relative() ? path : root / path.relative_path();
}

const std::vector<std::string>& FolderListings::names_in(const fs::path& folder) {
  const auto [place, is_new] = listings_.try_emplace(folder);
  if (!is_new) return place->second;
  std::error_code error;
  fs::directory_iterator entry(below_root(root_, folder), error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error))
    place->second.push_back(entry->path().filename().string());
  std::sort(place->second.begin(), place->second.end());
  return place->second;
}

std::vector<fs::path> FolderListings::expand(const fs::path& pattern) {
  std::vector<fs::path> found{fs::path()};
  for (const fs::path& part : pattern) {
    std::vector<fs::path> longer;
    const std::string text = part.string();
    for (const fs::path& each : found) {
      if (!text.ends_with('*')) {
        longer.push_back(each / part);
        continue;
      }
      const std::string_view start = std::string_view(text).substr(0, text.size() - 1);
      for (const std::string& name : names_in(each))
        if (name.starts_with(start)) longer.push_back(each / name);
    }
    found = std::move(longer);
  }
  return found;
}

std::vector<fs::path> expand_search_path(std::string_view text, const fs::path& origin,
                                         const HostFacts& host) {
  const std::string library_folder = host.bits == 64 ? "lib64" : "lib";
  const std::string platform = host.machine == 62 ? "x86_64" : machine_name(host.machine);
  std::vector<fs::path> folders;
  for (std::size_t start = 0; start <= text.size();) {
    const std::size_t end = std::min(text.find(':', start), text.size());
    std::string part(text.substr(start, end - start));
    for (const char* const name : {"$ORIGIN", "${ORIGIN}"}) replace_all(part, name, origin.string());
    for (const char* const name : {"$LIB", "${LIB}"}) replace_all(part, name, library_folder);
    for (const char* const name : {"$PLATFORM", "${PLATFORM}"}) replace_all(part, name, platform);
    if (!part.empty()) folders.push_back(fs::path(part).lexically_normal());
    start = end + 1;
  }
  return folders;
}

std::vector<fs::path> default_folders(const HostFacts& host) {
  std::vector<fs::path> folders;
  if (const std::string_view triplet = triplet_of(host); !triplet.empty())
    folders = {fs::path("/lib") / triplet, fs::path("/usr/lib") / triplet};
  if (host.bits == 64) append(folders, {"/lib64", "/usr/lib64"});
  append(folders, {"/lib", "/usr/lib"});
  return folders;
}

std::vector<fs::path> off_path_folders(const fs::path& wanted_by, const SearchPaths& paths,
                                       FolderListings& listings) {
  std::vector<fs::path> folders;
  std::vector<fs::path> packages;
  if (fs::path own = package_folder_above(wanted_by); !own.empty()) packages.push_back(std::move(own));
  append(packages, paths.packages);
  if (wanted_by.has_parent_path()) folders.push_back(wanted_by.parent_path());
  for (const fs::path& package : packages)
    for (const std::string_view pattern : kInPackages) append(folders, listings.expand(package / pattern));
  for (const std::string_view pattern : kVendorFolders) append(folders, listings.expand(pattern));
  return folders;
}

}  // namespace surefoot::runtime
