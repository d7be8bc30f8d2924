#include "apps/cli/help.hpp"

#include <fmt/format.h>

namespace surefoot::cli {
namespace {

constexpr std::size_t kColumn = 30;

std::string left_side(const Flag& flag) {
  const std::string letter = flag.letter == 0 ? "    " : fmt::format("-{}, ", flag.letter);
  return fmt::format("  {}--{}{}{}", letter, flag.name, flag.value.empty() ? "" : " ", flag.value);
}

std::string flag_line(const Flag& flag) {
  const std::string left = left_side(flag);
  const std::string gap =
      left.size() + 2 > kColumn ? "\n" + std::string(kColumn, ' ') : std::string(kColumn - left.size(), ' ');
  return left + gap + std::string(flag.help) + "\n";
}

std::string usage_line(const Command& command) {
  return fmt::format("usage: surefoot {}{}{}\n", command.name, command.positional.empty() ? "" : " ",
                     command.positional);
}

/// `text` in lines of at most 96 columns, each behind `margin`.
std::string wrapped(std::string_view text, std::string_view margin) {
  constexpr std::size_t kWidth = 96;
  std::string lines, line;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    if (!line.empty() && margin.size() + line.size() + 1 + word.size() > kWidth) {
      lines += fmt::format("{}{}\n", margin, line);
      line.clear();
    }
    line += (line.empty() ? "" : " ") + std::string(word);
    begin = end + 1;
  }
  return line.empty() ? lines : lines + fmt::format("{}{}\n", margin, line);
}

}  // namespace

std::string overview() {
  std::string text = "surefoot: ONNX sessions that keep their footing\n\nusage: surefoot COMMAND …\n\n";
  for (const Command& command : commands())
    if (!command.hidden) text += fmt::format("  {:<13}{}\n", command.name, command.summary);
  text += "\nsurefoot COMMAND -h    one screen about a command\n";
  text += "surefoot COMMAND --help    all about it\n";
  return text;
}

std::string help(const Command& command, bool details) {
  std::string text = fmt::format("{}\n{}\n", command.summary, usage_line(command));
  if (details && !command.description.empty()) text += wrapped(command.description, "") + "\n";
  if (!command.positional.empty())
    text += fmt::format("  {:<28}{}\n\n", command.positional, command.positional_help);
  for (const auto& group : command.flags)
    for (const Flag& flag : group) {
      text += flag_line(flag);
      if (details && !flag.details.empty()) text += wrapped(flag.details, std::string(kColumn + 2, ' '));
    }
  text += flag_line({.name = "help", .letter = 'h', .help = "this text; `-h` is short, `--help` is long"});
  if (!command.examples.empty()) text += "\nexamples:\n";
  for (const std::string_view example : command.examples) text += fmt::format("  {}\n", example);
  return text;
}

}  // namespace surefoot::cli
