/// The loader's own index of libraries, /etc/ld.so.cache, and the folders of /etc/ld.so.conf. Linux only.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace surefoot::runtime {

struct CachedLibrary {
  std::string soname;
  std::string file;
};

/// In the loader's order of preference; a soname stands several times where other architectures are
/// installed.
using LoaderCache = std::vector<CachedLibrary>;

/// Reads the format of glibc 2.2 and later ("glibc-ld.so.cache1.1"); anything else gives an empty cache.
LoaderCache parse_loader_cache(std::span<const std::byte> file);

/// The folders that /etc/ld.so.conf under `root` names, includes followed; as the machine names them.
std::vector<std::filesystem::path> loader_conf_folders(const std::filesystem::path& root);

}  // namespace surefoot::runtime
