#include <fmt/format.h>

#include "apps/cli/input/file_bytes.hpp"
#include "apps/cli/input/json_value.hpp"
#include "apps/cli/input/numbers.hpp"
#include "apps/cli/output/top_k.hpp"

namespace surefoot::cli {
namespace {

using nlohmann::json;

Failure wrong_form(std::string_view why) {
  return fail({.code = ErrorCode::InvalidInput,
               .what = fmt::format("the labels are not of a known form: {}", why),
               .hint = R"(write one label a line, ["a","b"], or {"0":"a","1":"b"})"});
}

Result<std::vector<std::string>> from_array(const json& array) {
  std::vector<std::string> labels;
  for (const json& item : array) {
    if (!item.is_string()) return wrong_form("an element is not a string");
    labels.push_back(item.get<std::string>());
  }
  return labels;
}

Result<std::vector<std::string>> from_object(const json& object) {
  std::vector<std::string> labels(object.size());
  for (const auto& [key, item] : object.items()) {
    const auto index = number_from_text(key);
    const auto* number = index ? std::get_if<std::int64_t>(&*index) : nullptr;
    if (!number || *number < 0 || static_cast<std::size_t>(*number) >= labels.size())
      return wrong_form(fmt::format("the key `{}` is not an index below {}", key, labels.size()));
    if (!item.is_string()) return wrong_form(fmt::format("the value of `{}` is not a string", key));
    labels[static_cast<std::size_t>(*number)] = item.get<std::string>();
  }
  return labels;
}

std::vector<std::string> from_lines(std::string_view text) {
  std::vector<std::string> labels;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    labels.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return labels;
}

}  // namespace

Result<std::vector<std::string>> read_labels(const std::filesystem::path& path) {
  const auto bytes = read_file(path);
  if (!bytes) return fail(bytes.error());
  const std::string_view text(reinterpret_cast<const char*>(bytes->data()), bytes->size());
  // A class may well be named "[UNK]": only what parses as JSON is JSON.
  const json parsed = json::parse(text, nullptr, false);
  if (parsed.is_array()) return from_array(parsed);
  if (parsed.is_object()) return from_object(parsed);
  return from_lines(text);
}

}  // namespace surefoot::cli
