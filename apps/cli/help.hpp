/// Everything that is generated from the table of commands: help, man page, completions.
#pragma once

#include "apps/cli/flag.hpp"

namespace surefoot::cli {

/// The overview of all commands.
std::string overview();
/// Help for one command: one screen, or with `details` all that is known.
std::string help(const Command& command, bool details);
/// The man page, in roff.
std::string man_page();
/// A completion script. `shell` is "bash", "zsh" or "fish".
std::string completions(std::string_view shell);

}  // namespace surefoot::cli
