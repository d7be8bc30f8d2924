#include "runtime/library_search.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "file/mapped_file.hpp"
#include "runtime/library_folders.hpp"

namespace surefoot::runtime {
namespace {

namespace fs = std::filesystem;

// Real chains are a few dozen long; a crafted one must not keep us busy.
constexpr std::size_t kMostLibraries = 256;
constexpr std::string_view kLoaderCacheFile = "/etc/ld.so.cache";

/// A library whose needs are looked up, with the search paths that it hands down.
struct Wanting {
  fs::path file;
  std::vector<std::string> needed;
  std::vector<fs::path> runpath;    ///< DT_RUNPATH, for its own needs only
  std::vector<fs::path> inherited;  ///< DT_RPATH of itself and of those that wanted it
};

/// "libx.so" of "libx.so.12.1"; the whole name when it has no ".so".
std::string_view stem_of(std::string_view name) {
  const std::size_t end = name.find(".so");
  return end == std::string_view::npos ? name : name.substr(0, end + 3);
}

/// The loader at work: what one search has read stays for the next name.
class Loader {
 public:
  explicit Loader(const SearchPaths& paths) : paths_(paths), listings_(paths.root) {}

  Wanting wanting(const fs::path& file, const ElfFacts& facts, std::vector<fs::path> inherited) const;
  /// Nothing: not found. An empty path: already in the process.
  std::optional<fs::path> find(const std::string& name, const Wanting& wanting);
  MissingLibrary describe(const std::string& name, const Wanting& wanting);
  std::optional<ElfFacts> facts_of(const fs::path& file) const;

 private:
  bool is_loadable(const fs::path& file) const;
  std::optional<fs::path> in_folders(const std::string& name, const std::vector<fs::path>& folders);
  std::optional<fs::path> in_cache(const std::string& name);
  const LoaderCache& cache();
  const std::vector<fs::path>& off_path_of(const fs::path& wanted_by);
  const std::vector<fs::path>& system_folders();
  void add_other_versions(const std::string& name, const std::vector<fs::path>& folders,
                          MissingLibrary& report);

