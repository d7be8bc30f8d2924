/// The nearest known spelling of a name that was not found.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace surefoot {

/// The one of `known` that a person most likely meant by `given`, or empty when none is near.
/// Edit distance with transpositions (Damerau-Levenshtein, restricted), case ignored; near means
/// at most a third of the longer name's length, at least one edit.
std::string_view nearest(std::string_view given, std::span<const std::string_view> known);
std::string_view nearest(std::string_view given, std::span<const std::string> known);

/// "did you mean `x`?", or "known are `x`, `y`" when nothing is near and the list is short, or empty.
std::string suggestion(std::string_view given, std::span<const std::string> known);

}  // namespace surefoot
