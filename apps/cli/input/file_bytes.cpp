#include "apps/cli/input/file_bytes.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <new>
#include <stdexcept>

#include "error/suggest.hpp"

namespace surefoot::cli {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_beside(const fs::path& path) {
  // A folder of more files than this is not worth the time of a hint.
  constexpr std::size_t kMost = 2000;
  std::vector<std::string> names;
  std::error_code ignored;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator it(folder, ignored), end; !ignored && it != end && names.size() < kMost;
       it.increment(ignored))
    names.push_back(it->path().filename().string());
  return names;
}

Failure not_found(const fs::path& path) {
  const std::vector<std::string> names = names_beside(path);
  const std::string_view near = nearest(path.filename().string(), names);
  return fail(
      {.code = ErrorCode::NotFound,
       .what = fmt::format("there is no file `{}`", path.string()),
       .hint = near.empty() ? "" : fmt::format("did you mean `{}`?", (path.parent_path() / near).string())});
}

Failure not_readable(const fs::path& path, int code) {
  return fail({.code = ErrorCode::IoFailed,
               .what = fmt::format("`{}` cannot be read: {}", path.string(), std::strerror(code))});
}

/// A device gives bytes without end.
constexpr std::size_t kMostUnsizedBytes = std::size_t{256} << 20;

Failure no_end(const fs::path& path) {
  return fail({.code = ErrorCode::InvalidInput,
               .what = fmt::format("`{}` is no plain file and has not ended after {} MiB", path.string(),
                                   kMostUnsizedBytes >> 20),
               .hint = "save what it gives to a file first"});
}

}  // namespace

Result<std::vector<std::byte>> read_file(const fs::path& path) {
  std::error_code code;
  const fs::file_status status = fs::status(path, code);
  if (!fs::exists(status)) return not_found(path);
  if (fs::is_directory(status))
    return fail({.code = ErrorCode::InvalidArgument, .what = fmt::format("`{}` is a folder", path.string())});
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return not_readable(path, errno);
  // Not sized in advance alone: a pipe has no size, and a file may grow.
  std::vector<std::byte> bytes;
  const auto size = fs::file_size(path, code);
  try {
    if (!code) bytes.reserve(size + 1);
    while (file) {
      constexpr std::size_t kChunk = std::size_t{1} << 20;
      const std::size_t held = bytes.size();
      const std::size_t room = bytes.capacity() > held ? std::min(kChunk, bytes.capacity() - held) : kChunk;
      bytes.resize(held + room);
      file.read(reinterpret_cast<char*>(bytes.data() + held), static_cast<std::streamsize>(room));
      bytes.resize(held + static_cast<std::size_t>(file.gcount()));
      if (code && bytes.size() > kMostUnsizedBytes) return no_end(path);
    }
  } catch (const std::bad_alloc&) {
    return fail({.code = ErrorCode::OutOfMemory,
                 .what = fmt::format("`{}` with {} bytes does not fit into memory", path.string(), size)});
  }
  if (file.bad()) return not_readable(path, errno);
  return bytes;
}

}  // namespace surefoot::cli
