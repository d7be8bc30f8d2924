#include "diagnose/catalogue_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "error/suggest.hpp"

namespace surefoot::diagnose {
namespace {

constexpr std::string_view kFieldNames[] = {"class",  "severity", "versions", "tags",   "meaning",
                                            "seen",   "when",     "often",    "do",     "shell",
                                            "python", "cpp",      "check",    "prevent"};

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (const auto part = trimmed(text.substr(begin, end - begin)); !part.empty()) parts.emplace_back(part);
    begin = end + 1;
  }
  return parts;
}

bool is_code(std::string_view field) { return field == "shell" || field == "python" || field == "cpp"; }

class Reader {
 public:
  Reader(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  Result<std::vector<ErrorEntry>> read();

 private:
  Result<void> read_line(std::string_view line);
  Result<void> begin_entry(std::string_view slug);
  Result<void> begin_field(std::string_view line);
  void continue_field(std::string_view line);
  Result<void> end_field();
  Result<void> store(std::string_view field, std::string value);
  Result<void> check_last() const;
  Failure failure(std::string what, std::string hint = {}) const {
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("line {} of {}: {}", number_, source_, std::move(what)),
                 .hint = std::move(hint)});
  }

  std::string_view text_, source_;
  std::size_t number_ = 0;
  std::string field_, value_;
  std::vector<ErrorEntry> entries_;
};

Result<std::vector<ErrorEntry>> Reader::read() {
  for (std::size_t begin = 0; begin < text_.size();) {
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    ++number_;
    if (auto done = read_line(text_.substr(begin, end - begin)); !done) return fail(std::move(done).error());
    begin = end + 1;
  }
  if (auto done = end_field(); !done) return fail(std::move(done).error());
  if (auto done = check_last(); !done) return fail(std::move(done).error());
  return std::move(entries_);
}

Result<void> Reader::read_line(std::string_view line) {
  if (line.starts_with('#')) return {};
  if (line.starts_with(' ') && !field_.empty()) return continue_field(line), Result<void>();
  if (trimmed(line).empty()) return {};
  if (auto done = end_field(); !done) return done;
  if (line.starts_with('[')) return begin_entry(trimmed(line));
  return begin_field(line);
}

Result<void> Reader::begin_entry(std::string_view slug) {
  if (auto done = check_last(); !done) return done;
  if (slug.size() < 3 || !slug.ends_with(']')) return failure("an entry begins with `[slug]`");
  entries_.push_back({.slug = std::string(slug.substr(1, slug.size() - 2))});
  return {};
}

Result<void> Reader::begin_field(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return failure("a field is written `name: value`");
  if (entries_.empty()) return failure("a field stands before the first entry");
  field_ = line.substr(0, colon);
  value_ = trimmed(line.substr(colon + 1));
  if (std::ranges::find(kFieldNames, field_) != std::ranges::end(kFieldNames)) return {};
  return failure(
      fmt::format("there is no field `{}`", field_),
      suggestion(field_, std::vector<std::string>(std::begin(kFieldNames), std::end(kFieldNames))));
}

void Reader::continue_field(std::string_view line) {
  if (is_code(field_))
    value_ += std::string(line.substr(std::min<std::size_t>(2, line.size()))) + "\n";
  else
    value_ += (value_.empty() ? "" : " ") + std::string(trimmed(line));
}

Result<void> Reader::end_field() {
  if (field_.empty()) return {};
  return store(std::exchange(field_, {}), std::exchange(value_, {}));
}

Result<void> Reader::store(std::string_view field, std::string value) {
  ErrorEntry& entry = entries_.back();
  if (value.empty()) return failure(fmt::format("`{}` of `{}` is empty", field, entry.slug));
  const std::pair<std::string_view, std::string*> texts[] = {{"class", &entry.topic},
                                                             {"versions", &entry.versions},
                                                             {"meaning", &entry.meaning},
                                                             {"check", &entry.check}};
  for (const auto& [name, into] : texts)
    if (field == name) return *into = std::move(value), Result<void>();
  const std::pair<std::string_view, std::vector<std::string>*> lists[] = {{"seen", &entry.seen},
                                                                          {"when", &entry.triggers},
                                                                          {"often", &entry.situations},
                                                                          {"do", &entry.solutions},
                                                                          {"prevent", &entry.prevention}};
  for (const auto& [name, into] : lists)
    if (field == name) return into->push_back(std::move(value)), Result<void>();
  if (is_code(field)) return entry.examples.push_back({std::string(field), std::move(value)}), Result<void>();
  if (field == "tags") return entry.tags = split_at_commas(value), Result<void>();
  for (const Severity severity : {Severity::Error, Severity::Warning, Severity::Note})
    if (value == to_string(severity)) return entry.severity = severity, Result<void>();
  return failure(fmt::format("`{}` is no severity", value), "write `error`, `warning` or `note`");
}

Result<void> Reader::check_last() const {
  if (entries_.empty()) return {};
  const ErrorEntry& entry = entries_.back();
  const std::pair<std::string_view, bool> needed[] = {{"class", entry.topic.empty()},
                                                      {"versions", entry.versions.empty()},
                                                      {"tags", entry.tags.empty()},
                                                      {"meaning", entry.meaning.empty()},
                                                      {"seen", entry.seen.empty()},
                                                      {"when", entry.triggers.empty()},
                                                      {"often", entry.situations.empty()},
                                                      {"do", entry.solutions.empty()},
                                                      {"check", entry.check.empty()},
                                                      {"prevent", entry.prevention.empty()},
                                                      {"shell, python or cpp", entry.examples.empty()}};
  for (const auto& [name, is_absent] : needed)
    if (is_absent) return failure(fmt::format("`{}`, which ends above, has no `{}`", entry.slug, name));
  return {};
}

}  // namespace

Result<std::vector<ErrorEntry>> read_catalogue(std::string_view text, std::string_view source) {
  return Reader(text, source).read();
}

}  // namespace surefoot::diagnose
