#include <algorithm>

#include "diagnose/machine_files.hpp"
#include "diagnose/nvml.hpp"
#include "ort/library.hpp"
#include "probe/heed.hpp"
#include "provider/catalogue.hpp"
#include "provider/packages.hpp"
#include "runtime/elf.hpp"
#include "runtime/library_search.hpp"
#include "surefoot/doctor.hpp"

namespace surefoot {
namespace {

namespace fs = std::filesystem;

/// Those that accelerators of several generations need; each is looked for as the loader would.
constexpr std::string_view kLibraries[] = {
    "libcuda.so.1",     "libcudart.so.11",   "libcudart.so.12",  "libcudart.so.13",    "libcublas.so.11",
    "libcublas.so.12",  "libcublas.so.13",   "libcudnn.so.8",    "libcudnn.so.9",      "libnvinfer.so.8",
    "libnvinfer.so.10", "libamdhip64.so.6",  "libamdhip64.so.7", "libmigraphx_c.so.3", "libvulkan.so.1",
    "libOpenCL.so.1",   "libze_loader.so.1", "libdxcore.so"};

/// "libcudnn.so.9" leads to "libcudnn.so.9.1.0".
std::string version_of(const fs::path& library) {
  constexpr std::string_view kSuffix = ".so.";
  std::error_code problem;
  const std::string name = fs::weakly_canonical(library, problem).filename().string();
  const std::size_t at = name.find(kSuffix);
  return problem || at == name.npos ? std::string() : name.substr(at + kSuffix.size());
}

std::vector<LibraryFact> libraries_on(const runtime::SearchPaths& paths) {
  std::vector<LibraryFact> found;
  for (const std::string_view soname : kLibraries) {
    if (const auto missing = runtime::missing_library(soname, {}, paths)) {
      if (missing->off_path) found.push_back({std::string(soname), *missing->off_path, false});
    } else {
      found.push_back({std::string(soname), runtime::find_library(soname, {}, paths).value_or(fs::path())});
    }
  }
  for (LibraryFact& library : found) library.version = version_of(library.path);
  return found;
}

/// What a provider's library needs, and what it opens by name while it runs.
std::vector<std::string> wanted_by(const provider::ProviderSpec& row, const fs::path& ort_library) {
  std::vector<std::string> wanted(row.opens_by_name.begin(), row.opens_by_name.end());
  if (row.library.empty()) return wanted;
  const auto facts = runtime::read_elf(ort_library.parent_path() / provider::library_file(row.library));
  if (!facts) return {};
  wanted.insert(wanted.end(), facts->needed.begin(), facts->needed.end());
  return wanted;
}

void note_who_wants(std::vector<LibraryFact>& libraries, const Runtime& runtime) {
  const auto compiled_in = runtime.providers();
  for (const provider::ProviderSpec* row : provider::catalogue()) {
    if (std::ranges::find(compiled_in, row->ort_name) == compiled_in.end()) continue;
    const std::vector<std::string> wanted = wanted_by(*row, runtime.path());
    for (LibraryFact& library : libraries)
      if (std::ranges::find(wanted, library.soname) != wanted.end())
        library.wanted_by.emplace_back(row->name);
  }
}

std::vector<fs::path> parts_of(std::string_view path_list) {
  std::vector<fs::path> parts;
  for (std::size_t begin = 0; begin < path_list.size();) {
    const std::size_t end = std::min(path_list.find(':', begin), path_list.size());
    if (end > begin) parts.emplace_back(path_list.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

ProviderFact fact_of(ProviderStatus status) {
  ProviderFact fact{.status = std::move(status)};
  const provider::ProviderSpec* row = provider::find(fact.status.ort_name);
  if (row == nullptr) return fact;
  fact.vendor = row->vendor;
  fact.install = row->install;
  fact.needs_device = row->needs_device;
  fact.is_retired = row->append_until != 0;
  fact.opens.assign(row->opens_by_name.begin(), row->opens_by_name.end());
  return fact;
}

/// The CUDA that the libraries beside ORT ask for.
int cuda_wanted_by(const fs::path& ort_library) {
  for (const provider::ProviderSpec* row : provider::catalogue()) {
    if (row->library.empty()) continue;
    const auto facts = runtime::read_elf(ort_library.parent_path() / provider::library_file(row->library));
    if (const int cuda = facts ? provider::cuda_major(facts->needed) : 0; cuda > 0) return cuda;
  }
  return 0;
}

void read_runtimes(const RuntimeOptions& options, MachineReport& machine) {
  machine.runtimes = Runtime::discover(options);
  auto runtime = Runtime::load(options);
  if (!runtime) return;
  for (ProviderStatus& status : survey(*runtime)) {
    auto verdict = probe::remembered(*runtime, {.provider = status.name});
    machine.providers.push_back(fact_of(std::move(status)));
    machine.providers.back().verdict = std::move(verdict);
  }
  machine.cuda_wanted = cuda_wanted_by(runtime->path());
  note_who_wants(machine.libraries, *runtime);
}

}  // namespace

MachineReport examine_machine(const RuntimeOptions& options) {
  const runtime::Surroundings around = runtime::Surroundings::real();
  const runtime::SearchPaths paths = runtime::SearchPaths::of_this_process();
  MachineReport machine{.platform = "linux",
                        .architecture = runtime::machine_name(runtime::machine_of_this_process()),
                        .libc = runtime::glibc_version()};
  machine.mapped_runtimes = around.mapped;
  machine.library_path = parts_of(paths.library_path);
  diagnose::read_system(around, machine);
  diagnose::read_processor(around.root, machine);
  diagnose::read_gpus(around, machine);
  if (const auto nvml = runtime::find_library(diagnose::kNvmlLibrary, {}, paths))
    diagnose::read_nvml(*nvml, machine);
  diagnose::read_packages(paths.packages, machine);
  machine.libraries = libraries_on(paths);
  read_runtimes(options, machine);
  return machine;
}

}  // namespace surefoot
