#include "apps/cli/output/explanation_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace surefoot::cli {
namespace {

constexpr std::size_t kLongestExcerpt = 160;

std::string clipped(const std::string& excerpt) {
  return excerpt.size() <= kLongestExcerpt ? excerpt : excerpt.substr(0, kLongestExcerpt) + "…";
}

std::string heading(const Explanation& explanation) {
  return fmt::format("{} ({})\n  {}\n", explanation.entry->slug, to_string(explanation.entry->severity),
                     explanation.fill(explanation.entry->meaning));
}

std::string found_text(const Explanation& explanation) {
  if (explanation.line == 0) return {};
  std::string text =
      fmt::format("\n  {:<10}{}\n", fmt::format("line {}", explanation.line), clipped(explanation.excerpt));
  for (const FoundName& found : explanation.found)
    text += fmt::format("  {:<9} {}\n", found.name, found.value);
  return text;
}

std::string solutions_text(const Explanation& explanation) {
  std::string text = "\n  what to do\n";
  std::size_t number = 0;
  for (const std::string& solution : explanation.entry->solutions)
    text += fmt::format("    {}. {}\n", ++number, explanation.fill(solution));
  return text;
}

std::string indented(std::string_view code) {
  std::string text;
  for (std::size_t begin = 0; begin < code.size();) {
    const std::size_t end = std::min(code.find('\n', begin), code.size());
    text += fmt::format("    {}\n", code.substr(begin, end - begin));
    begin = end + 1;
  }
  return text;
}

std::string examples_text(const Explanation& explanation) {
  std::string text;
  for (const FixExample& example : explanation.entry->examples)
    text += fmt::format("\n  {}\n{}", example.language == "cpp" ? "c++" : example.language,
                        indented(explanation.fill(example.code)));
  return text;
}

std::string prevention_text(const ErrorEntry& entry) {
  std::string text = fmt::format("\n  check     {}\n", entry.check);
  for (const std::string& tip : entry.prevention) text += fmt::format("  prevent   {}\n", tip);
  return text;
}

std::string listed(std::string_view title, const std::vector<std::string>& lines) {
  std::string text = fmt::format("\n  {}\n", title);
  for (const std::string& line : lines) text += fmt::format("    {}\n", line);
  return text;
}

std::vector<std::string> filled(const Explanation& explanation, std::vector<std::string> texts) {
  for (std::string& text : texts) text = explanation.fill(text);
  return texts;
}

/// The entry with what was found in place of its placeholders.
ErrorEntry filled_entry(const Explanation& explanation) {
  ErrorEntry entry = *explanation.entry;
  entry.triggers = filled(explanation, std::move(entry.triggers));
  entry.solutions = filled(explanation, std::move(entry.solutions));
  for (FixExample& example : entry.examples) example.code = explanation.fill(example.code);
  return entry;
}

}  // namespace

std::string explanation_text(const Explanation& explanation) {
  return heading(explanation) + found_text(explanation) + solutions_text(explanation) +
         examples_text(explanation) + prevention_text(*explanation.entry);
}

std::string short_explanation(const Explanation& explanation) {
  return fmt::format("{}  line {}: {}\n  {}\n", heading(explanation), explanation.line,
                     clipped(explanation.excerpt), explanation.fill(explanation.entry->solutions.front()));
}

std::string entry_text(const ErrorEntry& entry) {
  const Explanation bare{.entry = &entry};
  return heading(bare) + listed("seen as", entry.seen) + listed("happens when", entry.triggers) +
         listed("often met", entry.situations) + solutions_text(bare) + examples_text(bare) +
         prevention_text(entry) + fmt::format("  versions  ONNX Runtime: {}\n", entry.versions);
}

nlohmann::ordered_json json_of(const ErrorEntry& entry) {
  nlohmann::ordered_json json = {
      {"slug", entry.slug},         {"class", entry.topic},           {"severity", to_string(entry.severity)},
      {"versions", entry.versions}, {"meaning", entry.meaning},       {"seen", entry.seen},
      {"triggers", entry.triggers}, {"situations", entry.situations}, {"solutions", entry.solutions}};
  for (const FixExample& example : entry.examples) json["examples"][example.language] = example.code;
  json["check"] = entry.check;
  json["prevention"] = entry.prevention;
  json["tags"] = entry.tags;
  return json;
}

nlohmann::ordered_json json_of(const Explanation& explanation) {
  auto found = nlohmann::ordered_json::object();
  for (const FoundName& each : explanation.found) found[each.name] = each.value;
  return {{"line", explanation.line},
          {"excerpt", explanation.excerpt},
          {"found", std::move(found)},
          {"entry", json_of(filled_entry(explanation))}};
}

}  // namespace surefoot::cli
