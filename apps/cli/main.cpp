// The surefoot command: translates words into calls of the library, and its answers into text.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>

#include "apps/cli/help.hpp"
#include "apps/cli/parse.hpp"
#include "apps/cli/talk.hpp"

namespace surefoot::cli {
namespace {

int show_help(const Invocation& invocation) {
  const bool details = invocation.help == Invocation::Help::Long;
  fmt::print("{}", invocation.command == nullptr ? overview() : help(*invocation.command, details));
  return 0;
}

int run(std::span<const std::string> words) {
  auto invocation = parse(words);
  if (!invocation) {
    print_error(invocation.error());
    return static_cast<int>(Exit::Cannot);
  }
  if (invocation->command == nullptr || invocation->help != Invocation::Help::None)
    return show_help(*invocation);
  auto done = invocation->command->run(invocation->parsed);
  if (!done) print_error(done.error());
  if (!done && invocation->parsed.has("json")) print_error_json(done.error());
  return static_cast<int>(done ? *done : Exit::Cannot);
}

}  // namespace
}  // namespace surefoot::cli

int main(int argc, char** argv) try {
#ifndef _WIN32
  // A reader that has seen enough closes the pipe: that is no failure of ours, and no noise.
  std::signal(SIGPIPE, SIG_DFL);
#endif
  const std::vector<std::string> words(argv + 1, argv + argc);
  const int status = surefoot::cli::run(words);
  if (std::fflush(stdout) != 0) {
    std::perror("error: stdout");
    return 2;
  }
  // ORT's own teardown at exit has aborted processes whose work was done; nothing of ours needs it.
  std::fflush(stderr);
  std::_Exit(status);
} catch (const std::exception& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return 2;
}
