#include <optional>

#include "runtime/elf.hpp"
#include "runtime/elf_image.hpp"

namespace surefoot::runtime {
namespace {

using elf::Image;
using elf::Tag;

// A hash chain longer than this is a crafted file, not a library.
constexpr std::uint64_t kLongestChain = 1 << 20;

std::uint32_t gnu_hash(std::string_view name) {
  std::uint32_t hash = 5381;
  for (const char c : name) hash = hash * 33 + static_cast<unsigned char>(c);
  return hash;
}

std::uint32_t sysv_hash(std::string_view name) {
  std::uint32_t hash = 0;
  for (const char c : name) {
    hash = (hash << 4) + static_cast<unsigned char>(c);
    const std::uint32_t high = hash & 0xf0000000;
    hash = (hash ^ (high >> 24)) & ~high;
  }
  return hash;
}

/// Whether symbol `index` is defined here under that name.
bool is_export(const Image& image, std::uint64_t index, std::string_view name) {
  const auto table = image.value_of(Tag::SymbolTable);
  const auto start = table ? image.offset_of(*table) : std::nullopt;
  if (!start) return false;
  const std::uint64_t at = *start + index * (image.is_wide() ? 24 : 16);
  const auto text = image.number<std::uint32_t>(at);
  const auto section = image.number<std::uint16_t>(at + (image.is_wide() ? 6 : 14));
  return text && section && *section != 0 && image.string(*text) == name;
}

/// Layout: {buckets, first symbol, words of bloom filter, shift}, filter, buckets, chains.
bool found_by_gnu_hash(const Image& image, std::uint64_t at, std::string_view name) {
  const auto buckets = image.number<std::uint32_t>(at);
  const auto first = image.number<std::uint32_t>(at + 4);
  const auto words = image.number<std::uint32_t>(at + 8);
  if (!buckets || !first || !words || *buckets == 0) return false;
  const std::uint32_t hash = gnu_hash(name);
  const std::uint64_t table = at + 16 + std::uint64_t{*words} * (image.is_wide() ? 8 : 4);
  const std::uint64_t chains = table + std::uint64_t{*buckets} * 4;
  const auto start = image.number<std::uint32_t>(table + std::uint64_t{hash % *buckets} * 4);
  if (!start || *start < *first) return false;
  for (std::uint64_t index = *start; index < *start + kLongestChain; ++index) {
    const auto entry = image.number<std::uint32_t>(chains + (index - *first) * 4);
    if (!entry) return false;
    if ((*entry | 1U) == (hash | 1U) && is_export(image, index, name)) return true;
    if ((*entry & 1U) != 0) return false;
  }
  return false;
}

/// Layout: {buckets, chains}, buckets, chains.
bool found_by_sysv_hash(const Image& image, std::uint64_t at, std::string_view name) {
  const auto buckets = image.number<std::uint32_t>(at);
  if (!buckets || *buckets == 0) return false;
  const std::uint64_t chains = at + 8 + std::uint64_t{*buckets} * 4;
  auto index = image.number<std::uint32_t>(at + 8 + std::uint64_t{sysv_hash(name) % *buckets} * 4);
  for (std::uint64_t steps = 0; index && *index != 0 && steps < kLongestChain; ++steps) {
    if (is_export(image, *index, name)) return true;
    index = image.number<std::uint32_t>(chains + std::uint64_t{*index} * 4);
  }
  return false;
}

}  // namespace

Result<bool> exports_symbol(std::span<const std::byte> file, std::string_view symbol,
                            std::string_view subject) {
  const auto image = Image::of(file, subject);
  if (!image) return fail(image.error());
  const auto offset_of = [&](Tag tag) {
    const auto address = image->value_of(tag);
    return address ? image->offset_of(*address) : std::nullopt;
  };
  if (const auto at = offset_of(Tag::GnuHash)) return found_by_gnu_hash(*image, *at, symbol);
  if (const auto at = offset_of(Tag::Hash)) return found_by_sysv_hash(*image, *at, symbol);
  return elf::damaged(subject, "it has no table of symbols");
}

}  // namespace surefoot::runtime
