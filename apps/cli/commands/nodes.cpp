#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/talk.hpp"
#include "surefoot/model.hpp"

namespace surefoot::cli {
namespace {

constexpr Flag kNodesFlags[] = {
    {.name = "grep",
     .letter = 'g',
     .value = "PATTERN",
     .help = "only names in which this regular expression occurs"},
    {.name = "check",
     .letter = 'c',
     .help = "look for dangling inputs, duplicate outputs, cycles and wrong order"},
};

struct Row {
  std::string name;
  Node node;
};

Result<std::vector<Row>> rows(const Nodes& nodes, const Parsed& parsed) {
  std::vector<Row> found;
  try {
    const std::regex pattern(parsed.value("grep"));
    for (std::string& name : nodes.names()) {
      if (!std::regex_search(name, pattern)) continue;
      auto node = nodes.get(name);
      if (!node) return fail(std::move(node).error());
      found.push_back({std::move(name), std::move(*node)});
    }
  } catch (const std::regex_error&) {
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("`--grep {}` is no regular expression", parsed.value("grep"))});
  }
  return found;
}

std::string op_text(const Node& node) { return node.domain.empty() ? node.op : node.domain + "." + node.op; }

void print_rows(const std::vector<Row>& found) {
  std::size_t name_width = 0, op_width = 0;
  for (const Row& row : found) {
    name_width = std::max(name_width, row.name.size());
    op_width = std::max(op_width, op_text(row.node).size());
  }
  for (const Row& row : found)
    fmt::print("{:<{}}  {:<{}}  {} -> {}\n", row.name, name_width, op_text(row.node), op_width,
               fmt::join(row.node.inputs, ", "), fmt::join(row.node.outputs, ", "));
}

/// What a value holds; null for what has no form of its own.
struct JsonOf {
  nlohmann::ordered_json operator()(const std::shared_ptr<const Tensor>& tensor) const {
    return {{"type", to_string(tensor->type())}, {"shape", tensor->shape()}};
  }
  nlohmann::ordered_json operator()(const NodeAttribute::Encoded&) const { return nullptr; }
  template <class T>
  nlohmann::ordered_json operator()(const T& value) const {
    return value;
  }
};

nlohmann::ordered_json json_of(const NodeAttribute& attribute) {
  nlohmann::ordered_json json = {{"name", attribute.name}, {"kind", to_string(attribute.kind)}};
  if (attribute.reference.empty())
    json["value"] = std::visit(JsonOf(), attribute.value);
  else
    json["reference"] = attribute.reference;
  return json;
}

nlohmann::ordered_json json_of(const Row& row) {
  nlohmann::ordered_json json = {{"name", row.name},
                                 {"op", row.node.op},
                                 {"domain", row.node.domain},
                                 {"inputs", row.node.inputs},
                                 {"outputs", row.node.outputs}};
  json["attributes"] = nlohmann::ordered_json::array();
  for (const NodeAttribute& attribute : row.node.attributes) json["attributes"].push_back(json_of(attribute));
  return json;
}

nlohmann::ordered_json json_of(const GraphProblem& problem) {
  return {{"kind", to_string(problem.kind)},
          {"node", problem.node},
          {"value", problem.value},
          {"what", problem.what}};
}

Result<Exit> list_nodes(const Parsed& parsed) {
  const auto model = Model::open(parsed.positionals().front(), {.check_external_data = false});
  if (!model) return fail(model.error());
  const auto found = rows(model->nodes(), parsed);
  if (!found) return fail(found.error());
  std::vector<GraphProblem> problems;
  if (parsed.has("check")) problems = model->nodes().check();
  if (parsed.has("json")) {
    auto json = document("nodes");
    json["nodes"] = nlohmann::ordered_json::array();
    for (const Row& row : *found) json["nodes"].push_back(json_of(row));
    if (parsed.has("check")) {
      json["problems"] = nlohmann::ordered_json::array();
      for (const GraphProblem& problem : problems) json["problems"].push_back(json_of(problem));
    }
    print(json);
  } else {
    print_rows(*found);
    for (const GraphProblem& problem : problems)
      say(fmt::format("{}: {}\n", to_string(problem.kind), problem.what));
  }
  const bool none = found->empty() && parsed.has("grep");
  return none || !problems.empty() ? Exit::No : Exit::Yes;
}

}  // namespace

const Command& nodes_command() {
  static const Command kCommand{
      .name = "nodes",
      .summary = "list a model's nodes, subgraphs and functions included; --check finds what cannot run",
      .description =
          "A node inside a subgraph has its path before it: NODE>ATTRIBUTE>name; one inside a local "
          "function domain:Function()>name. Attributes stand in the JSON document. Exit 1 when --grep "
          "finds none or --check finds something.",
      .positional = "MODEL",
      .positional_help = "the model's file",
      .flags = {kNodesFlags, kJson},
      .examples = {"surefoot nodes model.onnx --check", "surefoot nodes model.onnx --grep attention --json"},
      .run = list_nodes};
  return kCommand;
}

}  // namespace surefoot::cli
