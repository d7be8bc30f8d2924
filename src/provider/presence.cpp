#include "provider/presence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "ort/library.hpp"
#include "provider/packages.hpp"

namespace surefoot::provider {
namespace {

namespace fs = std::filesystem;
using runtime::MissingLibrary;

constexpr std::string_view kBridge = "onnxruntime_providers_shared";

fs::path on_disk(const runtime::SearchPaths& paths, const fs::path& file) {
  return paths.root.empty() || file.is_relative() ? file : paths.root / file.relative_path();
}

std::string platform_names(PlatformSet platforms) {
  struct Name {
    PlatformSet platform;
    std::string_view text;
  };
  constexpr std::array<Name, 4> kNames{
      {{kOnLinux, "Linux"}, {kOnWindows, "Windows"}, {kOnMacos, "macOS"}, {kOnAndroid, "Android"}}};
  std::vector<std::string_view> names;
  for (const Name& each : kNames)
    if ((platforms & each.platform) != 0) names.push_back(each.text);
  return fmt::format("{}", fmt::join(names, ", "));
}

Result<void> check_platform(const ProviderSpec& spec, const PresenceQuery& query) {
  if ((spec.platforms & query.platform) != 0) return {};
  return fail({.code = ErrorCode::Unsupported,
               .what = fmt::format("{} exists for {} only, this is {}", spec.title,
                                   platform_names(spec.platforms), platform_names(query.platform))});
}

/// ORT lists what was compiled in, also where no function adds it to a session.
Result<void> check_addable(const ProviderSpec& spec, const PresenceQuery& query) {
  const auto minor = ort::minor_version(query.ort_version);
  if (!minor || *minor >= spec.append_since) return {};
  return fail({.code = ErrorCode::Unsupported,
               .what = fmt::format("ONNX Runtime {} has {}, and no function that adds it: 1.{} has one",
                                   query.ort_version, spec.title, spec.append_since),
               .hint = fmt::format("use ONNX Runtime 1.{} or newer", spec.append_since)});
}

std::string how_to_install(const ProviderSpec& spec) {
  if (spec.plugin_install.empty() || spec.install.find(spec.plugin_install) != spec.install.npos)
    return std::string(spec.install);
  return fmt::format("{}; or get its plugin, {}, and register the library", spec.install,
                     spec.plugin_install);
}

Result<void> check_compiled_in(const ProviderSpec& spec, const PresenceQuery& query) {
  if (std::find(query.compiled_in.begin(), query.compiled_in.end(), spec.ort_name) != query.compiled_in.end())
    return check_addable(spec, query);
  Error error{.code = ErrorCode::Unsupported,
              .what = fmt::format("ONNX Runtime {} was built without {}", query.ort_version, spec.title),
              .hint = how_to_install(spec)};
  const auto minor = ort::minor_version(query.ort_version);
  if (minor && spec.append_until != 0 && *minor > spec.append_until)
    error.what += fmt::format(": 1.{} was the last that could have it built in", spec.append_until);
  return fail(std::move(error));
}

Result<void> check_beside_ort(std::string_view stem, const PresenceQuery& query) {
  const fs::path file = query.ort_library.parent_path() / library_file(stem, query.platform);
  std::error_code error;
  if (fs::exists(on_disk(query.paths, file), error)) return {};
  return fail(
      {.code = ErrorCode::NotFound,
       .what = fmt::format("`{}` is not beside `{}`", file.filename().string(), query.ort_library.string()),
       .hint = "use the whole folder of the package that this ONNX Runtime comes from"});
}

/// " (found `libx.so.12` at `/usr/lib`)": what is known of a missing library's whereabouts.
std::string whereabouts(const MissingLibrary& missing) {
  if (missing.off_path)
    return fmt::format(" (it lies in `{}`, where the loader does not look)",
                       missing.off_path->parent_path().string());
  if (missing.other_versions.empty()) return {};
  const fs::path& other = missing.other_versions.front();
  return fmt::format(" (found `{}` in `{}`)", other.filename().string(), other.parent_path().string());
}

/// Those that the provider's library wants come without saying so.
std::string clause_of(const MissingLibrary& missing, const fs::path& library) {
  const std::string wanted_by = missing.wanted_by == library
                                    ? std::string()
                                    : fmt::format(" for `{}`", missing.wanted_by.filename().string());
  return fmt::format("`{}`{}{}", missing.soname, wanted_by, whereabouts(missing));
}

/// The file of a missing library that lacks only the link of the wanted name: libx.so.13.4 for libx.so.13.
const fs::path* unlinked(const MissingLibrary& missing) {
  for (const fs::path& each : missing.other_versions)
    if (each.filename().string().starts_with(missing.soname + ".")) return &each;
  return nullptr;
}

/// What is nowhere needs a package; then what lacks a link needs that; then what lies apart needs a path.
std::string hint_for(const std::vector<MissingLibrary>& missing, int cuda) {
  std::vector<std::string> absent;
  std::vector<std::string> links;
  std::vector<std::string> folders;
  for (const MissingLibrary& each : missing) {
    const fs::path* file = each.off_path ? &*each.off_path : unlinked(each);
    if (file == nullptr) {
      absent.push_back(each.soname);
      continue;
    }
    if (!each.off_path) links.push_back(fmt::format("`{}` to `{}`", each.soname, file->filename().string()));
    const std::string folder = file->parent_path().string();
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
  }
  if (!absent.empty()) return how_to_get(absent, cuda);
  const std::string path = fmt::format("start the program with LD_LIBRARY_PATH={}", fmt::join(folders, ":"));
  return links.empty() ? path : fmt::format("link {} in their folder, and {}", fmt::join(links, ", "), path);
}

Failure lacks(std::string_view who, const fs::path& library, const std::vector<MissingLibrary>& missing,
              int cuda) {
  std::vector<std::string> clauses;
  for (const MissingLibrary& each : missing) clauses.push_back(clause_of(each, library));
  return fail(
      {.code = ErrorCode::NotFound,
       .what = fmt::format("{} needs {}, which the loader does not find", who, fmt::join(clauses, ", ")),
       .hint = hint_for(missing, cuda)});
}

Result<void> check_opened_by_name(const ProviderSpec& spec, const PresenceQuery& query) {
  std::vector<MissingLibrary> missing;
  if (query.platform != kOnLinux) return {};
  for (const std::string_view soname : spec.opens_by_name)
    if (auto report = missing_library(soname, query.ort_library, query.paths))
      missing.push_back(std::move(*report));
  if (missing.empty()) return {};
  return lacks(spec.title, query.ort_library, missing, 0);
}

}  // namespace

Result<void> check_library(const fs::path& library, const runtime::SearchPaths& paths) {
  const auto facts = runtime::read_elf(on_disk(paths, library));
  if (!facts) return fail(facts.error());
  if (auto fits = runtime::fits_this_machine(*facts, library, paths.host); !fits) return fits;
  const auto missing = runtime::missing_libraries(library, paths);
  if (!missing) return fail(missing.error());
  if (missing->empty()) return {};
  return lacks(fmt::format("`{}`", library.filename().string()), library, *missing,
               cuda_major(facts->needed));
}

Result<void> check_presence(const ProviderSpec& spec, const PresenceQuery& query) {
  if (auto fits = check_platform(spec, query); !fits) return fits;
  if (auto built = check_compiled_in(spec, query); !built) return built;
  if (auto opened = check_opened_by_name(spec, query); !opened) return opened;
  if (spec.library.empty()) return {};
  if (auto beside = check_beside_ort(spec.library, query); !beside) return beside;
  if (spec.shared_bridge)
    if (auto bridge = check_beside_ort(kBridge, query); !bridge) return bridge;
  return check_library(query.ort_library.parent_path() / library_file(spec.library, query.platform),
                       query.paths);
}

}  // namespace surefoot::provider
