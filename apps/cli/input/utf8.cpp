#include "apps/cli/input/utf8.hpp"

#include <array>

namespace surefoot::cli {
namespace {

bool is_code_point(char32_t point) { return point <= 0x10ffff && (point < 0xd800 || point > 0xdfff); }

struct Lead {
  unsigned char mask, bits;  ///< the byte & mask == bits
  int more;                  ///< bytes that follow
  char32_t least;            ///< smaller points have a shorter form
};
constexpr std::array<Lead, 4> kLeads{
    {{0x80, 0x00, 0, 0}, {0xe0, 0xc0, 1, 0x80}, {0xf0, 0xe0, 2, 0x800}, {0xf8, 0xf0, 3, 0x10000}}};

/// Takes one code point off the front of `text`.
std::optional<char32_t> take_point(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text[0]);
  for (const Lead& lead : kLeads) {
    if ((first & lead.mask) != lead.bits) continue;
    char32_t point = first & static_cast<unsigned char>(~lead.mask);
    if (text.size() <= static_cast<std::size_t>(lead.more)) return std::nullopt;
    for (int i = 1; i <= lead.more; ++i) {
      const auto next = static_cast<unsigned char>(text[static_cast<std::size_t>(i)]);
      if ((next & 0xc0) != 0x80) return std::nullopt;
      point = point << 6 | (next & 0x3fU);
    }
    if (point < lead.least || !is_code_point(point)) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(lead.more) + 1);
    return point;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::u32string> code_points(std::string_view text) {
  std::u32string points;
  while (!text.empty()) {
    const auto point = take_point(text);
    if (!point) return std::nullopt;
    points += *point;
  }
  return points;
}

bool append_utf8(std::string& text, char32_t point) {
  if (!is_code_point(point)) return false;
  const auto add = [&](char32_t bits) { text += static_cast<char>(static_cast<unsigned char>(bits)); };
  if (point < 0x80) return add(point), true;
  if (point < 0x800) {
    add(0xc0 | point >> 6);
  } else {
    if (point < 0x10000) {
      add(0xe0 | point >> 12);
    } else {
      add(0xf0 | point >> 18);
      add(0x80 | (point >> 12 & 0x3f));
    }
    add(0x80 | (point >> 6 & 0x3f));
  }
  add(0x80 | (point & 0x3f));
  return true;
}

}  // namespace surefoot::cli
