/// The folders in which a Linux library may lie. Private to the library search.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/ld_cache.hpp"
#include "runtime/library_search.hpp"

namespace surefoot::runtime {

/// A path as it is opened: below `root`.
std::filesystem::path below_root(const std::filesystem::path& root, const std::filesystem::path& path);

/// The file names of folders, each folder read once.
class FolderListings {
 public:
  explicit FolderListings(std::filesystem::path root) : root_(std::move(root)) {}
  /// Names in the folder, sorted; empty when it does not exist.
  const std::vector<std::string>& names_in(const std::filesystem::path& folder);
  /// Folders that fit a path in which a whole part may be `*` or end in `*`: /usr/local/cuda*/lib64.
  std::vector<std::filesystem::path> expand(const std::filesystem::path& pattern);

 private:
  std::filesystem::path root_;
  std::map<std::filesystem::path, std::vector<std::string>> listings_;
};

/// The parts of a search path such as DT_RUNPATH: split at colons, $ORIGIN, $LIB and $PLATFORM put in.
std::vector<std::filesystem::path> expand_search_path(std::string_view text,
                                                      const std::filesystem::path& origin,
                                                      const HostFacts& host);

/// The system's own folders, in the loader's order.
std::vector<std::filesystem::path> default_folders(const HostFacts& host);

/// Where users have libraries that the loader does not find, most likely first.
std::vector<std::filesystem::path> off_path_folders(const std::filesystem::path& wanted_by,
                                                    const SearchPaths& paths, FolderListings& listings);

}  // namespace surefoot::runtime
