#include "cache/store.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "cache/manifest.hpp"
#include "file/identity.hpp"

namespace surefoot::cache {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kDraftPrefix = ".draft-";
constexpr auto kDraftLifetime = std::chrono::hours(24);
/// A file that changed a moment ago may change again within the clock's grain.
constexpr auto kSettled = std::chrono::seconds(2);

std::string random_name(std::string_view prefix) {
  std::random_device random;
  return fmt::format("{}{:08x}{:08x}", prefix, random(), random());
}

Failure cannot_write(const fs::path& where, const std::error_code& problem) {
  return fail({.code = ErrorCode::IoFailed,
               .what = fmt::format("cannot write to the cache `{}`: {}", where.string(), problem.message()),
               .hint = "name another folder for the cache, or switch it off"});
}

/// Out of sight by one rename first: nobody finds an entry that is half gone.
void remove_folder(const fs::path& folder) {
  std::error_code problem;
  const fs::path aside = folder.parent_path() / random_name(kDraftPrefix);
  fs::rename(folder, aside, problem);
  if (!problem) fs::remove_all(aside, problem);
}

/// What a process left behind that was ended while it made something.
bool is_abandoned(const fs::directory_entry& item) {
  std::error_code problem;
  const auto age = fs::file_time_type::clock::now() - item.last_write_time(problem);
  return item.path().filename().string().starts_with(kDraftPrefix) && !problem && age > kDraftLifetime;
}

bool is_settled(const file::Identity& identity) {
  const auto since =
      std::chrono::system_clock::now().time_since_epoch() - std::chrono::nanoseconds(identity.changed_ns);
  return since > kSettled;
}

std::uint64_t bytes_in(const fs::path& folder) {
  std::uint64_t bytes = 0;
  std::error_code problem;
  for (const auto& item : fs::recursive_directory_iterator(folder, problem))
    if (item.is_regular_file(problem)) bytes += item.file_size(problem);
  return bytes;
}

}  // namespace

Draft::~Draft() {
  std::error_code problem;
  if (!folder_.empty()) fs::remove_all(folder_, problem);
}

Result<std::optional<Entry>> Store::find(const Digest& key) const {
  const fs::path folder = entries_folder() / key;
  auto manifest = read(folder);
  if (!manifest && manifest.error().code == ErrorCode::NotFound) return std::optional<Entry>();
  Result<void> checked;
  if (manifest) checked = check(*manifest, folder);
  if (!manifest || !checked) {
    remove(key);
    return fail(manifest ? std::move(checked).error() : std::move(manifest).error());
  }
  std::error_code ignored;
  fs::last_write_time(folder / kManifestName, fs::file_time_type::clock::now(), ignored);
  return std::optional(
      Entry{.key = key, .folder = folder, .notes = manifest->notes, .bytes = manifest->bytes()});
}

Result<Draft> Store::draft() const {
  std::error_code problem;
  fs::create_directories(entries_folder(), problem);
  const fs::path folder = entries_folder() / random_name(kDraftPrefix);
  if (!problem) fs::create_directory(folder, problem);
  if (problem) return cannot_write(folder, problem);
  return Draft(folder);
}

Result<void> Store::commit(Draft draft, const Digest& key, const Notes& notes) const {
  auto manifest = describe(draft.folder(), notes);
  if (!manifest) return fail(std::move(manifest).error());
  if (auto written = write(*manifest, draft.folder()); !written) return written;
  std::error_code problem;
  fs::rename(draft.folder(), entries_folder() / key, problem);
  // A folder that is not empty is not replaced: another process was first.
  const bool another = problem == std::errc::directory_not_empty || problem == std::errc::file_exists;
  if (problem && !another) return cannot_write(entries_folder() / key, problem);
  keep_within_limit(key);
  return {};
}

fs::path Store::provider_folder(std::string_view provider, const Digest& key) const {
  const fs::path folder = providers_folder() / provider / key;
  std::error_code problem;
  fs::create_directories(folder, problem);
  return problem ? fs::path() : folder;
}

void Store::remove(const Digest& key) const { remove_folder(entries_folder() / key); }

std::vector<Entry> Store::entries() const {
  std::vector<Entry> entries;
  std::error_code problem;
  for (const auto& item : fs::directory_iterator(entries_folder(), problem)) {
    if (is_abandoned(item)) remove_folder(item.path());
    if (item.path().filename().string().starts_with(kDraftPrefix)) continue;
    const auto manifest = read(item.path());
    if (!manifest) continue;
    std::error_code unknown;
    entries.push_back({.key = item.path().filename().string(),
                       .folder = item.path(),
                       .notes = manifest->notes,
                       .bytes = manifest->bytes(),
                       .used = fs::last_write_time(item.path() / kManifestName, unknown)});
  }
  std::ranges::sort(entries, std::greater(), &Entry::used);
  return entries;
}

void Store::keep_within_limit(const Digest& newest) const {
  std::uint64_t kept = 0;
  for (const Entry& entry : entries()) {
    kept += entry.bytes;
    if (kept > limit_bytes_ && entry.key != newest) remove(entry.key);
  }
}

std::uint64_t Store::clear() const {
  std::uint64_t freed = 0;
  for (const Entry& entry : entries()) freed += entry.bytes;
  freed += bytes_in(providers_folder());
  for (const fs::path& folder : {entries_folder(), known_folder(), providers_folder()}) remove_folder(folder);
  return freed;
}

Result<Digest> Store::content_of(const fs::path& file) const {
  auto identity = file::identity_of(file);
  if (!identity) return fail(std::move(identity).error());
  const std::string facts =
      fmt::format("{} {} {} {}", identity->device, identity->number, identity->bytes, identity->changed_ns);
  const fs::path note = known_folder() / Hasher().add(fs::absolute(file).string()).digest();
  std::string known_facts, known_digest;
  std::ifstream in(note);
  if (std::getline(in, known_facts) && std::getline(in, known_digest) && known_facts == facts)
    return known_digest;
  auto digest = digest_of(file);
  if (!digest || !is_settled(*identity)) return digest;
  std::error_code problem;
  fs::create_directories(known_folder(), problem);
  const fs::path draft = known_folder() / random_name(kDraftPrefix);
  std::ofstream(draft) << facts << '\n' << *digest << '\n';
  fs::rename(draft, note, problem);
  return digest;
}

}  // namespace surefoot::cache
