#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"

namespace surefoot::cli {
namespace {

std::string verdict(const RuntimeFound& found) {
  if (found.refused) return "refused";
  return found.chosen ? "chosen" : "usable";
}

nlohmann::ordered_json json_of(const RuntimeFound& found) {
  nlohmann::ordered_json json = {
      {"path", found.path.string()}, {"origin", to_string(found.origin)}, {"verdict", verdict(found)}};
  if (found.refused) {
    json["reason"] = cli::json_of(*found.refused);
    return json;
  }
  json["version"] = found.version;
  json["api"] = found.api_version;
  json["providers"] = found.providers;
  return json;
}

void print_found(const RuntimeFound& found) {
  fmt::print("{:<8} {:<8} {:<20} {}\n", verdict(found), found.version.empty() ? "-" : found.version,
             to_string(found.origin), short_path(found.path));
  if (found.refused)
    fmt::print("         {}\n", found.refused->what);
  else
    fmt::print("         API {}; compiled in: {}\n", found.api_version, fmt::join(found.providers, ", "));
}

Result<Exit> list_runtimes(const Parsed& parsed) {
  const RuntimeOptions options{.library = parsed.value("runtime"),
                               .allow_telemetry = parsed.has("allow-telemetry")};
  const auto all = Runtime::discover(options);
  const bool usable = std::ranges::any_of(all, [](const RuntimeFound& found) { return found.chosen; });
  if (parsed.has("json")) {
    auto json = document("runtimes");
    json["telemetry"] = options.allow_telemetry ? "left as ONNX Runtime has it" : "off";
    json["runtimes"] = nlohmann::ordered_json::array();
    for (const RuntimeFound& found : all) json["runtimes"].push_back(json_of(found));
    print(json);
    return usable ? Exit::Yes : Exit::No;
  }
  for (const RuntimeFound& found : all) print_found(found);
  if (all.empty()) fmt::print("no ONNX Runtime found\n");
  say(fmt::format("telemetry of ONNX Runtime: {}\n", options.allow_telemetry
                                                         ? "left as it is (official builds from 1.30 send it)"
                                                         : "switched off"));
  if (!usable) say("\nhint: pip install onnxruntime, or name a library: SUREFOOT_ONNXRUNTIME, --runtime\n");
  return usable ? Exit::Yes : Exit::No;
}

}  // namespace

const Command& runtimes_command() {
  static const Command kCommand{.name = "runtimes",
                                .summary = "list every ONNX Runtime found on this machine",
                                .description =
                                    "In the order of the search, with version, API number, the providers "
                                    "that are compiled in, and whether it is the chosen one or why it was "
                                    "refused. Compiled in is not usable: see `surefoot providers`.",
                                .flags = {runtime_flags().first(1), runtime_flags().subspan(2, 1), kJson},
                                .run = list_runtimes};
  return kCommand;
}

}  // namespace surefoot::cli
