#include <fmt/format.h>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"
#include "surefoot/isolated_probe.hpp"

namespace surefoot::cli {
namespace {

constexpr Flag kProvidersFlags[] = {
    {.name = "probe", .help = "use each provider in a process of its own: the default"},
    {.name = "no-probe", .help = "do not use the providers to see whether they work"},
    {.name = "fresh", .help = "probe again what is remembered for this state of the machine"},
    {.name = "limit", .value = "SECONDS", .help = "how long one probe may take; default 20"},
};

/// The four facts of one provider; `usable` is empty where no probe ran.
struct Facts {
  ProviderStatus status;
  std::optional<bool> usable = {};
  std::optional<Error> unusable_because = {};
  std::optional<ProbeVerdict> verdict = {};
  bool chosen = false;
};

struct Probing {
  bool wanted = true, fresh = false;
  IsolationOptions isolation = {};
};

Result<Probing> probing_from(const Parsed& parsed) {
  auto limit = parsed.integer("limit", 1);
  if (!limit) return fail(std::move(limit).error());
  Probing probing{.wanted = !parsed.has("no-probe"), .fresh = parsed.has("fresh")};
  if (*limit) probing.isolation.limit = std::chrono::seconds(**limit);
  return probing;
}

void add_verdict(Facts& facts, ProbeVerdict verdict) {
  facts.usable = verdict.outcome == ProbeOutcome::Works;
  if (!*facts.usable)
    facts.unusable_because =
        Error{.code = ErrorCode::ProviderFailed, .what = verdict.what, .hint = verdict.hint};
  facts.verdict = std::move(verdict);
}

Facts facts_of(const ProviderStatus& status, const Runtime& runtime, const Probing& probing) {
  Facts facts{.status = status};
  if (!probing.wanted || !status.present) return facts;
  auto verdict =
      probe_isolated(runtime, {.provider = status.name, .fresh = probing.fresh}, probing.isolation);
  if (verdict)
    add_verdict(facts, *std::move(verdict));
  else
    facts.unusable_because = std::move(verdict).error();
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
  if (facts.unusable_because && !facts.unusable_because->hint.empty())
    fmt::print("  hint: {}\n", facts.unusable_because->hint);
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
  if (facts.verdict)
    json["probe"] = {{"outcome", to_string(facts.verdict->outcome)},
                     {"stage", facts.verdict->stage},
                     {"elapsed_ms", facts.verdict->elapsed.count()},
                     {"remembered", facts.verdict->remembered},
                     {"devices", facts.verdict->devices},
                     {"output", facts.verdict->output}};
  return json;
}

/// What dies when its library is registered must not be registered here.
Result<void> register_harmless(const Parsed& parsed, const Probing& probing, Runtime& runtime,
                               std::vector<Facts>& harmful) {
  auto plugins = parsed.pairs("plugin");
  if (!plugins) return fail(std::move(plugins).error());
  for (const auto& [name, file] : *plugins) {
    if (probing.wanted) {
      auto verdict = probe_isolated(
          runtime, {.provider = name, .fresh = probing.fresh, .plugin = std::filesystem::absolute(file)},
          probing.isolation);
      if (!verdict) return fail(std::move(verdict).error());
      if (is_harmful(verdict->outcome)) {
        Facts facts{
            .status = {.name = name, .ort_name = name, .known = false, .plugin = true, .present = true}};
        add_verdict(facts, *std::move(verdict));
        harmful.push_back(std::move(facts));
        continue;
      }
    }
    if (auto registered = runtime.register_plugin(name, file); !registered) return registered;
  }
  return {};
}

Result<Exit> list_providers(const Parsed& parsed) {
  auto probing = probing_from(parsed);
  if (!probing) return fail(std::move(probing).error());
  auto runtime = runtime_without_plugins(parsed);
  if (!runtime) return fail(std::move(runtime).error());
  std::vector<Facts> all;
  if (auto registered = register_harmless(parsed, *probing, *runtime, all); !registered)
    return fail(std::move(registered).error());
  const MachineFacts machine = machine_facts(*runtime);
  for (const ProviderStatus& status : machine.providers) all.push_back(facts_of(status, *runtime, *probing));
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
          "opened. Usable: a one-node model ran on it, in a process of its own, with the right numbers; what "
          "was "
          "found out is remembered until libraries, drivers or devices change. Chosen: a session without "
          "wishes "
          "would lead with it.",
      .flags = {kProvidersFlags, runtime_flags(), kJson},
      .examples = {"surefoot providers --probe --fresh", "surefoot providers --plugin x=libx.so --limit 60"},
      .run = list_providers};
  return kCommand;
}

}  // namespace surefoot::cli
