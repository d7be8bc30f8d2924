#include "runtime/places.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <string>

#include "runtime/python_folders.hpp"

namespace surefoot::runtime {
namespace {

namespace fs = std::filesystem;

fs::path canonical_or_same(const fs::path& path) {
  std::error_code problem;
  const fs::path canonical = fs::canonical(path, problem);
  return problem ? path : canonical;
}

void add_list(std::vector<Place>& to, const std::vector<fs::path>& folders, RuntimeOrigin origin) {
  for (const fs::path& folder : folders) to.push_back({folder, origin});
}

std::vector<fs::path> split_list(const std::string& list) {
  std::vector<fs::path> paths;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(':', begin), list.size());
    if (end > begin) paths.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return paths;
}

/// Folders named in /etc/ld.so.conf.d, one a line.
std::vector<fs::path> configured_loader_folders(const fs::path& root) {
  std::vector<fs::path> folders;
  for (const fs::path& file : matching(root / "etc/ld.so.conf.d", "*.conf")) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with('/')) folders.push_back(root / line.substr(1, line.find_last_not_of(" \t\r")));
  }
  return folders;
}

std::vector<fs::path> loader_folders(const Surroundings& around) {
  std::vector<fs::path> folders = split_list(around.variable("LD_LIBRARY_PATH").value_or(""));
  std::ranges::copy(configured_loader_folders(around.root), std::back_inserter(folders));
  for (const char* folder : {"usr/local/lib", "usr/lib/x86_64-linux-gnu", "usr/lib/aarch64-linux-gnu",
                             "usr/lib64", "usr/lib", "opt/homebrew/lib"})
    folders.push_back(around.root / folder);
  return folders;
}

std::vector<fs::path> node_folders(const fs::path& root) {
  std::vector<fs::path> folders;
  for (const char* modules : {"usr/lib/node_modules", "usr/local/lib/node_modules"})
    for (const fs::path& version : matching(root / modules / "onnxruntime-node/bin", "napi-v*"))
      for (const fs::path& system : matching(version, "*"))
        for (const fs::path& machine : matching(system, "*")) folders.push_back(machine);
  return folders;
}

std::vector<fs::path> well_known_folders(const Surroundings& around) {
  std::vector<fs::path> folders = quickstart_folders(around);
  std::ranges::copy(other_python_folders(around), std::back_inserter(folders));
  std::ranges::copy(node_folders(around.root), std::back_inserter(folders));
  for (const fs::path& home : matching(around.root / "opt", "onnxruntime*")) folders.push_back(home / "lib");
  return folders;
}

/// "libonnxruntime.so.1.32.0", "libonnxruntime.1.32.0.dylib", "onnxruntime.dll".
bool is_library_name(const std::string& name) {
  if (name == "onnxruntime.dll") return true;
  if (!name.starts_with("libonnxruntime.")) return false;
  return name.starts_with("libonnxruntime.so") || name.ends_with(".dylib");
}

constexpr struct {
  const char* name;
  RuntimeOrigin origin;
} kVariables[] = {{"SUREFOOT_ONNXRUNTIME", RuntimeOrigin::SurefootVariable},
                  {"ORT_DYLIB_PATH", RuntimeOrigin::OrtVariable}};

}  // namespace

Result<std::optional<Place>> named_place(const fs::path& explicit_path, const Surroundings& around) {
  if (!explicit_path.empty()) return Place{explicit_path, RuntimeOrigin::Explicit};
  for (const auto& variable : kVariables) {
    const auto value = around.variable(variable.name);
    if (!value) continue;
    if (value->empty())
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = std::string("environment variable ") + variable.name + " is set but empty",
                   .hint = "unset it, or let it name a libonnxruntime file"});
    return Place{*value, variable.origin};
  }
  return std::optional<Place>();
}

std::vector<Place> searched_folders(const Surroundings& around) {
  std::vector<Place> folders;
  add_list(folders, around.host_folders, RuntimeOrigin::Host);
  if (!around.own_folder.empty())
    add_list(folders, {around.own_folder, around.own_folder.parent_path() / "lib"},
             RuntimeOrigin::BesideLibrary);
  add_list(folders, own_python_folders(around), RuntimeOrigin::BesideLibrary);
  add_list(folders, active_python_folders(around), RuntimeOrigin::PythonEnvironment);
  add_list(folders, loader_folders(around), RuntimeOrigin::SystemLoader);
  add_list(folders, well_known_folders(around), RuntimeOrigin::WellKnown);
  std::set<fs::path> seen;
  std::erase_if(folders,
                [&](const Place& place) { return !seen.insert(canonical_or_same(place.path)).second; });
  return folders;
}

std::vector<fs::path> libraries_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code problem;
  for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
       entry.increment(problem)) {
    std::error_code ignored;
    if (is_library_name(entry->path().filename().string()) && !entry->is_directory(ignored))
      files.push_back(entry->path());
  }
  std::ranges::sort(files, std::greater(),
                    [](const fs::path& file) { return version_key(file.filename().string()); });
  std::set<fs::path> seen;
  std::erase_if(files, [&](const fs::path& file) { return !seen.insert(canonical_or_same(file)).second; });
  return files;
}

std::vector<Place> searched_places(const Surroundings& around) {
  std::vector<Place> places;
  std::set<fs::path> seen;
  const auto add = [&](const fs::path& file, RuntimeOrigin origin) {
    if (seen.insert(canonical_or_same(file)).second) places.push_back({file, origin});
  };
  for (const fs::path& file : around.mapped) add(file, RuntimeOrigin::Mapped);
  for (const auto& [folder, origin] : searched_folders(around))
    for (const fs::path& file : libraries_in(folder)) add(file, origin);
  return places;
}

}  // namespace surefoot::runtime
