/// UTF-8 to and from code points: numpy's strings have four bytes a character.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace surefoot::cli {

/// Empty where `text` is not UTF-8.
std::optional<std::u32string> code_points(std::string_view text);

/// Adds one code point to `text`; false, and nothing added, when it is none (a surrogate, > 10FFFF).
bool append_utf8(std::string& text, char32_t point);

}  // namespace surefoot::cli
