/// Which libraries a shared library still lacks on this machine, found without loading anything.
///
/// The question is answered as the system's loader would: libraries already in the process, the wanting
/// library's own search path, the environment, the loader's cache, the system's folders. Places where users
/// often have a library though the loader does not look there (Python packages, vendor folders) are
/// searched as well, and told apart.
///
/// Threads  functions of their arguments and the file system: call from any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/elf.hpp"
#include "surefoot/result.hpp"

namespace surefoot::runtime {

/// The machine as a search sees it. A test describes one by a folder and a few strings.
struct SearchPaths {
  std::filesystem::path root = {};  ///< put before every absolute path that is looked at; empty: the machine
  std::string library_path = {};    ///< LD_LIBRARY_PATH
  std::vector<std::string> mapped = {};              ///< sonames of the libraries in the process
  std::vector<std::filesystem::path> packages = {};  ///< Python package folders (…/site-packages)
  HostFacts host = this_host();                      ///< libraries of other architectures are passed over

  /// The machine and the process as they are now.
  static SearchPaths of_this_process();
};

/// What a search depends on: while two are equal, a library that was missing still is. Costs a few
/// microseconds; folders in which the loader does not look are left out.
struct SearchStamp {
  unsigned long long loaded = 0;           ///< how many libraries this process has ever opened
  std::string library_path = {};           ///< LD_LIBRARY_PATH
  std::vector<std::int64_t> changes = {};  ///< when the folders and the loader's cache changed last

  bool operator==(const SearchStamp&) const = default;
};

/// Of this process, for libraries that ones in `folder` want.
SearchStamp stamp_of_search(const std::filesystem::path& folder);

/// A library that the loader would not find. Paths are as the machine names them, without `root`.
struct MissingLibrary {
  std::string soname;
  std::filesystem::path wanted_by;
  std::optional<std::filesystem::path> off_path = {};  ///< it exists, where the loader does not look
  /// The same library under another number: libx.so.12, or libx.so.13.4.36 without the link that names it.
  std::vector<std::filesystem::path> other_versions = {};
};

/// The libraries that `library` or those it needs lack, in the order in which they are wanted, each once.
/// Costs well under a millisecond when nothing is missing, a few when something is.
/// Errors: as read_elf for `library` itself.
Result<std::vector<MissingLibrary>> missing_libraries(const std::filesystem::path& library,
                                                      const SearchPaths& paths);

/// Where the loader would take a library from that `wanted_by` (may be empty) asks for; nothing: not found.
/// Empty for one that is already in the process, from whatever file.
std::optional<std::filesystem::path> find_library(std::string_view soname,
                                                  const std::filesystem::path& wanted_by,
                                                  const SearchPaths& paths);

/// The same report for a library that is opened by name while running, such as libcudnn.so.9:
/// nothing when the loader would find it.
std::optional<MissingLibrary> missing_library(std::string_view soname, const std::filesystem::path& wanted_by,
                                              const SearchPaths& paths);

}  // namespace surefoot::runtime
