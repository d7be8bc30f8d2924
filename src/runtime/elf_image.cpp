#include "runtime/elf_image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

namespace surefoot::runtime::elf {
namespace {

constexpr std::uint16_t kSharedObject = 3;
constexpr std::uint32_t kLoad = 1;
constexpr std::uint32_t kDynamic = 2;
constexpr std::size_t kMostEntries = 65536;
constexpr std::size_t kLongestString = 4096;
constexpr std::string_view kMagic{
    "\x7f"
    "ELF",
    4};

bool starts_with(std::span<const std::byte> file, std::string_view text) {
  return file.size() >= text.size() && std::memcmp(file.data(), text.data(), text.size()) == 0;
}

std::string_view name_of_type(std::uint16_t type) {
  constexpr std::array<std::string_view, 5> kNames{"an ELF file without a type", "an object file (.o)",
                                                   "a program", "a shared library", "a core dump"};
  return type < kNames.size() ? kNames[type] : "an ELF file of an unknown type";
}

Failure cut_off(std::string_view subject, std::size_t size, std::uint64_t wanted) {
  return fail(
      {.code = ErrorCode::RuntimeUnavailable,
       .what = fmt::format("{} ends at byte {}, but its headers reach to byte {}", subject, size, wanted),
       .hint = "the file was not copied whole: install or download it again"});
}

}  // namespace

Failure damaged(std::string_view subject, std::string_view where) {
  return fail({.code = ErrorCode::RuntimeUnavailable,
               .what = fmt::format("{} is damaged: {}", subject, where),
               .hint = "install or download it again"});
}

Result<Image> Image::of(std::span<const std::byte> file, std::string_view subject) {
  if (!starts_with(file, kMagic))
    return fail({.code = ErrorCode::RuntimeUnavailable,
                 .what = fmt::format("{} is not a shared library: {}", subject, describe_start(file))});
  Image image;
  image.file_ = file;
  if (auto read = image.read_header(subject); !read) return fail(std::move(read.error()));
  if (auto read = image.read_segments(subject); !read) return fail(std::move(read.error()));
  if (auto read = image.read_dynamic(subject); !read) return fail(std::move(read.error()));
  return image;
}

Result<void> Image::read_header(std::string_view subject) {
  const std::size_t size = file_.size() > 4 && std::to_integer<int>(file_[4]) == 1 ? 52 : 64;
  if (file_.size() < size) return cut_off(subject, file_.size(), size);
  const int width = std::to_integer<int>(file_[4]);
  const int order = std::to_integer<int>(file_[5]);
  if (width < 1 || width > 2 || order < 1 || order > 2)
    return damaged(subject, fmt::format("its header says class {} and byte order {}", width, order));
  wide_ = width == 2;
  little_ = order == 1;
  machine_ = *number<std::uint16_t>(18);
  if (const auto type = *number<std::uint16_t>(16); type != kSharedObject)
    return fail({.code = ErrorCode::RuntimeUnavailable,
                 .what = fmt::format("{} is not a shared library but {}", subject, name_of_type(type))});
  return {};
}

Result<void> Image::read_segments(std::string_view subject) {
  const std::uint64_t table = *word(wide_ ? 32 : 28);
  const std::uint64_t entry = *number<std::uint16_t>(wide_ ? 54 : 42);
  const std::uint64_t count = *number<std::uint16_t>(wide_ ? 56 : 44);
  if (entry < (wide_ ? 56U : 32U)) return damaged(subject, "its program headers have a wrong size");
  if (table > file_.size() || file_.size() - table < entry * count)
    return cut_off(subject, file_.size(), table + entry * count);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t at = table + i * entry;
    segments_.push_back({.type = *number<std::uint32_t>(at),
                         .flags = *number<std::uint32_t>(at + (wide_ ? 4 : 24)),
                         .offset = *word(at + (wide_ ? 8 : 4)),
                         .address = *word(at + (wide_ ? 16 : 8)),
                         .file_size = *word(at + (wide_ ? 32 : 16))});
    const Segment& last = segments_.back();
    const bool inside = last.offset <= file_.size() && file_.size() - last.offset >= last.file_size;
    if (last.type == kLoad && !inside) return cut_off(subject, file_.size(), last.offset + last.file_size);
  }
  return {};
}

Result<void> Image::read_dynamic(std::string_view subject) {
  const auto segment = std::find_if(segments_.begin(), segments_.end(),
                                    [](const Segment& each) { return each.type == kDynamic; });
  if (segment == segments_.end()) return damaged(subject, "it has no dynamic section");
  const std::uint64_t size = wide_ ? 16 : 8;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(segment->file_size / size, kMostEntries); ++i) {
    const auto tag = word(segment->offset + i * size);
    const auto value = word(segment->offset + i * size + size / 2);
    if (!tag || !value) return damaged(subject, "its dynamic section lies outside the file");
    if (Tag{*tag} == Tag::Null) break;
    dynamic_.push_back({.tag = Tag{*tag}, .value = *value});
  }
  return {};
}

std::optional<std::uint64_t> Image::value_of(Tag tag) const noexcept {
  for (const DynamicEntry& entry : dynamic_)
    if (entry.tag == tag) return entry.value;
  return std::nullopt;
}

std::optional<std::uint64_t> Image::word(std::uint64_t offset) const noexcept {
  if (wide_) return number<std::uint64_t>(offset);
  return number<std::uint32_t>(offset);
}

std::optional<std::uint64_t> Image::offset_of(std::uint64_t address) const noexcept {
  for (const Segment& each : segments_) {
    if (each.type != kLoad || address < each.address || address - each.address >= each.file_size) continue;
    return each.offset + (address - each.address);
  }
  return std::nullopt;
}

std::optional<std::string_view> Image::string(std::uint64_t index) const noexcept {
  const auto table = value_of(Tag::StringTable);
  const auto start = table ? offset_of(*table) : std::nullopt;
  if (!start || *start > file_.size() || index >= file_.size() - *start) return std::nullopt;
  const auto rest = file_.subspan(static_cast<std::size_t>(*start + index));
  const auto length = std::min(rest.size(), kLongestString);
  const void* end = std::memchr(rest.data(), 0, length);
  if (end == nullptr) return std::nullopt;
  const auto* first = reinterpret_cast<const char*>(rest.data());
  return std::string_view(first, static_cast<std::size_t>(static_cast<const char*>(end) - first));
}

}  // namespace surefoot::runtime::elf
