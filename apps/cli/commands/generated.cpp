#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/help.hpp"

namespace surefoot::cli {
namespace {

constexpr std::array<std::string_view, 3> kShells = {"bash", "zsh", "fish"};

Result<Exit> print_completions(const Parsed& parsed) {
  const std::string& shell = parsed.positionals().front();
  if (std::ranges::find(kShells, shell) == kShells.end())
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("there are no completions for `{}`", shell),
                 .hint = "bash, zsh and fish have some"});
  fmt::print("{}", completions(shell));
  return Exit::Yes;
}

Result<Exit> print_man_page(const Parsed&) {
  fmt::print("{}", man_page());
  return Exit::Yes;
}

}  // namespace

const Command& completions_command() {
  static const Command kCommand{.name = "completions",
                                .summary = "print a shell's completion script",
                                .positional = "SHELL",
                                .positional_help = "bash, zsh or fish",
                                .run = print_completions,
                                .hidden = true};
  return kCommand;
}

const Command& man_command() {
  static const Command kCommand{
      .name = "man", .summary = "print the man page", .run = print_man_page, .hidden = true};
  return kCommand;
}

}  // namespace surefoot::cli
