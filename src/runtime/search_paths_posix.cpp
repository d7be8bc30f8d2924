#include <link.h>
#include <sys/stat.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "runtime/library_folders.hpp"
#include "runtime/library_search.hpp"

namespace surefoot::runtime {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

/// glibc has put absolute addresses into a mapped dynamic section, musl and the kernel's own have not.
const char* pointer_to(ElfW(Addr) base, ElfW(Addr) value) {
  return reinterpret_cast<const char*>(value < base ? base + value : value);
}

void add_soname(ElfW(Addr) base, const ElfW(Dyn) * entry, std::vector<std::string>& sonames) {
  const char* strings = nullptr;
  const ElfW(Dyn)* soname = nullptr;
  for (; entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_STRTAB) strings = pointer_to(base, entry->d_un.d_ptr);
    if (entry->d_tag == DT_SONAME) soname = entry;
  }
  if (strings != nullptr && soname != nullptr) sonames.emplace_back(strings + soname->d_un.d_val);
}

int visit(dl_phdr_info* info, std::size_t, void* sonames) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
    const auto* dynamic = reinterpret_cast<const ElfW(Dyn)*>(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
    add_soname(info->dlpi_addr, dynamic, *static_cast<std::vector<std::string>*>(sonames));
  }
  return 0;
}

/// The package folders of the active environment, the user and the system, as far as they exist.
std::vector<fs::path> package_folders() {
  constexpr std::array<std::string_view, 2> kInEnvironment{"lib/python*/site-packages",
                                                           "lib64/python*/site-packages"};
  constexpr std::array<std::string_view, 3> kOfTheSystem{"/usr/local/lib/python*/dist-packages",
                                                         "/usr/local/lib/python*/site-packages",
                                                         "/usr/lib/python3/dist-packages"};
  FolderListings listings({});
  std::vector<fs::path> folders;
  const auto add = [&](const fs::path& pattern) {
    for (fs::path& each : listings.expand(pattern)) {
      std::error_code error;
      if (fs::is_directory(each, error)) folders.push_back(std::move(each));
    }
  };
  for (const char* const name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const std::string folder = variable(name); !folder.empty())
      for (const std::string_view pattern : kInEnvironment) add(fs::path(folder) / pattern);
  if (const std::string home = variable("HOME"); !home.empty())
    add(fs::path(home) / ".local" / kInEnvironment.front());
  for (const std::string_view pattern : kOfTheSystem) add(pattern);
  return folders;
}

/// glibc and musl tell it with each object alike.
int count_loaded(dl_phdr_info* info, std::size_t, void* count) {
  *static_cast<unsigned long long*>(count) = info->dlpi_adds;
  return 1;
}

/// In nanoseconds; 0 for what is not there.
std::int64_t change_of(const char* path) {
  struct stat facts {};
  if (::stat(path, &facts) != 0) return 0;
  return std::int64_t{facts.st_mtim.tv_sec} * 1'000'000'000 + facts.st_mtim.tv_nsec;
}

}  // namespace

SearchStamp stamp_of_search(const fs::path& folder) {
  SearchStamp stamp{.library_path = variable("LD_LIBRARY_PATH"),
                    .changes = {change_of("/etc/ld.so.cache"), change_of(folder.c_str())}};
  dl_iterate_phdr(count_loaded, &stamp.loaded);
  std::istringstream folders(stamp.library_path);
  for (std::string each; std::getline(folders, each, ':');) stamp.changes.push_back(change_of(each.c_str()));
  return stamp;
}

SearchPaths SearchPaths::of_this_process() {
  SearchPaths paths{.library_path = variable("LD_LIBRARY_PATH"), .packages = package_folders()};
  dl_iterate_phdr(visit, &paths.mapped);
  return paths;
}

}  // namespace surefoot::runtime
