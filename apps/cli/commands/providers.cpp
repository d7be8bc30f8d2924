#include <fmt/format.h>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"
#include "surefoot/probe.hpp"

namespace surefoot::cli {
namespace {

constexpr Flag kProvidersFlags[] = {
    {.name = "no-probe", .help = "do not use the providers to see whether they work"},
};

/// The four facts of one provider; `usable` is empty where no probe ran.
struct Facts {
  ProviderStatus status;
  std::optional<bool> usable = {};
  std::optional<Error> unusable_because = {};
  bool chosen = false;
};

Facts facts_of(const ProviderStatus& status, const Runtime& runtime, bool with_probe) {
  Facts facts{.status = status};
  if (!with_probe || !status.present) return facts;
  auto probed = probe(runtime, status.name);
  facts.usable = probed.has_value();
  if (!probed) facts.unusable_because = std::move(probed).error();
  return facts;
}

/// What a session without wishes would lead with: the plan's first candidate that a probe found usable.
void mark_chosen(std::vector<Facts>& all, const MachineFacts& machine) {
  const auto plan = make_plan(machine, ModelInfo{}, {});
  if (!plan) return;
  for (const Candidate* candidate : plan->viable()) {
    const auto at =
        std::ranges::find_if(all, [&](const Facts& facts) { return facts.status.name == candidate->name; });
    if (at == all.end() || at->usable == false) continue;
    at->chosen = true;
    return;
  }
}

std::string_view word(bool yes) { return yes ? "yes" : "no"; }

std::string_view usable_word(const Facts& facts) {
  if (facts.usable) return word(*facts.usable);
  return facts.status.present ? "?" : "no";
}

void print_facts(const Facts& facts) {
  const ProviderStatus& status = facts.status;
  fmt::print("{:<13}{:<7}{:<9}{:<8}{}\n", status.name, word(status.known), word(status.present),
             usable_word(facts), word(facts.chosen));
  if (status.absent_because) fmt::print("  {}\n", status.absent_because->what);
  if (facts.unusable_because) fmt::print("  {}\n", facts.unusable_because->what);
}

nlohmann::ordered_json json_of(const Facts& facts) {
  const ProviderStatus& status = facts.status;
  nlohmann::ordered_json json = {{"name", status.name},
                                 {"ort_name", status.ort_name},
                                 {"plugin", status.plugin},
                                 {"known", status.known},
                                 {"present", status.present}};
  json["usable"] = facts.usable     ? nlohmann::ordered_json(*facts.usable)
                   : status.present ? nlohmann::ordered_json()
                                    : nlohmann::ordered_json(false);
  json["chosen"] = facts.chosen;
  if (status.absent_because) json["reason"] = cli::json_of(*status.absent_because);
  if (facts.unusable_because) json["reason"] = cli::json_of(*facts.unusable_because);
  return json;
}

Result<Exit> list_providers(const Parsed& parsed) {
  auto runtime = runtime_from(parsed);
  if (!runtime) return fail(std::move(runtime).error());
  const MachineFacts machine = machine_facts(*runtime);
  std::vector<Facts> all;
  for (const ProviderStatus& status : machine.providers)
    all.push_back(facts_of(status, *runtime, !parsed.has("no-probe")));
  mark_chosen(all, machine);
  if (parsed.has("json")) {
    auto json = document("providers");
    json["runtime"] = {{"version", runtime->version()}, {"path", runtime->path().string()}};
    json["providers"] = nlohmann::ordered_json::array();
    for (const Facts& facts : all) json["providers"].push_back(json_of(facts));
    print(json);
    return Exit::Yes;
  }
  say(fmt::format("onnxruntime {} ({})\n", runtime->version(), short_path(runtime->path())));
  fmt::print("{:<13}{:<7}{:<9}{:<8}{}\n", "provider", "known", "present", "usable", "chosen");
  for (const Facts& facts : all) print_facts(facts);
  return Exit::Yes;
}

}  // namespace

const Command& providers_command() {
  static const Command kCommand{
      .name = "providers",
      .summary = "print four facts of each provider: known, present, usable, chosen",
      .description =
          "Known: Surefoot has a row for it. Present: this ONNX Runtime lists it and its libraries can be "
          "opened. Usable: a one-node model ran on it, here and now, with the right numbers. Chosen: a "
          "session without wishes would lead with it.",
      .flags = {kProvidersFlags, runtime_flags(), kJson},
      .run = list_providers};
  return kCommand;
}

}  // namespace surefoot::cli
