#include "runtime/elf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "runtime/elf_image.hpp"

namespace surefoot::runtime {
namespace {

using elf::Image;
using elf::Tag;

constexpr std::uint32_t kGnuStack = 0x6474e551;
constexpr std::uint32_t kExecutable = 1;
constexpr std::uint64_t kProgramFlag = 0x08000000;  // DF_1_PIE
constexpr std::size_t kMostVersions = 65536;

struct MachineName {
  std::uint16_t machine;
  std::string_view name;
};
constexpr std::array kMachines{
    MachineName{3, "x86"},         MachineName{8, "mips"},      MachineName{20, "ppc"},
    MachineName{21, "ppc64"},      MachineName{22, "s390x"},    MachineName{40, "arm"},
    MachineName{62, "x86-64"},     MachineName{183, "aarch64"}, MachineName{243, "riscv"},
    MachineName{258, "loongarch"},
};

Result<std::string> string_of(const Image& image, std::uint64_t index, std::string_view subject) {
  const auto text = image.string(index);
  if (!text) return elf::damaged(subject, "a name of its dynamic section lies outside the file");
  return std::string(*text);
}

/// Where the text of a tag goes; null for tags whose value is no text that is kept.
std::string* place_of(Tag tag, ElfFacts& facts) {
  switch (tag) {
    case Tag::Needed:
      return &facts.needed.emplace_back();
    case Tag::Soname:
      return &facts.soname;
    case Tag::Rpath:
      return &facts.rpath;
    case Tag::Runpath:
      return &facts.runpath;
    default:
      return nullptr;
  }
}

Result<void> read_names(const Image& image, std::string_view subject, ElfFacts& facts) {
  for (const elf::DynamicEntry& entry : image.dynamic()) {
    std::string* place = place_of(entry.tag, facts);
    if (place == nullptr) continue;
    auto text = string_of(image, entry.value, subject);
    if (!text) return fail(std::move(text.error()));
    *place = std::move(*text);
  }
  return {};
}

/// One library of the version table, a chain of records: {version, count, file, first, next}.
struct NeededRecord {
  std::uint16_t count = 0;
  std::uint32_t library = 0;
  std::uint32_t first = 0;
  std::uint32_t next = 0;
};

std::optional<NeededRecord> record_at(const Image& image, std::uint64_t at) {
  const auto next = image.number<std::uint32_t>(at + 12);
  if (!next) return std::nullopt;
  return NeededRecord{.count = *image.number<std::uint16_t>(at + 2),
                      .library = *image.number<std::uint32_t>(at + 4),
                      .first = *image.number<std::uint32_t>(at + 8),
                      .next = *next};
}

bool read_versions_of(const Image& image, std::uint64_t at, const NeededRecord& record, ElfFacts& facts) {
  const auto library = image.string(record.library);
  if (!library) return false;
  at += record.first;
  for (std::uint16_t i = 0; i < record.count && facts.needed_versions.size() < kMostVersions; ++i) {
    const auto name = image.number<std::uint32_t>(at + 8);
    const auto next = image.number<std::uint32_t>(at + 12);
    const auto version = name ? image.string(*name) : std::nullopt;
    if (!version || !next) return false;
    facts.needed_versions.push_back({std::string(*library), std::string(*version)});
    if (*next == 0) break;
    at += *next;
  }
  return true;
}

Result<void> read_versions(const Image& image, std::string_view subject, ElfFacts& facts) {
  const auto table = image.value_of(Tag::VersionsNeeded);
  if (!table) return {};
  const std::uint64_t count =
      std::min<std::uint64_t>(image.value_of(Tag::VersionsNeededCount).value_or(0), kMostVersions);
  std::optional<std::uint64_t> at = image.offset_of(*table);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto record = at ? record_at(image, *at) : std::nullopt;
    if (!record || !read_versions_of(image, *at, *record, facts))
      return elf::damaged(subject, "its table of needed versions lies outside the file");
    if (record->next == 0) break;
    *at += record->next;
  }
  return {};
}

bool asks_for_executable_stack(const Image& image) {
  return std::any_of(image.segments().begin(), image.segments().end(), [](const elf::Segment& segment) {
    return segment.type == kGnuStack && (segment.flags & kExecutable) != 0;
  });
}

}  // namespace

std::string machine_name(std::uint16_t machine) {
  for (const MachineName& each : kMachines)
    if (each.machine == machine) return std::string(each.name);
  return fmt::format("machine {}", machine);
}

Result<ElfFacts> parse_elf(std::span<const std::byte> file, std::string_view subject) {
  const auto image = Image::of(file, subject);
  if (!image) return fail(image.error());
  if ((image->value_of(Tag::Flags1).value_or(0) & kProgramFlag) != 0)
    return fail({.code = ErrorCode::RuntimeUnavailable,
                 .what = fmt::format("{} is not a shared library but a program", subject)});
  ElfFacts facts{.bits = image->bits(),
                 .little_endian = image->is_little_endian(),
                 .machine = image->machine(),
                 .executable_stack = asks_for_executable_stack(*image)};
  if (auto read = read_names(*image, subject, facts); !read) return fail(std::move(read.error()));
  if (auto read = read_versions(*image, subject, facts); !read) return fail(std::move(read.error()));
  return facts;
}

}  // namespace surefoot::runtime
