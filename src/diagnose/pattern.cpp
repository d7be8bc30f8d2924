#include "diagnose/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace surefoot::diagnose {
namespace {

/// Longer than any path or mangled name; keeps one pathological line from costing its length squared.
constexpr std::size_t kLongestHole = 600;
constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::string_view kPunctuation = ".,;:!?)]}'\"`";

bool is_name(std::string_view text) {
  return text == "*" || (!text.empty() && std::ranges::all_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || c == '_';
         }));
}

std::string with_line_breaks(std::string_view literal) {
  std::string text(literal);
  for (std::size_t at = 0; (at = text.find("\\n", at)) != std::string::npos; ++at) text.replace(at, 2, "\n");
  return text;
}

Failure refuse(std::string_view source, std::string_view why) {
  return fail({.code = ErrorCode::InvalidArgument, .what = fmt::format("pattern `{}`: {}", source, why)});
}

bool fits(std::string_view hole) {
  return hole.size() <= kLongestHole && hole.find('\n') == std::string_view::npos;
}

/// The word that ends before `at`, and the one that begins at it.
std::string_view word_before(std::string_view text, std::size_t at) {
  const auto blank = text.substr(0, at).find_last_of(kBlanks);
  const std::size_t begin = blank == std::string_view::npos ? 0 : blank + 1;
  return text.substr(begin, at - begin);
}

std::string_view word_at(std::string_view text, std::size_t at) {
  std::string_view word = text.substr(at, text.find_first_of(kBlanks, at) - at);
  while (!word.empty() && kPunctuation.find(word.back()) != std::string_view::npos) word.remove_suffix(1);
  return word;
}

}  // namespace

Result<Pattern> Pattern::parse(std::string_view source) {
  Pattern pattern;
  std::string literal;
  for (std::size_t at = 0; at < source.size();) {
    const std::size_t open = source.find('<', at);
    const std::size_t close = open == std::string_view::npos ? open : source.find('>', open);
    const bool hole = close != std::string_view::npos && is_name(source.substr(open + 1, close - open - 1));
    // A `<` that opens no hole is text, as in C++'s own names.
    const std::size_t end = hole ? open : open == std::string_view::npos ? source.size() : open + 1;
    literal += with_line_breaks(source.substr(at, end - at));
    at = hole ? close + 1 : end;
    if (!hole) continue;
    if (literal.empty() && !pattern.pieces_.empty()) return refuse(source, "two holes stand side by side");
    pattern.pieces_.push_back(std::exchange(literal, {}));
    pattern.holes_.emplace_back(source.substr(open + 1, close - open - 1));
  }
  pattern.pieces_.push_back(std::move(literal));
  if (auto done = pattern.choose_anchor(source); !done) return fail(std::move(done).error());
  return pattern;
}

Result<void> Pattern::choose_anchor(std::string_view source) {
  const auto longest = std::ranges::max_element(pieces_, {}, &std::string::size);
  anchor_ = static_cast<std::size_t>(longest - pieces_.begin());
  if (longest->size() >= kLeast) return {};
  return refuse(source,
                fmt::format("its longest literal has {} bytes, {} at least", longest->size(), kLeast));
}

std::size_t Pattern::literal_bytes() const noexcept {
  std::size_t bytes = 0;
  for (const std::string& piece : pieces_) bytes += piece.size();
  return bytes;
}

std::vector<std::string> Pattern::names() const {
  std::vector<std::string> names;
  std::ranges::copy_if(holes_, std::back_inserter(names),
                       [](const std::string& name) { return name != "*"; });
  return names;
}

void Pattern::keep(PatternMatch& match, std::size_t hole, std::string_view value) const {
  if (holes_[hole] != "*" && !value.empty()) match.found.push_back({holes_[hole], std::string(value)});
}

bool Pattern::match_before(std::string_view text, PatternMatch& match) const {
  for (std::size_t hole = anchor_; hole-- > 0;) {
    const std::string& piece = pieces_[hole];
    std::string_view value;
    if (piece.empty()) {
      value = word_before(text, match.begin);
    } else {
      const std::size_t least = match.begin - std::min(match.begin, kLongestHole + piece.size());
      const auto window = text.substr(least, match.begin - least);
      const auto found = window.rfind(piece);
      if (found == std::string_view::npos) return false;
      value = window.substr(found + piece.size());
    }
    if (!fits(value) || (piece.empty() && value.empty())) return false;
    keep(match, hole, value);
    match.begin -= value.size() + piece.size();
  }
  std::ranges::reverse(match.found);
  return true;
}

bool Pattern::match_behind(std::string_view text, PatternMatch& match) const {
  for (std::size_t hole = anchor_; hole < holes_.size(); ++hole) {
    const std::string& piece = pieces_[hole + 1];
    std::string_view value;
    if (piece.empty()) {
      value = word_at(text, match.end);
    } else {
      const auto window = text.substr(match.end, kLongestHole + piece.size());
      const auto found = window.find(piece);
      if (found == std::string_view::npos) return false;
      value = window.substr(0, found);
    }
    if (!fits(value) || (piece.empty() && value.empty())) return false;
    keep(match, hole, value);
    match.end += value.size() + piece.size();
  }
  return true;
}

std::optional<PatternMatch> Pattern::match(std::string_view text, std::size_t at) const {
  if (text.substr(at, anchor().size()) != anchor()) return std::nullopt;
  PatternMatch match{.begin = at, .end = at + anchor().size()};
  if (!match_before(text, match) || !match_behind(text, match)) return std::nullopt;
  return match;
}

}  // namespace surefoot::diagnose
