#include "runtime/judge.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "runtime/elf.hpp"

namespace surefoot::runtime {
namespace {

namespace fs = std::filesystem;

Failure refuse(const fs::path& path, std::string_view why, std::string hint) {
  return fail({.code = ErrorCode::RuntimeUnavailable,
               .what = fmt::format("`{}` {}", path.string(), why),
               .hint = std::move(hint)});
}

/// What reading the file found wrong, as a verdict on the runtime that it was to be.
Failure refuse(Error error) {
  error.code = ErrorCode::RuntimeUnavailable;
  if (error.hint.empty()) error.hint = ort::kPointToOne;
  return fail(std::move(error));
}

std::string hint_for_folder(const fs::path& folder) {
  if (const auto inside = libraries_in(folder); !inside.empty())
    return fmt::format("name the file: `{}`", inside.front().string());
  return "name the libonnxruntime file itself";
}

Result<void> check_file(const fs::path& path) {
  std::error_code problem;
  const auto status = fs::status(path, problem);
  if (status.type() == fs::file_type::not_found)
    return refuse(path, "does not exist", "check the path, or unset it to let Surefoot search");
  if (problem)
    return refuse(path, fmt::format("cannot be looked at: {}", problem.message()),
                  "check the permissions of its folder");
  if (fs::is_directory(status)) return refuse(path, "is a folder, not a library", hint_for_folder(path));
  return {};
}

}  // namespace

Result<ort::Library> open_checked(const fs::path& path) {
  if (auto there = check_file(path); !there) return fail(std::move(there).error());
  auto facts = read_elf(path);
  if (!facts) return refuse(std::move(facts).error());
  if (auto fits = fits_this_machine(*facts, path); !fits) return fail(std::move(fits).error());
  if (const auto exported = file_exports_symbol(path, "OrtGetApiBase"); exported && !*exported)
    return fail(ort::exports_no_base(path));
  return ort::open_library(path);
}

RuntimeFound judge(const Place& place) {
  RuntimeFound found{.path = place.path, .origin = place.origin};
  auto library = open_checked(place.path);
  if (!library) {
    found.refused = std::move(library).error();
    return found;
  }
  found.version = library->version;
  found.api_version = library->api_version;
  found.providers = library->providers();
  ort::close_library(*library);
  return found;
}

}  // namespace surefoot::runtime
