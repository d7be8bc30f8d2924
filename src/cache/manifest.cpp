#include "cache/manifest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

#include "file/identity.hpp"

namespace surefoot::cache {
namespace {

constexpr std::string_view kFirstLine = "surefoot-cache 1";

Failure damaged(std::string what) { return fail({.code = ErrorCode::InvalidModel, .what = std::move(what)}); }

/// Line breaks would end a note.
std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

bool read_line(const std::string& line, Manifest& into) {
  std::istringstream words(line);
  std::string kind, key;
  words >> kind;
  if (kind == "file") {
    ManifestFile file;
    words >> file.bytes >> file.digest >> file.number >> file.changed_ns >> std::ws;
    std::getline(words, file.name);
    // A name with a folder in it would lead elsewhere.
    if (!words || file.name.empty() || file.name.find('/') != std::string::npos) return false;
    into.files.push_back(std::move(file));
    return true;
  }
  if (kind != "note" || !(words >> key >> std::ws)) return false;
  std::getline(words, into.notes[key]);
  return true;
}

}  // namespace

std::uint64_t Manifest::bytes() const noexcept {
  std::uint64_t sum = 0;
  for (const ManifestFile& file : files) sum += file.bytes;
  return sum;
}

Result<Manifest> describe(const std::filesystem::path& folder, const Notes& notes) {
  Manifest manifest{.notes = notes};
  std::error_code problem;
  for (const auto& item : std::filesystem::directory_iterator(folder, problem)) {
    auto digest = digest_of(item.path());
    if (!digest) return fail(std::move(digest).error());
    const auto identity = file::identity_of(item.path());
    if (!identity) return fail(identity.error());
    manifest.files.push_back({item.path().filename().string(), identity->bytes, std::move(*digest),
                              identity->number, identity->changed_ns});
  }
  if (problem)
    return fail({.code = ErrorCode::IoFailed,
                 .what = fmt::format("cannot read the folder `{}`: {}", folder.string(), problem.message())});
  return manifest;
}

Result<void> write(const Manifest& manifest, const std::filesystem::path& folder) {
  std::ofstream out(folder / kManifestName, std::ios::binary);
  out << kFirstLine << '\n';
  for (const ManifestFile& file : manifest.files)
    out << fmt::format("file {} {} {} {} {}\n", file.bytes, file.digest, file.number, file.changed_ns,
                       file.name);
  for (const auto& [key, value] : manifest.notes) out << fmt::format("note {} {}\n", key, one_line(value));
  out.close();
  if (out) return {};
  return fail({.code = ErrorCode::IoFailed,
               .what = fmt::format("cannot write `{}`", (folder / kManifestName).string()),
               .hint = "check the space and the permissions of that folder"});
}

Result<Manifest> read(const std::filesystem::path& folder) {
  std::ifstream in(folder / kManifestName, std::ios::binary);
  std::string line;
  if (!in)
    return fail({.code = ErrorCode::NotFound, .what = fmt::format("no manifest in `{}`", folder.string())});
  Manifest manifest;
  bool good = static_cast<bool>(std::getline(in, line)) && line == kFirstLine;
  while (good && std::getline(in, line)) good = read_line(line, manifest);
  if (good && !manifest.files.empty()) return manifest;
  return damaged(fmt::format("the manifest in `{}` is damaged", folder.string()));
}

Result<void> check(const Manifest& manifest, const std::filesystem::path& folder) {
  for (const ManifestFile& file : manifest.files) {
    const auto path = folder / file.name;
    const auto found = file::identity_of(path);
    if (!found || found->bytes != file.bytes)
      return damaged(
          fmt::format("`{}` is not {} bytes long, as it was when it was stored", path.string(), file.bytes));
    if (found->number == file.number && found->changed_ns == file.changed_ns) continue;
    const auto digest = digest_of(path);
    if (!digest || *digest != file.digest)
      return damaged(fmt::format("`{}` is not what was stored", path.string()));
  }
  return {};
}

}  // namespace surefoot::cache
