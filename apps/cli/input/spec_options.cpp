#include "apps/cli/input/spec_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/cli/input/numbers.hpp"
#include "error/suggest.hpp"

namespace surefoot::cli {
namespace {

bool is_option(std::string_view part) {
  const std::size_t equals = part.find('=');
  if (equals == std::string_view::npos || equals == 0) return false;
  return std::all_of(part.begin(), part.begin() + static_cast<std::ptrdiff_t>(equals),
                     [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

std::optional<double> finite_number(std::string_view text) {
  const auto number = number_from_text(text);
  if (!number || !std::isfinite(to_double(*number))) return std::nullopt;
  return to_double(*number);
}

/// "0.5" or "1/255".
std::optional<double> fraction(std::string_view text) {
  const std::size_t slash = text.find('/');
  const auto above = finite_number(text.substr(0, slash));
  if (slash == std::string_view::npos || !above) return above;
  const auto below = finite_number(text.substr(slash + 1));
  if (!below || *below == 0) return std::nullopt;
  return *above / *below;
}

Failure bad_value(std::string_view name, std::string_view value, std::string_view wanted) {
  return fail({.code = ErrorCode::InvalidArgument,
               .what = fmt::format("option `{}` has the value `{}`, {} is wanted", name, value, wanted)});
}

}  // namespace

Result<SpecOptions> SpecOptions::split(std::string_view text, std::string& target) {
  SpecOptions made;
  for (std::size_t comma; (comma = text.rfind(',')) != std::string_view::npos;) {
    const std::string_view part = text.substr(comma + 1);
    if (!is_option(part)) break;
    const std::size_t equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    if (made.has(name))
      return fail(
          {.code = ErrorCode::InvalidArgument, .what = fmt::format("option `{}` is given twice", name)});
    made.options_.insert(made.options_.begin(), {std::string(name), std::string(part.substr(equals + 1))});
    text = text.substr(0, comma);
  }
  target = text;
  return made;
}

Result<void> SpecOptions::check_known(std::string_view format,
                                      std::span<const std::string_view> known) const {
  for (const Option& option : options_) {
    if (std::find(known.begin(), known.end(), option.name) != known.end()) continue;
    const std::vector<std::string> names(known.begin(), known.end());
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("{} takes no option `{}`", format, option.name),
                 .hint = suggestion(option.name, names)});
  }
  return {};
}

std::optional<std::string_view> SpecOptions::find(std::string_view name) const {
  for (const Option& option : options_)
    if (option.name == name) return option.value;
  return std::nullopt;
}

Result<double> SpecOptions::number(std::string_view name, double otherwise) const {
  const auto value = find(name);
  if (!value) return otherwise;
  if (const auto number = fraction(*value)) return *number;
  return bad_value(name, *value, "a number such as `0.5` or `1/255`");
}

Result<std::vector<double>> SpecOptions::numbers(std::string_view name) const {
  std::vector<double> list;
  const auto value = find(name);
  if (!value) return list;
  for (std::string_view rest = *value;;) {
    const std::size_t end = rest.find_first_of(";:");
    const auto number = fraction(rest.substr(0, end));
    if (!number) return bad_value(name, *value, "numbers with `:` between them, such as `0.5:0.4:0.4`,");
    list.push_back(*number);
    if (end == std::string_view::npos) return list;
    rest.remove_prefix(end + 1);
  }
}

Result<std::optional<std::uint64_t>> SpecOptions::whole_number(std::string_view name) const {
  const auto value = find(name);
  if (!value) return std::optional<std::uint64_t>();
  const auto number = number_from_text(*value);
  if (number && check_number(ElementType::UInt64, *number))
    return std::optional(std::visit([](auto held) { return static_cast<std::uint64_t>(held); }, *number));
  return bad_value(name, *value, "a whole number");
}

}  // namespace surefoot::cli
