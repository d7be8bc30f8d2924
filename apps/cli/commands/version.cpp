#include <fmt/format.h>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"
#include "version.hpp"

namespace surefoot::cli {
namespace {

Result<Exit> print_version(const Parsed& parsed) {
  if (!parsed.has("json")) {
    fmt::print("surefoot {}\n", kVersion);
    return Exit::Yes;
  }
  auto json = document("version");
  json["version"] = kVersion;
  print(json);
  return Exit::Yes;
}

}  // namespace

const Command& version_command() {
  static const Command kCommand{
      .name = "version", .summary = "print the version", .flags = {kJson}, .run = print_version};
  return kCommand;
}

}  // namespace surefoot::cli
