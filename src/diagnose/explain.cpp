#include "surefoot/explain.hpp"

#include <algorithm>
#include <tuple>

#include "diagnose/catalogue.hpp"

namespace surefoot {
namespace {

using diagnose::Hit;

/// What one place says is explained once, by the pattern that knows most of it.
std::vector<Hit> without_overlaps(std::vector<Hit> hits) {
  std::ranges::stable_sort(hits, std::greater(), &Hit::literal_bytes);
  std::vector<Hit> kept;
  for (Hit& hit : hits) {
    const bool overlaps = std::ranges::any_of(kept, [&](const Hit& other) {
      return hit.match.begin < other.match.end && other.match.begin < hit.match.end;
    });
    const bool is_known = std::ranges::find(kept, hit.entry, &Hit::entry) != kept.end();
    if (!overlaps && !is_known) kept.push_back(std::move(hit));
  }
  return kept;
}

std::string on_one_line(std::string_view text) {
  std::string line(text);
  std::ranges::replace(line, '\n', ' ');
  return line;
}

Explanation explanation_of(Hit hit, std::string_view text) {
  const auto before = text.substr(0, hit.match.begin);
  return {.entry = &diagnose::catalogue().entries[hit.entry],
          .line = static_cast<std::size_t>(std::ranges::count(before, '\n')) + 1,
          .excerpt = on_one_line(text.substr(hit.match.begin, hit.match.end - hit.match.begin)),
          .found = std::move(hit.match.found)};
}

}  // namespace

std::string_view to_string(Severity severity) noexcept {
  switch (severity) {
    case Severity::Error:
      return "error";
    case Severity::Warning:
      return "warning";
    case Severity::Note:
      return "note";
  }
  return "unknown";
}

std::span<const ErrorEntry> error_catalogue() { return diagnose::catalogue().entries; }

const ErrorEntry* find_error_entry(std::string_view slug) {
  const auto& entries = diagnose::catalogue().entries;
  const auto found = std::ranges::find(entries, slug, &ErrorEntry::slug);
  return found == entries.end() ? nullptr : &*found;
}

std::string Explanation::fill(std::string_view text) const {
  std::string filled(text);
  for (const auto& [name, value] : found) {
    const std::string hole = "<" + name + ">";
    for (std::size_t at = 0; (at = filled.find(hole, at)) != std::string::npos; at += value.size())
      filled.replace(at, hole.size(), value);
  }
  return filled;
}

std::vector<Explanation> explain(std::string_view text) {
  std::vector<Hit> hits = without_overlaps(diagnose::catalogue().index.find(text));
  const auto rank = [](const Hit& hit) {
    return std::tuple(diagnose::catalogue().entries[hit.entry].severity, ~hit.literal_bytes, hit.match.begin);
  };
  std::ranges::sort(hits, {}, rank);
  std::vector<Explanation> explanations;
  for (Hit& hit : hits) explanations.push_back(explanation_of(std::move(hit), text));
  return explanations;
}

std::vector<Explanation> explain(const Error& error) {
  std::string text = error.what;
  for (const std::string& frame : error.doing) text += "\n" + frame;
  if (error.native) text += "\n" + error.native->text;
  return explain(text);
}

std::string_view slug_of(const Error& error) {
  const auto explanations = explain(error);
  return explanations.empty() ? std::string_view() : std::string_view(explanations.front().entry->slug);
}

}  // namespace surefoot
