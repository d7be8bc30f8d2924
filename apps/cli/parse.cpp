#include "apps/cli/parse.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "error/suggest.hpp"

namespace surefoot::cli {
namespace {

Failure usage(std::string what, std::string hint) {
  return fail({.code = ErrorCode::InvalidArgument, .what = std::move(what), .hint = std::move(hint)});
}

/// Flags end at `--`; what follows are words, however they begin.
std::span<const std::string> before_end_of_flags(std::span<const std::string> words) {
  return words.first(static_cast<std::size_t>(std::ranges::find(words, "--") - words.begin()));
}

const Command* find_command(std::string_view name) {
  const auto at = std::ranges::find(commands(), name, &Command::name);
  return at == commands().end() ? nullptr : &*at;
}

Failure unknown_command(const std::string& word) {
  std::vector<std::string> names;
  for (const Command& command : commands())
    if (!command.hidden) names.emplace_back(command.name);
  const std::string suggested = suggestion(word, names);
  return usage(fmt::format("`{}` is not a command", word),
               suggested.empty() ? "see `surefoot --help`" : suggested);
}

std::vector<std::string> flag_names(const Command& command) {
  std::vector<std::string> names;
  for (const auto& group : command.flags)
    for (const Flag& flag : group) names.push_back(fmt::format("--{}", flag.name));
  return names;
}

std::string option_name(const Flag& flag) {
  return flag.letter == 0 ? fmt::format("--{}", flag.name) : fmt::format("-{},--{}", flag.letter, flag.name);
}

struct Bound {
  const Flag* flag;
  std::vector<std::string> values = {};
};

/// Declares the command's flags to CLI11; `bound` must not move until the parse is over.
void declare(CLI::App& app, std::vector<Bound>& bound) {
  for (Bound& place : bound) {
    if (place.flag->value.empty())
      app.add_flag(option_name(*place.flag));
    else
      app.add_option(option_name(*place.flag), place.values)
          ->allow_extra_args(false)
          ->trigger_on_parse(false);
  }
}

/// A variable that a script forgot to set must not drop a wish in silence; nor must a second value.
Result<void> check_values(const Bound& place) {
  const auto is_blank = [](const std::string& value) { return value.find_first_not_of(", ") == value.npos; };
  if (std::ranges::any_of(place.values, is_blank))
    return usage(fmt::format("`--{}` is given an empty value", place.flag->name), "");
  if (place.values.size() > 1 && !place.flag->repeats)
    return usage(fmt::format("`--{}` is given twice", place.flag->name), "");
  return {};
}

/// `--quiet=false` would be taken for `--quiet`.
Result<void> check_switches(const Command& command, std::span<const std::string> words) {
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (!word.starts_with("--") || equals == word.npos) continue;
    const Flag* flag = command.find(std::string_view(word).substr(2, equals - 2));
    if (flag != nullptr && flag->value.empty())
      return usage(fmt::format("`--{}` takes no value", flag->name), "leave it out to switch it off");
  }
  return {};
}

Result<void> check_choices(const Bound& place) {
  if (place.flag->choices.empty()) return {};
  for (const std::string& value : place.values)
    if (std::ranges::find(place.flag->choices, value) == place.flag->choices.end())
      return usage(fmt::format("`--{} {}`: one of {} is wanted", place.flag->name, value,
                               fmt::join(place.flag->choices, ", ")),
                   "");
  return {};
}

Result<void> check_positionals(const Command& command, const Parsed& parsed) {
  const auto& words = parsed.positionals();
  const std::size_t most = command.positional.empty() ? 0 : command.most_words;
  if (!command.positional.empty() && words.size() < command.least_words)
    return usage(fmt::format("`{}` wants {}: {}", command.name, command.positional, command.positional_help),
                 fmt::format("see `surefoot {} -h`", command.name));
  if (words.size() > most)
    return usage(fmt::format("`{}` is one word too many", words[most]),
                 fmt::format("see `surefoot {} -h`", command.name));
  return {};
}

/// CLI11 names what it did not expect; the nearest flag is ours to find.
Failure refused(const Command& command, const CLI::App& app, const std::string& text) {
  for (const std::string& word : app.remaining())
    if (word.starts_with('-')) {
      const std::string name = word.substr(0, word.find('='));
      return usage(fmt::format("`{}` has no flag `{}`", command.name, name),
                   suggestion(name, flag_names(command)));
    }
  return usage(text, fmt::format("see `surefoot {} -h`", command.name));
}

Result<Parsed> parse_words(const Command& command, std::span<const std::string> all) {
  const std::span<const std::string> words = before_end_of_flags(all);
  if (auto fits = check_switches(command, words); !fits) return fail(std::move(fits).error());
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  std::vector<Bound> bound;
  for (const auto& group : command.flags)
    for (const Flag& flag : group) bound.push_back({&flag});
  declare(app, bound);
  std::vector<std::string> reversed(words.rbegin(), words.rend());
  Parsed parsed;
  try {
    app.parse(reversed);
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string text = error.what();  // "--input: 1 required TEXT missing"
    return usage(fmt::format("`{}` wants a value", text.substr(0, text.find(':'))),
                 fmt::format("see `surefoot {} -h`", command.name));
  } catch (const CLI::ParseError& error) {
    return refused(command, app, error.what());
  }
  for (const std::string& word : app.remaining()) {
    if (word.size() > 1 && word.starts_with('-')) return refused(command, app, word);
    parsed.add_positional(word);
  }
  if (words.size() < all.size())
    for (const std::string& word : all.subspan(words.size() + 1)) parsed.add_positional(word);
  for (const Bound& place : bound) {
    if (auto fits = check_values(place); !fits) return fail(std::move(fits).error());
    if (auto fits = check_choices(place); !fits) return fail(std::move(fits).error());
    const auto* option = app.get_option(fmt::format("--{}", place.flag->name));
    if (place.flag->value.empty() && option->count() > 0) parsed.add(place.flag->name, "");
    for (const std::string& value : place.values) parsed.add(place.flag->name, value);
  }
  return parsed;
}

Invocation::Help help_in(std::span<const std::string> words) {
  for (const std::string& word : before_end_of_flags(words)) {
    if (word == "-h") return Invocation::Help::Short;
    if (word == "--help") return Invocation::Help::Long;
  }
  return Invocation::Help::None;
}

}  // namespace

Result<Invocation> parse(std::span<const std::string> words) {
  Invocation invocation{.help = help_in(words)};
  if (words.empty() || words.front() == "-h" || words.front() == "--help" || words.front() == "help") {
    invocation.help = words.empty() ? Invocation::Help::Short : Invocation::Help::Long;
    if (words.size() > 1 && words.front() == "help") invocation.command = find_command(words[1]);
    return invocation;
  }
  const std::string first = words.front() == "--version" ? "version" : words.front();
  invocation.command = find_command(first);
  if (invocation.command == nullptr) return unknown_command(first);
  if (invocation.help != Invocation::Help::None) return invocation;
  auto parsed = parse_words(*invocation.command, words.subspan(1));
  if (!parsed) return fail(std::move(parsed).error());
  if (auto fits = check_positionals(*invocation.command, *parsed); !fits)
    return fail(std::move(fits).error());
  invocation.parsed = std::move(*parsed);
  return invocation;
}

}  // namespace surefoot::cli
