/// An ELF file's headers and dynamic section, read with every access checked. Private to the ELF reader.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/result.hpp"

namespace surefoot::runtime::elf {

/// Dynamic tags that are read (ELF gABI and its GNU additions).
enum class Tag : std::uint64_t {
  Null = 0,
  Needed = 1,
  Hash = 4,
  StringTable = 5,
  SymbolTable = 6,
  Soname = 14,
  Rpath = 15,
  Runpath = 29,
  GnuHash = 0x6ffffef5,
  Flags1 = 0x6ffffffb,
  VersionsNeeded = 0x6ffffffe,
  VersionsNeededCount = 0x6fffffff,
};

struct Segment {
  std::uint32_t type = 0;
  std::uint32_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t address = 0;
  std::uint64_t file_size = 0;
};

struct DynamicEntry {
  Tag tag;
  std::uint64_t value;
};

/// Lifetime  views the bytes that it was made from.
class Image {
 public:
  /// Errors: RuntimeUnavailable: what the file is instead, or where it ends.
  static Result<Image> of(std::span<const std::byte> file, std::string_view subject);

  int bits() const noexcept { return wide_ ? 64 : 32; }
  bool is_wide() const noexcept { return wide_; }
  bool is_little_endian() const noexcept { return little_; }
  std::uint16_t machine() const noexcept { return machine_; }
  std::span<const Segment> segments() const noexcept { return segments_; }
  std::span<const DynamicEntry> dynamic() const noexcept { return dynamic_; }
  std::optional<std::uint64_t> value_of(Tag tag) const noexcept;

  /// The number at a place in the file; nothing when it reaches past the end.
  template <std::unsigned_integral T>
  std::optional<T> number(std::uint64_t offset) const noexcept {
    if (offset > file_.size() || file_.size() - offset < sizeof(T)) return std::nullopt;
    T result = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) {
      const std::size_t at = little_ ? sizeof(T) - 1 - i : i;
      result = static_cast<T>((std::uint64_t{result} << 8) |
                              std::to_integer<std::uint8_t>(file_[static_cast<std::size_t>(offset) + at]));
    }
    return result;
  }
  /// A number as wide as the file's addresses.
  std::optional<std::uint64_t> word(std::uint64_t offset) const noexcept;
  /// Where in the file a virtual address lies.
  std::optional<std::uint64_t> offset_of(std::uint64_t address) const noexcept;
  /// The string at an index of the dynamic string table.
  std::optional<std::string_view> string(std::uint64_t index) const noexcept;

 private:
  Result<void> read_header(std::string_view subject);
  Result<void> read_segments(std::string_view subject);
  Result<void> read_dynamic(std::string_view subject);

  std::span<const std::byte> file_;
  bool wide_ = true;
  bool little_ = true;
  std::uint16_t machine_ = 0;
  std::vector<Segment> segments_;
  std::vector<DynamicEntry> dynamic_;
};

/// "it starts with `version https://git-lfs…` (a Git LFS pointer)": what a file that is no ELF file is.
std::string describe_start(std::span<const std::byte> file);

/// The failure of a file that is an ELF file but damaged.
Failure damaged(std::string_view subject, std::string_view where);

}  // namespace surefoot::runtime::elf
