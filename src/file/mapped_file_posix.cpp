#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "file/mapped_file.hpp"

namespace surefoot::file {
namespace {

// Above this size a file is mostly payload, which its readers jump over: read-ahead would then fetch
// what nobody looks at. Below it the whole file is soon read, and read-ahead saves time.
constexpr std::size_t kReadAheadLimitBytes = std::size_t{64} << 20;

/// A file descriptor that closes itself.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

Failure unreadable(const std::filesystem::path& path, int code) {
  const bool absent = code == ENOENT || code == ENOTDIR;
  return fail(
      {.code = absent ? ErrorCode::NotFound : ErrorCode::IoFailed,
       .what = absent ? fmt::format("`{}` does not exist", path.string())
                      : fmt::format("`{}` cannot be read: {}", path.string(),
                                    std::generic_category().message(code)),
       .hint = code == EACCES ? "grant this user read access to the file and to the folders above it" : ""});
}

void* address(std::span<const std::byte> bytes) { return const_cast<std::byte*>(bytes.data()); }

}  // namespace

Result<MappedFile> MappedFile::read(int descriptor, std::size_t size, const std::filesystem::path& path) {
  Memory memory = std::make_unique_for_overwrite<std::byte[]>(size);
  std::size_t done = 0;
  while (done < size) {
    const ssize_t count = ::read(descriptor, memory.get() + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(path, errno);
    if (count == 0) break;  // it was cut meanwhile
    done += static_cast<std::size_t>(count);
  }
  const std::span<const std::byte> bytes(memory.get(), done);
  return MappedFile(bytes, std::move(memory));
}

Result<MappedFile> MappedFile::open(const std::filesystem::path& path, std::size_t read_up_to) {
  // Non-blocking, since opening a named pipe would wait for its other end.
  const Descriptor descriptor{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  struct stat facts {};
  if (descriptor.number < 0 || ::fstat(descriptor.number, &facts) != 0) return unreadable(path, errno);
  if (!S_ISREG(facts.st_mode))
    return fail({.code = ErrorCode::IoFailed,
                 .what = fmt::format("`{}` is {}, not a file", path.string(),
                                     S_ISDIR(facts.st_mode) ? "a folder" : "a pipe, socket or device")});
  const auto size = static_cast<std::size_t>(facts.st_size);
  if (size == 0) return MappedFile({});
  if (size <= read_up_to) return read(descriptor.number, size, path);
  void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor.number, 0);
  if (start == MAP_FAILED) return unreadable(path, errno);
  if (size > kReadAheadLimitBytes) ::madvise(start, size, MADV_RANDOM);
  return MappedFile({static_cast<const std::byte*>(start), size});
}

MappedFile::~MappedFile() {
  if (!bytes_.empty() && read_ == nullptr) ::munmap(address(bytes_), bytes_.size());
}

void MappedFile::forget(std::size_t first, std::size_t last) const noexcept {
  if (read_ != nullptr) return;
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t begin = first / page * page;
  const std::size_t end = std::min(last, bytes_.size()) / page * page;
  if (begin < end) ::madvise(address(bytes_.subspan(begin)), end - begin, MADV_DONTNEED);
}

}  // namespace surefoot::file
