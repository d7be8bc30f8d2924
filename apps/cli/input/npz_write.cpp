#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <ctime>

#include "apps/cli/input/npy.hpp"
#include "apps/cli/input/npz.hpp"

namespace surefoot::cli {
namespace {

Failure not_written(const std::filesystem::path& path, std::string_view why) {
  return fail(
      {.code = ErrorCode::IoFailed, .what = fmt::format("`{}` cannot be written: {}", path.string(), why)});
}

/// An archive being written; what is not closed is thrown away.
class Writer {
 public:
  explicit Writer(const std::filesystem::path& path) : path_(path) {
    int code = 0;
    archive_ = zip_open(path.c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code);
    if (archive_) return;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    failure_ = zip_error_strerror(&error);
    zip_error_fini(&error);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() {
    if (archive_) zip_discard(archive_);
  }

  /// `bytes` must live until close().
  Result<void> add(const std::string& name, const std::string& bytes, NpzCompression compression) {
    if (!archive_) return not_written(path_, failure_);
    zip_source_t* source = zip_source_buffer(archive_, bytes.data(), bytes.size(), 0);
    const zip_int64_t index =
        source ? zip_file_add(archive_, (name + ".npy").c_str(), source, ZIP_FL_ENC_UTF_8) : -1;
    if (index < 0 && source) zip_source_free(source);
    if (index < 0) return not_written(path_, zip_strerror(archive_));
    const auto entry = static_cast<zip_uint64_t>(index);
    const bool deflated = compression == NpzCompression::Deflated;
    zip_set_file_compression(archive_, entry, deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
    // The same arrays give the same file: the oldest date that zip can hold, as numpy writes it.
    zip_file_set_mtime(archive_, entry, oldest_date(), 0);
    return {};
  }

  Result<void> close() {
    if (!archive_) return not_written(path_, failure_);
    if (zip_close(archive_) != 0) return not_written(path_, zip_strerror(archive_));
    archive_ = nullptr;
    return {};
  }

 private:
  static std::time_t oldest_date() {
    std::tm date{};
    date.tm_year = 80;
    date.tm_mday = 1;
    date.tm_isdst = -1;
    return std::mktime(&date);
  }
  std::filesystem::path path_;
  zip_t* archive_ = nullptr;
  std::string failure_;
};

}  // namespace

Result<void> write_npz(const std::filesystem::path& path, std::span<const NamedArray> arrays,
                       NpzCompression compression) {
  std::vector<std::string> members;
  members.reserve(arrays.size());  // the archive keeps pointers into them
  Writer writer(path);
  for (const NamedArray& array : arrays) {
    auto bytes = npy_bytes(*array.tensor);
    if (!bytes) return fail(std::move(bytes).error().while_doing(fmt::format("writing `{}`", array.name)));
    members.push_back(*std::move(bytes));
    const auto same = [&](const NamedArray& other) { return other.name == array.name; };
    if (std::count_if(arrays.begin(), arrays.end(), same) > 1)
      return fail(
          {.code = ErrorCode::InvalidArgument, .what = fmt::format("two arrays are named `{}`", array.name)});
    if (auto added = writer.add(array.name, members.back(), compression); !added) return added;
  }
  return writer.close();
}

}  // namespace surefoot::cli
