#include "tests/support/runtimes.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "runtime/places.hpp"

namespace surefoot::tests {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// The library somewhere below `folder`: packages keep it at different depths.
fs::path library_below(const fs::path& folder) {
  std::error_code problem;
  for (auto at =
           fs::recursive_directory_iterator(folder, fs::directory_options::follow_directory_symlink, problem);
       at != fs::recursive_directory_iterator(); at.increment(problem)) {
    if (problem) break;
    if (at->is_directory(problem)) {
      if (auto found = runtime::libraries_in(at->path()); !found.empty()) return found.front();
    }
  }
  const auto here = runtime::libraries_in(folder);
  return here.empty() ? fs::path() : here.front();
}

int minor_of(const std::string& version) { return version.size() > 2 ? std::atoi(version.c_str() + 2) : 0; }

}  // namespace

std::vector<TestRuntime> test_runtimes() {
  std::vector<TestRuntime> found;
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(variable("SUREFOOT_TEST_ORT_ROOT"), problem)) {
    const std::string name = entry.path().filename().string();
    const std::size_t dash = name.rfind('-');
    if (dash == std::string::npos) continue;
    if (fs::path library = library_below(entry.path()); !library.empty())
      found.push_back({name.substr(0, dash), name.substr(dash + 1), library});
  }
  std::ranges::sort(found, [](const TestRuntime& a, const TestRuntime& b) {
    return a.flavour != b.flavour ? a.flavour < b.flavour : minor_of(a.version) > minor_of(b.version);
  });
  return found;
}

fs::path main_library() {
  if (const std::string named = variable("SUREFOOT_TEST_ORT"); !named.empty()) return named;
  for (const TestRuntime& runtime : test_runtimes())
    if (runtime.flavour == "cpu") return runtime.library;
  return {};
}

Runtime main_runtime() {
  auto loaded = Runtime::load({.library = main_library()});
  if (!loaded) {
    std::fprintf(stderr, "%s\n", to_string(loaded.error()).c_str());
    std::abort();
  }
  return *loaded;
}

fs::path fault_ep_library() { return SUREFOOT_FAULT_EP; }

}  // namespace surefoot::tests
