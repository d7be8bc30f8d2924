#include <fmt/format.h>

#include "apps/cli/help.hpp"
#include "version.hpp"

namespace surefoot::cli {
namespace {

/// Backslashes, dashes and leading dots mean something to roff.
std::string roff(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
  }
  return escaped.starts_with('.') || escaped.starts_with('\'') ? "\\&" + escaped : escaped;
}

std::string flag_entry(const Flag& flag) {
  std::string entry = ".TP\n";
  if (flag.letter != 0) entry += fmt::format("\\fB\\-{}\\fR, ", flag.letter);
  entry += fmt::format("\\fB\\-\\-{}\\fR", roff(flag.name));
  if (!flag.value.empty()) entry += fmt::format(" \\fI{}\\fR", roff(flag.value));
  entry += fmt::format("\n{}.", roff(flag.help));
  if (!flag.details.empty()) entry += "\n" + roff(flag.details);
  return entry + "\n";
}

std::string command_section(const Command& command) {
  std::string text =
      fmt::format(".SS surefoot {} {}\n{}.\n", command.name, command.positional, roff(command.summary));
  if (!command.description.empty()) text += ".PP\n" + roff(command.description) + "\n";
  for (const auto& group : command.flags)
    for (const Flag& flag : group) text += flag_entry(flag);
  for (const std::string_view example : command.examples)
    text += fmt::format(".PP\n.nf\n{}\n.fi\n", roff(example));
  return text;
}

}  // namespace

std::string man_page() {
  std::string text = fmt::format(".TH SUREFOOT 1 \"\" \"surefoot {}\"\n", kVersion);
  text += ".SH NAME\nsurefoot \\- ONNX sessions that keep their footing\n";
  text += ".SH SYNOPSIS\n.B surefoot\n\\fICOMMAND\\fR ...\n.SH COMMANDS\n";
  for (const Command& command : commands())
    if (!command.hidden) text += command_section(command);
  text +=
      ".SH ENVIRONMENT\n.TP\n.B SUREFOOT_ONNXRUNTIME\nThe ONNX Runtime library to load; nothing else is then "
      "searched.\n"
      ".TP\n.B ORT_DYLIB_PATH\nThe same, read when the first is not set.\n"
      ".TP\n.B SUREFOOT_MODEL_CACHE\nA folder, or \\fBdefault\\fR: sessions keep the optimised model there, "
      "and "
      "open that the "
      "next time, without being asked to. \\fBoff\\fR or unset: only with \\-\\-cache.\n"
      ".TP\n.B NO_COLOR\nAccepted; the output has no colour in any case.\n"
      ".SH EXIT STATUS\n0: done, or yes. 1: it ran, and the answer is no. 2: it could not run; wrong usage "
      "included.\n";
  return text;
}

}  // namespace surefoot::cli
