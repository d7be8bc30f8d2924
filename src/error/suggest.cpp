#include "error/suggest.hpp"

#include <algorithm>
#include <cctype>

namespace surefoot {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      const bool swapped =
          i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    std::swap(before_last, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

template <class Names>
std::string_view nearest_of(std::string_view given, const Names& known) {
  std::string_view best;
  std::size_t best_distance = 0;
  for (std::string_view name : known) {
    const std::size_t distance = edit_distance(given, name);
    const std::size_t limit = std::max<std::size_t>(1, std::max(given.size(), name.size()) / 3);
    if (distance > limit || (!best.empty() && distance >= best_distance)) continue;
    best = name;
    best_distance = distance;
  }
  return best;
}

}  // namespace

std::string_view nearest(std::string_view given, std::span<const std::string_view> known) {
  return nearest_of(given, known);
}
std::string_view nearest(std::string_view given, std::span<const std::string> known) {
  return nearest_of(given, known);
}

std::string suggestion(std::string_view given, std::span<const std::string> known) {
  constexpr std::size_t kShortList = 8;
  if (const std::string_view name = nearest(given, known); !name.empty())
    return "did you mean `" + std::string(name) + "`?";
  if (known.empty() || known.size() > kShortList) return {};
  std::string text = "known are ";
  for (const std::string& name : known) text += (&name == known.data() ? "`" : ", `") + name + "`";
  return text;
}

}  // namespace surefoot
