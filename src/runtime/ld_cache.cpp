#include "runtime/ld_cache.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <string_view>

namespace surefoot::runtime {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMagic = "glibc-ld.so.cache1.1";
constexpr std::size_t kHeader = 48;
constexpr std::size_t kEntry = 24;
constexpr int kDeepestInclude = 8;

/// The cache is written by the machine that reads it: numbers are in its own byte order.
std::uint32_t number_at(std::span<const std::byte> bytes, std::size_t offset) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

std::optional<std::string_view> string_at(std::span<const std::byte> bytes, std::size_t offset) {
  if (offset >= bytes.size()) return std::nullopt;
  const auto* first = reinterpret_cast<const char*>(bytes.data()) + offset;
  const void* end = std::memchr(first, 0, bytes.size() - offset);
  if (end == nullptr) return std::nullopt;
  return std::string_view(first, static_cast<std::size_t>(static_cast<const char*>(end) - first));
}

/// Offsets in it count from its own start: a cache in the old format may stand before it.
std::span<const std::byte> new_format_part(std::span<const std::byte> file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const std::size_t start = text.find(kMagic);
  return start == std::string_view::npos ? std::span<const std::byte>{} : file.subspan(start);
}

std::string_view trimmed(std::string_view line) {
  line = line.substr(0, line.find('#'));
  while (!line.empty() && std::strchr(" \t\r", line.front()) != nullptr) line.remove_prefix(1);
  while (!line.empty() && std::strchr(" \t\r", line.back()) != nullptr) line.remove_suffix(1);
  return line;
}

/// `*` as in a shell, in file names only; ld.so.conf uses no more than that.
bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  return name.size() + 1 >= pattern.size() && name.starts_with(pattern.substr(0, star)) &&
         name.ends_with(pattern.substr(star + 1));
}

std::vector<fs::path> included_files(const fs::path& root, const fs::path& pattern) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / pattern.parent_path().relative_path(), error))
    if (matches(pattern.filename().string(), entry.path().filename().string()))
      files.push_back(pattern.parent_path() / entry.path().filename());
  std::sort(files.begin(), files.end());
  return files;
}

void read_conf(const fs::path& root, const fs::path& file, int depth, std::vector<fs::path>& folders) {
  constexpr std::string_view kInclude = "include";
  std::ifstream stream(root / file.relative_path());
  for (std::string text; depth < kDeepestInclude && std::getline(stream, text);) {
    const std::string_view line = trimmed(text);
    if (!line.starts_with(kInclude)) {
      if (!line.empty()) folders.emplace_back(line);
      continue;
    }
    const fs::path pattern = file.parent_path() / trimmed(line.substr(kInclude.size()));
    for (const fs::path& each : included_files(root, pattern)) read_conf(root, each, depth + 1, folders);
  }
}

}  // namespace

LoaderCache parse_loader_cache(std::span<const std::byte> file) {
  LoaderCache cache;
  const auto bytes = new_format_part(file);
  if (bytes.size() < kHeader) return cache;
  const std::size_t count = std::min<std::size_t>(number_at(bytes, 20), (bytes.size() - kHeader) / kEntry);
  cache.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto soname = string_at(bytes, number_at(bytes, kHeader + i * kEntry + 4));
    const auto path = string_at(bytes, number_at(bytes, kHeader + i * kEntry + 8));
    if (soname && path) cache.push_back({std::string(*soname), std::string(*path)});
  }
  return cache;
}

std::vector<fs::path> loader_conf_folders(const fs::path& root) {
  std::vector<fs::path> folders;
  read_conf(root, "/etc/ld.so.conf", 0, folders);
  return folders;
}

}  // namespace surefoot::runtime
