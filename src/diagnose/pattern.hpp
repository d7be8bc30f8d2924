/// One message pattern: literal text with holes, found around a piece that is looked for first.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/explain.hpp"
#include "surefoot/result.hpp"

namespace surefoot::diagnose {

/// Where a pattern stands in a text, and what its holes hold.
struct PatternMatch {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::vector<FoundName> found = {};
};

/// `<name>` is a hole within a line; `<*>` one without a name; `\n` a line break. Between two literals a hole
/// may be empty, as in ORT's `name ''`, and is not reported then. A hole at either end takes what reaches to
/// the next blank, without the punctuation that ends a sentence.
class Pattern {
 public:
  /// Errors: InvalidArgument: two holes side by side, a hole that is not closed, no literal of kLeast bytes.
  static Result<Pattern> parse(std::string_view source);

  /// The longest literal. Every match contains it.
  std::string_view anchor() const noexcept { return pieces_[anchor_]; }
  /// Bytes that are literal: the more, the more exact.
  std::size_t literal_bytes() const noexcept;
  /// The names of its holes.
  std::vector<std::string> names() const;

  /// The match whose anchor stands at `at`, if there is one.
  std::optional<PatternMatch> match(std::string_view text, std::size_t at) const;

  /// A shorter anchor would turn up everywhere.
  static constexpr std::size_t kLeast = 8;

 private:
  Result<void> choose_anchor(std::string_view source);
  bool match_before(std::string_view text, PatternMatch& match) const;
  bool match_behind(std::string_view text, PatternMatch& match) const;
  void keep(PatternMatch& match, std::size_t hole, std::string_view value) const;

  std::vector<std::string>
      pieces_;                      ///< literals; a hole stands between each two; the outer ones may be empty
  std::vector<std::string> holes_;  ///< names; "*" for none
  std::size_t anchor_ = 0;
};

}  // namespace surefoot::diagnose
