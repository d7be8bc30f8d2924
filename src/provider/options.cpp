#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "error/suggest.hpp"
#include "provider/catalogue.hpp"

namespace surefoot::provider {
namespace {

constexpr std::array<std::string_view, 6> kBools{"0", "1", "true", "false", "True", "False"};

/// The clauses of one error, and what may be done about each.
struct Problems {
  std::vector<std::string> clauses;
  std::vector<std::string> hints;
};

std::string listed(std::span<const std::string_view> values) {
  std::string text;
  for (const std::string_view value : values) text += fmt::format("{}`{}`", text.empty() ? "" : ", ", value);
  return text;
}

bool is_one_of(std::span<const std::string_view> values, std::string_view value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

template <class Number>
std::optional<Number> parsed(std::string_view text, int base = 10) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, base);
  return error == std::errc{} && stop == end ? std::optional<Number>(number) : std::nullopt;
}

std::optional<double> parsed_decimal(std::string_view text) {
  double number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && stop == end ? std::optional<double>(number) : std::nullopt;
}

std::optional<std::uint64_t> parsed_unsigned(std::string_view text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  return is_hex ? parsed<std::uint64_t>(text.substr(2), 16) : parsed<std::uint64_t>(text);
}

std::string range_of(const OptionSpec& option) {
  constexpr OptionSpec kUnbounded{};
  if (option.min == kUnbounded.min && option.max == kUnbounded.max) return {};
  if (option.max == kUnbounded.max || option.max == std::numeric_limits<std::int32_t>::max())
    return fmt::format(", {} or more", option.min);
  return fmt::format(" from {} to {}", option.min, option.max);
}

bool looks_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos) return false;
  if (text[first] != '{') return true;  // a path
  return text[text.find_last_not_of(" \t\r\n")] == '}';
}

/// What the value should have been, or empty when it is right.
std::string wanted_instead(const OptionSpec& option, std::string_view value) {
  const auto values =
      option.type == OptionType::Bool && option.values.empty() ? std::span(kBools) : option.values;
  switch (option.type) {
    case OptionType::Bool:
    case OptionType::Enum:
      return is_one_of(values, value) ? "" : fmt::format("allowed are {}", listed(values));
    case OptionType::Int: {
      const auto number = parsed<std::int64_t>(value);
      const bool fits = number && *number >= option.min && *number <= option.max;
      return fits ? "" : fmt::format("wanted is a whole number{}", range_of(option));
    }
    case OptionType::UInt64:
      return parsed_unsigned(value) ? "" : "wanted is a whole number, 0 or more";
    case OptionType::Float: {
      const auto number = parsed_decimal(value);
      const bool fits =
          number && *number >= static_cast<double>(option.min) && *number <= static_cast<double>(option.max);
      return fits ? "" : fmt::format("wanted is a number{}", range_of(option));
    }
    case OptionType::Pointer:
      return parsed_unsigned(value) ? "" : "wanted is an address, as 1234 or 0x4d2";
    case OptionType::Json:
      return looks_like_json(value) ? "" : "wanted is a JSON object, or the path of a file with one";
    case OptionType::Path:
    case OptionType::String:
      return value.empty() ? "wanted is a text that is not empty" : "";
  }
  return {};
}

const OptionSpec* option_of(const ProviderSpec& spec, std::string_view key) {
  const auto place = std::find_if(spec.options.begin(), spec.options.end(),
                                  [&](const OptionSpec& each) { return each.key == key; });
  return place == spec.options.end() ? nullptr : &*place;
}

void add_unknown(const ProviderSpec& spec, std::string_view key, Problems& problems) {
  std::vector<std::string_view> keys;
  for (const OptionSpec& option : spec.options) keys.push_back(option.key);
  const std::string_view near = nearest(key, keys);
  problems.clauses.push_back(spec.options.empty()
                                 ? fmt::format("provider option `{}` was given, {} has none", key, spec.name)
                                 : fmt::format("provider option `{}` is not one of {}'s", key, spec.name));
  problems.hints.push_back(near.empty()
                               ? fmt::format("write `{}{}` to pass it on unchecked", kUncheckedPrefix, key)
                               : fmt::format("did you mean `{}`?", near));
}

/// A clause when this ONNX Runtime does not know the option yet.
std::string too_new(const ProviderSpec& spec, const OptionSpec& option, int ort_minor) {
  if (ort_minor == 0 || ort_minor >= option.since) return {};
  return fmt::format("provider option `{}` of {} needs ONNX Runtime 1.{}, this is 1.{}", option.key,
                     spec.name, option.since, ort_minor);
}

void check_one(const ProviderSpec& spec, const std::string& key, const std::string& value, int ort_minor,
               Problems& problems) {
  if (key.starts_with(kUncheckedPrefix)) {
    if (key.size() == kUncheckedPrefix.size())
      problems.clauses.push_back(fmt::format("provider option `{}` has no name", key));
    return;
  }
  const OptionSpec* option = option_of(spec, key);
  if (option == nullptr) {
    if (!spec.any_option) add_unknown(spec, key, problems);
    return;
  }
  if (std::string clause = too_new(spec, *option, ort_minor); !clause.empty())
    problems.clauses.push_back(std::move(clause));
  if (const std::string wanted = wanted_instead(*option, value); !wanted.empty())
    problems.clauses.push_back(
        fmt::format("provider option `{}` of {} is `{}`, {}", key, spec.name, value, wanted));
}

}  // namespace

std::string_view option_key(std::string_view key) {
  return key.starts_with(kUncheckedPrefix) ? key.substr(kUncheckedPrefix.size()) : key;
}

Result<void> check_options(const ProviderSpec& spec, const OptionMap& options, int ort_minor) {
  Problems problems;
  for (const auto& [key, value] : options) check_one(spec, key, value, ort_minor, problems);
  // Combinations of values that are wrong themselves would only be noise.
  if (problems.clauses.empty() && spec.check_together != nullptr)
    problems.clauses = spec.check_together(options);
  if (problems.clauses.empty()) return {};
  return fail({.code = ErrorCode::InvalidArgument,
               .what = fmt::format("{}", fmt::join(problems.clauses, "; ")),
               .hint = fmt::format("{}", fmt::join(problems.hints, " "))});
}

}  // namespace surefoot::provider
