#include "runtime/python_folders.hpp"

#include <algorithm>
#include <fstream>
#include <string>
#include <utility>

namespace surefoot::runtime {
namespace {

namespace fs = std::filesystem;

void append(std::vector<fs::path>& to, const std::vector<fs::path>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

bool is_there(const fs::path& path) {
  std::error_code problem;
  return fs::exists(path, problem);
}

/// The package's folder under one `lib`: pip's site-packages, Debian's dist-packages.
std::vector<fs::path> package_folders(const fs::path& lib) {
  std::vector<fs::path> candidates;
  for (const fs::path& python : matching(lib, "python3*"))
    append(candidates, {python / "site-packages", python / "dist-packages"});
  std::vector<fs::path> found;
  for (const fs::path& packages : candidates)
    if (const fs::path capi = packages / "onnxruntime/capi"; is_there(capi)) found.push_back(capi);
  return found;
}

std::vector<fs::path> prefix_folders(const fs::path& prefix) {
  std::vector<fs::path> folders;
  for (const char* lib : {"lib", "lib64", "local/lib", "local/lib64"})
    append(folders, package_folders(prefix / lib));
  return folders;
}

/// pyenv's shims are scripts: the version that they run stands in PYENV_VERSION or in a file.
fs::path pyenv_prefix(const fs::path& pyenv, const Surroundings& around) {
  std::string version = around.variable("PYENV_VERSION").value_or("");
  if (version.empty()) {
    std::ifstream file(pyenv / "version");
    std::getline(file, version);
  }
  return version.empty() ? fs::path() : pyenv / "versions" / version;
}

/// The prefix of the first python3 on PATH.
fs::path prefix_on_path(const Surroundings& around) {
  const std::string path = around.variable("PATH").value_or("");
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const fs::path bin = path.substr(begin, end - begin);
    begin = end + 1;
    if (bin.empty() || !is_there(bin / "python3")) continue;
    if (bin.filename() != "shims") return bin.parent_path();
    // "system" and a version that is gone leave it to the rest of PATH.
    if (fs::path prefix = pyenv_prefix(bin.parent_path(), around); is_there(prefix)) return prefix;
  }
  return {};
}

std::vector<fs::path> home_folders(const Surroundings& around, const char* below) {
  const auto home = around.variable("HOME");
  return home && !home->empty() ? std::vector<fs::path>{fs::path(*home) / below} : std::vector<fs::path>{};
}

}  // namespace

std::vector<int> version_key(std::string_view name) {
  std::vector<int> key;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] < '0' || name[i] > '9') continue;
    if (i == 0 || name[i - 1] < '0' || name[i - 1] > '9') key.push_back(0);
    if (key.back() < 100'000'000) key.back() = key.back() * 10 + (name[i] - '0');
  }
  return key;
}

std::vector<fs::path> matching(const fs::path& folder, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  const std::string_view head = pattern.substr(0, star), tail = pattern.substr(star + 1);
  std::vector<fs::path> found;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    const std::string name = entry->path().filename().string();
    if (name.size() >= head.size() + tail.size() && name.starts_with(head) && name.ends_with(tail))
      found.push_back(entry->path());
  }
  std::ranges::sort(found, std::greater(), [](const fs::path& path) {
    const std::string name = path.filename().string();
    return std::pair(version_key(name), name);
  });
  return found;
}

std::vector<fs::path> active_python_folders(const Surroundings& around) {
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const auto prefix = around.variable(name); prefix && !prefix->empty())
      if (auto folders = prefix_folders(*prefix); !folders.empty()) return folders;
  std::vector<fs::path> folders;
  if (const fs::path prefix = prefix_on_path(around); !prefix.empty())
    append(folders, prefix_folders(prefix));
  for (const fs::path& lib : home_folders(around, ".local/lib")) append(folders, package_folders(lib));
  return folders;
}

std::vector<fs::path> own_python_folders(const Surroundings& around) {
  const fs::path prefix = around.own_folder.parent_path();
  if (prefix.empty() || !is_there(prefix / "pyvenv.cfg")) return {};
  return prefix_folders(prefix);
}

std::vector<fs::path> other_python_folders(const Surroundings& around) {
  std::vector<fs::path> prefixes = {around.root / "usr"};
  for (const char* holder : {".pyenv/versions", "miniconda3/envs", "anaconda3/envs", "miniforge3/envs"})
    for (const fs::path& versions : home_folders(around, holder)) append(prefixes, matching(versions, "*"));
  std::vector<fs::path> folders;
  for (const fs::path& prefix : prefixes) append(folders, prefix_folders(prefix));
  return folders;
}

std::vector<fs::path> quickstart_folders(const Surroundings& around) {
  std::vector<fs::path> caches = home_folders(around, ".cache");
  if (const auto cache = around.variable("XDG_CACHE_HOME"); cache && !cache->empty()) caches = {*cache};
  std::vector<fs::path> folders;
  for (const fs::path& cache : caches)
    for (const fs::path& version : matching(cache / "surefoot", "onnxruntime-*")) {
      folders.push_back(version / "onnxruntime/capi");
      folders.push_back(version / "capi");
    }
  return folders;
}

}  // namespace surefoot::runtime
