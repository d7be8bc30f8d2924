#include <fmt/format.h>

#include <array>
#include <cstring>

#include "runtime/elf_image.hpp"

namespace surefoot::runtime::elf {
namespace {

struct KnownStart {
  std::string_view bytes;
  std::string_view kind;
};

using namespace std::string_view_literals;
constexpr std::array kKnownStarts{
    KnownStart{"version https://git-lfs"sv, "a Git LFS pointer"},
    KnownStart{"MZ"sv, "a Windows library"},
    KnownStart{"\xcf\xfa\xed\xfe"sv, "a macOS library"},
    KnownStart{"\xca\xfe\xba\xbe"sv, "a macOS library"},
    KnownStart{"PK\x03\x04"sv, "a zip archive: a wheel, jar or package that was not unpacked"},
    KnownStart{"\x1f\x8b"sv, "a gzip archive"},
    KnownStart{"!<arch>"sv, "a static library"},
    KnownStart{"/* GNU ld script"sv, "a linker script"},
    KnownStart{"#!"sv, "a script"},
    KnownStart{"<!DOCTYPE"sv, "an HTML page"},
    KnownStart{"<!doctype"sv, "an HTML page"},
    KnownStart{"<html"sv, "an HTML page"},
};

bool is_text(std::string_view text) {
  for (const char c : text)
    if (c < ' ' || c > '~') return false;
  return true;
}

std::string shown(std::string_view start) {
  constexpr std::size_t kTextShown = 24;
  constexpr std::size_t kBytesShown = 8;
  const std::string_view line = start.substr(0, start.find('\n')).substr(0, kTextShown);
  if (!line.empty() && is_text(line)) return fmt::format("`{}`", line);
  std::string hex;
  for (const char c : start.substr(0, kBytesShown))
    hex += fmt::format("{}{:02x}", hex.empty() ? "" : " ", static_cast<unsigned char>(c));
  return fmt::format("the bytes {}", hex);
}

}  // namespace

std::string describe_start(std::span<const std::byte> file) {
  if (file.empty()) return "it is empty";
  const std::string_view start(reinterpret_cast<const char*>(file.data()),
                               std::min<std::size_t>(file.size(), 64));
  for (const KnownStart& known : kKnownStarts)
    if (start.starts_with(known.bytes))
      return fmt::format("it starts with {} ({})", shown(start), known.kind);
  return fmt::format("it starts with {}", shown(start));
}

}  // namespace surefoot::runtime::elf
