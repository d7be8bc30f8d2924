#include <fmt/format.h>
#include <zip.h>

#include <algorithm>
#include <memory>

#include "apps/cli/input/npy.hpp"
#include "apps/cli/input/npz.hpp"
#include "error/suggest.hpp"

namespace surefoot::cli {
namespace {

constexpr std::string_view kSuffix = ".npy";

struct Discard {
  void operator()(zip_t* archive) const { zip_discard(archive); }
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};
using Archive = std::unique_ptr<zip_t, Discard>;

Failure damaged(std::string_view why) {
  return fail({.code = ErrorCode::InvalidInput,
               .what = fmt::format("the .npz archive is damaged: {}", why),
               .hint = "copy it again, or save it again with numpy.savez()"});
}

Result<Archive> open_archive(std::span<const std::byte> bytes) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* opened = source ? zip_open_from_source(source, ZIP_RDONLY, &error) : nullptr;
  const std::string text = opened ? "" : zip_error_strerror(&error);
  if (!opened && source) zip_source_free(source);
  zip_error_fini(&error);
  if (!opened) return damaged(text);
  return Archive(opened);
}

std::vector<std::string> names_in(zip_t* archive) {
  std::vector<std::string> names;
  const zip_int64_t count = zip_get_num_entries(archive, 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const char* raw = zip_get_name(archive, static_cast<zip_uint64_t>(i), 0);
    const std::string_view name = raw ? raw : "";
    if (name.ends_with(kSuffix)) names.emplace_back(name.substr(0, name.size() - kSuffix.size()));
  }
  return names;
}

/// Reads until the end: the size that the archive states is not believed.
Result<std::vector<std::byte>> read_entry(zip_t* archive, const std::string& name) {
  const std::unique_ptr<zip_file_t, Discard> file(
      zip_fopen(archive, (name + std::string(kSuffix)).c_str(), 0));
  if (!file) return damaged(fmt::format("`{}`: {}", name, zip_strerror(archive)));
  std::vector<std::byte> bytes;
  for (;;) {
    constexpr std::size_t kChunk = std::size_t{1} << 16;
    const std::size_t held = bytes.size();
    bytes.resize(held + kChunk);
    const zip_int64_t got = zip_fread(file.get(), bytes.data() + held, kChunk);
    if (got < 0) return damaged(fmt::format("`{}`: {}", name, zip_file_strerror(file.get())));
    bytes.resize(held + static_cast<std::size_t>(got));
    if (got == 0) return bytes;
  }
}

}  // namespace

bool is_zip(std::span<const std::byte> bytes) noexcept {
  // An archive without entries begins with the record of its end.
  constexpr std::string_view kEntry("PK\3\4", 4), kEmpty("PK\5\6", 4);
  if (bytes.size() < kEntry.size()) return false;
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()), kEntry.size());
  return head == kEntry || head == kEmpty;
}

Result<std::vector<std::string>> npz_names(std::span<const std::byte> bytes) {
  const auto archive = open_archive(bytes);
  if (!archive) return fail(archive.error());
  auto names = names_in(archive->get());
  if (names.empty()) return damaged("it holds no .npy file");
  return names;
}

Result<Tensor> read_npz_member(std::span<const std::byte> bytes, const std::string& name,
                               ElementType wanted) {
  const auto archive = open_archive(bytes);
  if (!archive) return fail(archive.error());
  const auto names = names_in(archive->get());
  if (std::find(names.begin(), names.end(), name) == names.end())
    return fail({.code = ErrorCode::NotFound,
                 .what = fmt::format("the .npz archive has no array `{}`", name),
                 .hint = suggestion(name, names)});
  const auto member = read_entry(archive->get(), name);
  if (!member) return fail(member.error());
  auto tensor = read_npy(*member, wanted);
  if (!tensor) return fail(std::move(tensor).error().while_doing(fmt::format("reading array `{}`", name)));
  return tensor;
}

}  // namespace surefoot::cli
