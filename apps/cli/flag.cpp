#include "apps/cli/flag.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace surefoot::cli {
namespace {

const std::vector<std::string> kNone;

}  // namespace

const std::vector<std::string>& Parsed::values(std::string_view flag) const {
  const auto at = values_.find(flag);
  return at == values_.end() ? kNone : at->second;
}

std::string Parsed::value(std::string_view flag) const {
  const auto& all = values(flag);
  return all.empty() ? "" : all.back();
}

std::vector<std::string> Parsed::list(std::string_view flag) const {
  std::vector<std::string> items;
  for (const std::string& value : values(flag))
    for (std::size_t begin = 0; begin <= value.size();) {
      const std::size_t end = std::min(value.find(',', begin), value.size());
      if (end > begin) items.push_back(value.substr(begin, end - begin));
      begin = end + 1;
    }
  return items;
}

Result<std::optional<std::int64_t>> Parsed::integer(std::string_view flag, std::int64_t least) const {
  if (!has(flag)) return std::optional<std::int64_t>();
  const std::string text = value(flag);
  std::int64_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc() || end != text.data() + text.size() || number < least)
    return fail(
        {.code = ErrorCode::InvalidArgument,
         .what = fmt::format("`--{} {}`: a whole number of at least {} is wanted", flag, text, least)});
  return std::optional(number);
}

Result<std::vector<std::pair<std::string, std::string>>> Parsed::pairs(std::string_view flag) const {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& value : values(flag)) {
    const std::size_t equals = value.find('=');
    if (equals == 0 || equals == std::string::npos)
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("`--{} {}`: `name=value` is wanted", flag, value)});
    std::string key = value.substr(0, equals);
    if (std::ranges::find(pairs, key, &std::pair<std::string, std::string>::first) != pairs.end())
      return fail(
          {.code = ErrorCode::InvalidArgument, .what = fmt::format("`--{}` sets `{}` twice", flag, key)});
    pairs.emplace_back(std::move(key), value.substr(equals + 1));
  }
  return pairs;
}

const Flag* Command::find(std::string_view flag) const {
  for (const auto& group : flags)
    for (const Flag& candidate : group)
      if (candidate.name == flag) return &candidate;
  return nullptr;
}

}  // namespace surefoot::cli
