#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/help.hpp"

namespace surefoot::cli {
namespace {

std::string all_flags(const Command& command) {
  std::string words;
  for (const auto& group : command.flags)
    for (const Flag& flag : group) words += fmt::format("--{} ", flag.name);
  return words + "--help";
}

std::string command_names() {
  std::string names;
  for (const Command& command : commands())
    if (!command.hidden) names += fmt::format("{}{}", names.empty() ? "" : " ", command.name);
  return names;
}

/// A single quote inside single quotes.
std::string quoted(std::string_view text) {
  std::string escaped;
  for (const char c : text) escaped += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return escaped;
}

std::string bash() {
  std::string cases, choices;
  for (const Command& command : commands()) {
    if (command.hidden) continue;
    cases += fmt::format("    {}) words='{}' ;;\n", command.name, all_flags(command));
    for (const auto& group : command.flags)
      for (const Flag& flag : group)
        if (!flag.choices.empty())
          choices += fmt::format("    {}:--{}) COMPREPLY=($(compgen -W '{}' -- \"$current\")); return ;;\n",
                                 command.name, flag.name, fmt::join(flag.choices, " "));
  }
  return fmt::format(
      "_surefoot() {{\n  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} "
      "words=''\n"
      "  if ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W '{}' -- \"$current\")); return; fi\n"
      "  case ${{COMP_WORDS[1]}}:$before in\n{}  esac\n  case ${{COMP_WORDS[1]}} in\n{}  esac\n"
      "  if [[ $current == -* ]]; then COMPREPLY=($(compgen -W \"$words\" -- \"$current\")); else "
      "COMPREPLY=($(compgen -f -- \"$current\")); fi\n"
      "}}\ncomplete -o filenames -F _surefoot surefoot\n",
      command_names(), choices, cases);
}

std::string zsh() {
  std::string text = "#compdef surefoot\n_surefoot() {\n  local -a commands\n  commands=(\n";
  for (const Command& command : commands())
    if (!command.hidden) text += fmt::format("    '{}:{}'\n", command.name, quoted(command.summary));
  text += "  )\n  if ((CURRENT == 2)); then _describe command commands; return; fi\n  case $words[2] in\n";
  for (const Command& command : commands()) {
    if (command.hidden) continue;
    text += fmt::format("    {}) _arguments", command.name);
    for (const auto& group : command.flags)
      for (const Flag& flag : group) {
        const std::string value = flag.value.empty() ? ""
                                  : flag.choices.empty()
                                      ? fmt::format(":{}:_files", flag.value)
                                      : fmt::format(":{}:({})", flag.value, fmt::join(flag.choices, " "));
        text += fmt::format(" '{}--{}[{}]{}'", flag.repeats ? "*" : "", flag.name, quoted(flag.help), value);
      }
    text += " '*:file:_files' ;;\n";
  }
  return text + "  esac\n}\n_surefoot \"$@\"\n";
}

std::string fish() {
  std::string text = "complete -c surefoot -f\n";
  for (const Command& command : commands()) {
    if (command.hidden) continue;
    text += fmt::format("complete -c surefoot -n __fish_use_subcommand -a {} -d '{}'\n", command.name,
                        quoted(command.summary));
    if (!command.positional.empty())
      text += fmt::format("complete -c surefoot -n '__fish_seen_subcommand_from {}' -F\n", command.name);
    for (const auto& group : command.flags)
      for (const Flag& flag : group) {
        const std::string value = flag.value.empty() ? ""
                                  : flag.choices.empty()
                                      ? " -r"
                                      : fmt::format(" -x -a '{}'", fmt::join(flag.choices, " "));
        text += fmt::format("complete -c surefoot -n '__fish_seen_subcommand_from {}' -l {}{} -d '{}'\n",
                            command.name, flag.name, value, quoted(flag.help));
      }
  }
  return text;
}

}  // namespace

std::string completions(std::string_view shell) {
  if (shell == "zsh") return zsh();
  if (shell == "fish") return fish();
  return bash();
}

}  // namespace surefoot::cli
