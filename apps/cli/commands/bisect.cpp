#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/input/call_inputs.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"
#include "surefoot/bisect.hpp"

namespace surefoot::cli {
namespace {

void print_text(const Bisection& found) {
  if (found.symptom == Bisection::Symptom::None) {
    fmt::print(
        "optimisation does this model no harm: every level opens it, and gives what it gives without\n");
    return;
  }
  fmt::print("at level `{}` it {}{}: {}\n", to_string(found.fails_at),
             found.symptom == Bisection::Symptom::WrongNumbers ? "computes " : "", to_string(found.symptom),
             found.what);
  if (const auto entry = found.entry())
    fmt::print("rule{} at fault: {}\n\nhint: `--config {}={}` avoids it, and keeps all others\n",
               found.rules.size() > 1 ? "s" : "", fmt::join(found.rules, ", "), entry->first, entry->second);
  else
    fmt::print("no rule with a name is at fault\n\nhint: `--optimization {}` avoids it\n",
               to_string(found.works_at));
}

void print_json(const Bisection& found) {
  auto json = document("bisect");
  json["symptom"] = to_string(found.symptom);
  json["sessions"] = found.tried;
  json["works_at"] = to_string(found.works_at);
  if (found.symptom != Bisection::Symptom::None) {
    json["what"] = found.what;
    json["fails_at"] = to_string(found.fails_at);
    json["rules"] = found.rules;
  }
  if (const auto entry = found.entry()) json["config"] = {{entry->first, entry->second}};
  print(json);
}

Result<Exit> bisect(const Parsed& parsed) {
  const std::filesystem::path model = parsed.positionals().front();
  auto info = inspect(model);
  if (!info) return fail(std::move(info).error());
  auto values = given_or_made_up(parsed, *info);
  if (!values) return fail(std::move(values).error());
  auto options = session_options_from(parsed);
  if (!options) return fail(std::move(options).error());
  auto runtime = runtime_from(parsed);
  if (!runtime) return fail(std::move(runtime).error());
  options->runtime = std::move(*runtime);
  const auto inputs = as_inputs(*values);
  auto found = bisect_optimizer({.model = model, .options = std::move(*options), .inputs = inputs});
  if (!found) return fail(with_sample_hint(std::move(found).error(), parsed));
  parsed.has("json") ? print_json(*found) : print_text(*found);
  return found->symptom == Bisection::Symptom::None ? Exit::Yes : Exit::No;
}

}  // namespace

const Command& bisect_command() {
  static const Command kCommand{
      .name = "bisect",
      .summary = "find the optimizer's rule that breaks a model",
      .description =
          "Opens and runs the model at each level of optimisation, holds it against what it gives without "
          "any, "
          "and halves the list of rules at the first level that fails. On the CPU, unless providers are "
          "named. "
          "Exit 1 when a level fails.",
      .positional = "MODEL",
      .positional_help = "the model's file",
      .flags = {sample_flags(), selection_flags(), session_flags(), model_flags(), runtime_flags(), kJson},
      .examples = {"surefoot bisect model.onnx", "surefoot bisect model.onnx -i x=case.npy --json"},
      .run = bisect};
  return kCommand;
}

}  // namespace surefoot::cli
