/// What stands beside an artifact: its files with their digests, and notes.
///
///     surefoot-cache 1
///     file <bytes> <digest> <inode> <changed> <name>
///     note <key> <value>
#pragma once

#include <filesystem>
#include <vector>

#include "cache/store.hpp"

namespace surefoot::cache {

inline constexpr const char* kManifestName = "manifest";

struct ManifestFile {
  std::string name;
  std::uint64_t bytes = 0;
  Digest digest = {};
  std::uint64_t number =
      0;  ///< inode, and when the content changed last: a file of which both are as noted was
  std::int64_t changed_ns = 0;  ///< not written to since
};

struct Manifest {
  std::vector<ManifestFile> files = {};
  Notes notes = {};

  std::uint64_t bytes() const noexcept;
};

/// Describes what lies in `folder`. Errors: IoFailed.
Result<Manifest> describe(const std::filesystem::path& folder, const Notes& notes);
/// Writes it into `folder`. Errors: IoFailed.
Result<void> write(const Manifest& manifest, const std::filesystem::path& folder);
/// Errors: NotFound; InvalidModel when it is not one.
Result<Manifest> read(const std::filesystem::path& folder);
/// Compares the files with their digests, but for those that were not touched since. Errors: InvalidModel,
/// naming the file that differs.
Result<void> check(const Manifest& manifest, const std::filesystem::path& folder);

}  // namespace surefoot::cache
