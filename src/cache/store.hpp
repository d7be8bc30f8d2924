/// A folder of artifacts, each under the fingerprint of what it was made from.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cache/digest.hpp"

namespace surefoot::cache {

/// What is known of an artifact beside its files.
using Notes = std::map<std::string, std::string>;

struct Entry {
  Digest key;
  std::filesystem::path folder;  ///< where its files lie
  Notes notes = {};
  std::uint64_t bytes = 0;
  std::filesystem::file_time_type used = {};  ///< when it was last opened
};

/// A folder in which an artifact is made; removed with whatever is in it, unless it was committed.
class Draft {
 public:
  explicit Draft(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~Draft();
  Draft(Draft&& other) noexcept : folder_(std::exchange(other.folder_, {})) {}
  Draft& operator=(Draft&&) = delete;

  const std::filesystem::path& folder() const noexcept { return folder_; }

 private:
  std::filesystem::path folder_;
};

/// Processes  any number may use one folder: an entry appears whole, by one rename, or not at all. What one
///            process has open stays readable when another removes it.
/// Threads    any.
class Store {
 public:
  /// `limit_bytes`: beyond it the entries that were not used for longest are removed.
  Store(std::filesystem::path folder, std::uint64_t limit_bytes)
      : folder_(std::move(folder)), limit_bytes_(limit_bytes) {}

  /// The entry of that key, after its files were compared with what was noted when it was made: their
  /// digests, where inode or time of change tell that they were written to since. Empty when there is none.
  /// Errors: InvalidModel when it is not what was stored; it has been removed then.
  Result<std::optional<Entry>> find(const Digest& key) const;

  /// Errors: IoFailed (the folder cannot be made or written to).
  Result<Draft> draft() const;
  /// Makes everything in the draft's folder the entry of `key`. Another process's entry of the same key
  /// stays. Errors: IoFailed.
  Result<void> commit(Draft draft, const Digest& key, const Notes& notes) const;

  /// Where a provider keeps what it builds itself of what `key` stands for; made when it is not there. Beyond
  /// the limit of bytes, since it is not ours to remove piece by piece. Empty when it cannot be made.
  std::filesystem::path provider_folder(std::string_view provider, const Digest& key) const;

  void remove(const Digest& key) const;
  std::vector<Entry> entries() const;  ///< last used first
  /// Removes everything, what providers keep included; gives the bytes that were freed.
  std::uint64_t clear() const;

  /// The digest of a file's content, remembered by which file it is and when it changed.
  /// Errors: those of digest_of().
  Result<Digest> content_of(const std::filesystem::path& file) const;

 private:
  std::filesystem::path entries_folder() const { return folder_ / "entries"; }
  std::filesystem::path known_folder() const { return folder_ / "known"; }
  std::filesystem::path providers_folder() const { return folder_ / "providers"; }
  void keep_within_limit(const Digest& newest) const;

  std::filesystem::path folder_;
  std::uint64_t limit_bytes_;
};

}  // namespace surefoot::cache
