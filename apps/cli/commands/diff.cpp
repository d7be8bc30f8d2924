#include <fmt/format.h>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/talk.hpp"
#include "surefoot/model_diff.hpp"

namespace surefoot::cli {
namespace {

std::string subject_of(const Difference& difference) {
  if (difference.area == Difference::Area::Model) return difference.name;
  return fmt::format("{} `{}`", to_string(difference.area), difference.name);
}

std::string line_of(const Difference& difference) {
  const std::string subject = subject_of(difference);
  switch (difference.kind) {
    case Difference::Kind::Added:
      return fmt::format("+ {}: {}", subject, difference.after);
    case Difference::Kind::Removed:
      return fmt::format("- {}: {}", subject, difference.before);
    case Difference::Kind::Changed:
      break;
  }
  const std::string field = difference.field.empty() ? "" : " " + difference.field;
  if (difference.before.empty()) return fmt::format("~ {}{}: {}", subject, field, difference.after);
  return fmt::format("~ {}{}: {} => {}", subject, field, difference.before, difference.after);
}

nlohmann::ordered_json json_of(const Difference& difference) {
  return {{"area", to_string(difference.area)},
          {"kind", to_string(difference.kind)},
          {"name", difference.name},
          {"field", difference.field},
          {"before", difference.before},
          {"after", difference.after}};
}

Result<Exit> compare(const Parsed& parsed) {
  const auto from = Model::open(parsed.positionals()[0]);
  if (!from) return fail(from.error());
  const auto to = Model::open(parsed.positionals()[1]);
  if (!to) return fail(to.error());
  const auto found = differences(*from, *to);
  if (!found) return fail(found.error());
  if (parsed.has("json")) {
    auto json = document("diff");
    json["same"] = found->empty();
    json["differences"] = nlohmann::ordered_json::array();
    for (const Difference& difference : *found) json["differences"].push_back(json_of(difference));
    print(json);
  } else {
    for (const Difference& difference : *found) fmt::print("{}\n", line_of(difference));
  }
  return found->empty() ? Exit::Yes : Exit::No;
}

}  // namespace

const Command& diff_command() {
  static const Command kCommand{
      .name = "diff",
      .summary = "show in what two models differ: interface, nodes, weights",
      .description =
          "Nodes are matched by what they give, or by their names. Left out are order, documentation, and "
          "how and where weights are stored. Exit 0 when both compute the same, 1 when they differ.",
      .positional = "A B",
      .positional_help = "two models' files",
      .least_words = 2,
      .most_words = 2,
      .flags = {kJson},
      .examples = {"surefoot diff model.onnx edited.onnx", "surefoot diff old.onnx new.onnx --json"},
      .run = compare};
  return kCommand;
}

}  // namespace surefoot::cli
