#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>
#include <vector>

#include "probe/program.hpp"

namespace surefoot::probe {
namespace {

namespace fs = std::filesystem;
constexpr const char* kName = "surefoot-probe";

bool can_run(const fs::path& file) {
  std::error_code problem;
  return fs::is_regular_file(file, problem) && ::access(file.c_str(), X_OK) == 0;
}

/// The folders of this library, which may be a part of the program, and of the program.
std::vector<fs::path> homes() {
  std::vector<fs::path> folders;
  Dl_info library{};
  std::error_code problem;
  if (::dladdr(reinterpret_cast<const void*>(&find_program), &library) != 0 && library.dli_fname != nullptr)
    folders.push_back(fs::weakly_canonical(library.dli_fname, problem).parent_path());
  const fs::path program = fs::read_symlink("/proc/self/exe", problem).parent_path();
  if (!problem && (folders.empty() || folders.front() != program)) folders.push_back(program);
  return folders;
}

/// A command that pip installed has its package in a folder named after Python's version.
void add_package_folders(const fs::path& home, std::vector<fs::path>& found) {
  std::error_code problem;
  for (const auto& entry : fs::directory_iterator(home / "../lib", problem))
    if (const std::string name = entry.path().filename(); name.starts_with("python3"))
      found.push_back((entry.path() / "site-packages/surefoot" / kName).lexically_normal());
}

/// A library may lie two folders deep: lib/x86_64-linux-gnu.
std::vector<fs::path> places() {
  std::vector<fs::path> found;
  for (const fs::path& home : homes()) {
    for (const char* way : {"", "../libexec/surefoot", "../../libexec/surefoot"})
      found.push_back((home / way / kName).lexically_normal());
    add_package_folders(home, found);
  }
  return found;
}

Failure not_there(std::string what) {
  return fail({.code = ErrorCode::NotFound,
               .what = std::move(what),
               .hint = "install Surefoot's probe program, or name it in SUREFOOT_PROBE"});
}

}  // namespace

Result<fs::path> find_program(const fs::path& given) {
  if (!given.empty()) {
    if (can_run(given)) return given;
    return not_there(fmt::format("`{}` is no program that can be run", given.string()));
  }
  if (const char* named = std::getenv("SUREFOOT_PROBE"); named != nullptr && *named != '\0') {
    if (can_run(named)) return fs::path(named);
    return not_there(fmt::format("SUREFOOT_PROBE is `{}`, no program that can be run", named));
  }
  std::string tried;
  for (const fs::path& place : places()) {
    if (can_run(place)) return place;
    tried += fmt::format("{}`{}`", tried.empty() ? "" : ", ", place.string());
  }
  return not_there("the program that probes providers is not installed; looked for " + tried);
}

}  // namespace surefoot::probe
