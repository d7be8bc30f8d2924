#include <fmt/format.h>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"

namespace surefoot::cli {
namespace {

/// The plan cannot tell whether a provider or a library of the caller's has them.
std::string foreign_text(const std::vector<OpCount>& foreign) {
  std::string names;
  for (const OpCount& op : foreign)
    names += fmt::format("{}`{}.{}`", names.empty() ? "" : ", ", op.domain, op.op);
  if (names.empty()) return {};
  return fmt::format(
      "\nnote: ONNX Runtime does not bring {}\nhint: give the library that has them to `surefoot run`: "
      "--custom-ops\n",
      names);
}

Result<Exit> print_plan(const Parsed& parsed) {
  auto selection = selection_from(parsed);
  if (!selection) return fail(std::move(selection).error());
  auto info = inspect(std::filesystem::path(parsed.positionals().front()));
  if (!info) return fail(std::move(info).error());
  if (auto external = check_external_data(*info, parsed.positionals().front(), places_from(parsed));
      !external)
    return fail(std::move(external).error());
  auto runtime = runtime_from(parsed);
  if (!runtime) return fail(std::move(runtime).error());
  const MachineFacts machine = machine_facts(*runtime);
  auto plan = make_plan(machine, *info, *selection);
  if (!plan) return fail(std::move(plan).error());
  if (parsed.has("json")) {
    auto json = document("plan");
    json["runtime"] = {{"version", runtime->version()}, {"path", runtime->path().string()}};
    json["required"] = plan->required();
    json["candidates"] = json_of(*plan);
    json["foreign_operators"] = nlohmann::ordered_json::array();
    for (const OpCount& op : foreign_operators(*info)) json["foreign_operators"].push_back(json_of(op));
    print(json);
  } else {
    fmt::print("{}", plan_text(*plan, machine, runtime->path(), ""));
    say(hints_text(*plan));
    say(foreign_text(foreign_operators(*info)));
  }
  return plan->viable().empty() ? Exit::No : Exit::Yes;
}

}  // namespace

const Command& plan_command() {
  static const Command kCommand{
      .name = "plan",
      .summary = "print which providers would be tried, in which order, and why not the others",
      .description =
          "Opens no session: the plan follows from what this ONNX Runtime and this machine have, from the "
          "model, and from the flags. Exit 1 when no candidate is viable.",
      .positional = "MODEL",
      .positional_help = "the model's file",
      .flags = {selection_flags(), model_flags(), runtime_flags(), kJson},
      .examples = {"surefoot plan model.onnx --prefer openvino", "surefoot plan model.onnx --only cuda"},
      .run = print_plan};
  return kCommand;
}

}  // namespace surefoot::cli