  const SearchPaths& paths_;
  FolderListings listings_;
  std::optional<LoaderCache> cache_;
  std::vector<fs::path> system_folders_;
  std::map<fs::path, std::vector<fs::path>> off_path_;
};

Wanting Loader::wanting(const fs::path& file, const ElfFacts& facts, std::vector<fs::path> inherited) const {
  const fs::path origin = file.parent_path();
  Wanting result{.file = file, .needed = facts.needed};
  if (!facts.runpath.empty()) {
    // A library with a RUNPATH looks past every RPATH, its own and its parents'.
    result.runpath = expand_search_path(facts.runpath, origin, paths_.host);
    return result;
  }
  result.inherited = expand_search_path(facts.rpath, origin, paths_.host);
  result.inherited.insert(result.inherited.end(), inherited.begin(), inherited.end());
  return result;
}

std::optional<ElfFacts> Loader::facts_of(const fs::path& file) const {
  auto facts = read_elf(below_root(paths_.root, file));
  if (!facts || facts->machine != paths_.host.machine || facts->bits != paths_.host.bits) return std::nullopt;
  return std::move(*facts);
}

bool Loader::is_loadable(const fs::path& file) const { return facts_of(file).has_value(); }

std::optional<fs::path> Loader::in_folders(const std::string& name, const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) {
    std::error_code error;
    const fs::path file = folder / name;
    if (fs::exists(below_root(paths_.root, file), error) && is_loadable(file)) return file;
  }
  return std::nullopt;
}

const LoaderCache& Loader::cache() {
  if (cache_) return *cache_;
  const auto file = file::MappedFile::open(below_root(paths_.root, kLoaderCacheFile));
  cache_ = file ? parse_loader_cache(file->bytes()) : LoaderCache{};
  return *cache_;
}

const std::vector<fs::path>& Loader::system_folders() {
  if (!system_folders_.empty()) return system_folders_;
  // Without a cache (musl, minimal images) the folders that it would be made from are searched themselves.
  if (cache().empty()) system_folders_ = loader_conf_folders(paths_.root);
  for (fs::path& each : default_folders(paths_.host)) system_folders_.push_back(std::move(each));
  return system_folders_;
}

const std::vector<fs::path>& Loader::off_path_of(const fs::path& wanted_by) {
  const auto [place, is_new] = off_path_.try_emplace(wanted_by);
  if (is_new) place->second = off_path_folders(wanted_by, paths_, listings_);
  return place->second;
}

std::optional<fs::path> Loader::in_cache(const std::string& name) {
  for (const CachedLibrary& each : cache())
    if (each.soname == name && is_loadable(each.file)) return each.file;
  return std::nullopt;
}

std::optional<fs::path> Loader::find(const std::string& name, const Wanting& wanting) {
  if (std::find(paths_.mapped.begin(), paths_.mapped.end(), name) != paths_.mapped.end()) return fs::path();
  if (name.find('/') != std::string::npos)
    return is_loadable(name) ? std::optional<fs::path>(name) : std::nullopt;
  if (auto file = in_folders(name, wanting.inherited)) return file;
  if (auto file = in_folders(name, expand_search_path(paths_.library_path, {}, paths_.host))) return file;
  if (auto file = in_folders(name, wanting.runpath)) return file;
  if (auto file = in_cache(name)) return file;
  return in_folders(name, system_folders());
}

void Loader::add_other_versions(const std::string& name, const std::vector<fs::path>& folders,
                                MissingLibrary& report) {
  const std::string numbered = std::string(stem_of(name)) + ".";
  std::vector<fs::path>& found = report.other_versions;
  const auto add = [&](const std::string& candidate, const fs::path& file) {
    if (candidate == name || !candidate.starts_with(numbered)) return;
    if (std::find(found.begin(), found.end(), file) == found.end()) found.push_back(file);
  };
  for (const CachedLibrary& each : cache())
    if (each.soname.starts_with(numbered)) add(each.soname, each.file);
  for (const fs::path& folder : folders) {
    const auto& names = listings_.names_in(folder);
    auto each = std::lower_bound(names.begin(), names.end(), numbered);
    for (; each != names.end() && each->starts_with(numbered); ++each) add(*each, folder / *each);
  }
}

MissingLibrary Loader::describe(const std::string& name, const Wanting& wanting) {
  MissingLibrary report{.soname = name, .wanted_by = wanting.file};
  std::vector<fs::path> folders = off_path_of(wanting.file);
  report.off_path = in_folders(name, folders);
  if (report.off_path) return report;
  for (fs::path& each : expand_search_path(paths_.library_path, {}, paths_.host))
    folders.push_back(std::move(each));
  // The system's folders are large; where there is a cache, it knows what lies in them.
  if (cache().empty()) folders.insert(folders.end(), system_folders().begin(), system_folders().end());
  add_other_versions(name, folders, report);
  return report;
}

}  // namespace

Result<std::vector<MissingLibrary>> missing_libraries(const fs::path& library, const SearchPaths& paths) {
  auto facts = read_elf(below_root(paths.root, library));
  if (!facts) return fail(std::move(facts.error()));
  Loader loader(paths);
  std::vector<MissingLibrary> missing;
  std::set<std::string> seen;
  std::deque<Wanting> queue{loader.wanting(library, *facts, {})};
  for (; !queue.empty() && seen.size() < kMostLibraries; queue.pop_front()) {
    const Wanting& current = queue.front();
    for (const std::string& name : current.needed) {
      if (!seen.insert(name).second) continue;
      const auto file = loader.find(name, current);
      if (!file) missing.push_back(loader.describe(name, current));
      // What is already in the process has all that it needs.
      if (!file || file->empty()) continue;
      if (auto more = loader.facts_of(*file))
        queue.push_back(loader.wanting(*file, *more, current.inherited));
    }
  }
  return missing;
}

std::optional<fs::path> find_library(std::string_view soname, const fs::path& wanted_by,
                                     const SearchPaths& paths) {
  Loader loader(paths);
  const auto facts = wanted_by.empty() ? std::nullopt : loader.facts_of(wanted_by);
  return loader.find(std::string(soname), loader.wanting(wanted_by, facts.value_or(ElfFacts{}), {}));
}

std::optional<MissingLibrary> missing_library(std::string_view soname, const fs::path& wanted_by,
                                              const SearchPaths& paths) {
  Loader loader(paths);
  const auto facts = wanted_by.empty() ? std::nullopt : loader.facts_of(wanted_by);
  const Wanting wanting = loader.wanting(wanted_by, facts.value_or(ElfFacts{}), {});
  const std::string name(soname);
  if (loader.find(name, wanting)) return std::nullopt;
  return loader.describe(name, wanting);
}

}  // namespace surefoot::runtime
