#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "apps/cli/commands/commands.hpp"
#include "apps/cli/input/call_inputs.hpp"
#include "apps/cli/open_model.hpp"
#include "apps/cli/session_flags.hpp"
#include "apps/cli/talk.hpp"
#include "surefoot/placement.hpp"

namespace surefoot::cli {
namespace {

constexpr Flag kPlacementFlags[] = {
    {.name = "no-run",
     .help = "take ONNX Runtime's report, run nothing",
     .details = "The report costs nothing, but has no times, and is incomplete for some providers."},
    {.name = "nodes", .help = "list every node"},
};

Result<Placement> placement_of(const Session& session, const Parsed& parsed) {
  if (parsed.has("no-run")) return session.placement();
  auto values = given_or_made_up(parsed, session.info());
  if (!values) return fail(std::move(values).error());
  return session.measure_placement(as_inputs(*values));
}

/// How many nodes of one operator each provider got.
using Row = std::map<std::string, std::size_t>;

std::vector<std::pair<std::string, Row>> rows_of(const Placement& placement) {
  std::map<std::string, Row> by_op;
  for (const PlacedNode& node : placement.nodes) ++by_op[node.op][node.provider];
  std::vector<std::pair<std::string, Row>> rows(by_op.begin(), by_op.end());
  const auto count = [](const auto& row) {
    std::size_t sum = 0;
    for (const auto& [provider, nodes] : row.second) sum += nodes;
    return sum;
  };
  std::ranges::stable_sort(rows, [&](const auto& a, const auto& b) { return count(a) > count(b); });
  return rows;
}

void print_table(const Placement& placement) {
  std::size_t width = 8;
  for (const PlacedNode& node : placement.nodes) width = std::max(width, node.op.size());
  fmt::print("{:<{}}", "operator", width);
  for (const ProviderShare& share : placement.providers) fmt::print("  {:>10}", share.provider);
  fmt::print("\n");
  for (const auto& [op, row] : rows_of(placement)) {
    fmt::print("{:<{}}", op, width);
    for (const ProviderShare& share : placement.providers) {
      const auto at = row.find(share.provider);
      fmt::print("  {:>10}", at == row.end() ? std::string("-") : std::to_string(at->second));
    }
    fmt::print("\n");
  }
}

void print_measured(const Placement& placement) {
  fmt::print("\n");
  for (const ProviderShare& share : placement.providers)
    fmt::print("{:<10}  {:>3} %  {:.3f} ms  {} partition{}\n", share.provider,
               static_cast<int>(placement.time_share_of(share.provider) * 100 + 0.5),
               static_cast<double>(share.time.count()) / 1000, share.partitions,
               share.partitions == 1 ? "" : "s");
  fmt::print("copies      {} to the device, {} from it\n", placement.copies_to_device,
             placement.copies_from_device);
}

/// Operators by the reason for which nodes of theirs do not run on the leading provider.
void print_reasons(const Placement& placement) {
  constexpr std::string_view kUnknown = "ONNX Runtime's log does not say";
  std::map<std::string_view, Row> by_reason;
  for (const PlacedNode& node : placement.nodes)
    if (node.provider != placement.providers.front().provider)
      ++by_reason[node.why_not.empty() ? kUnknown : node.why_not][node.op];
  if (!by_reason.empty()) fmt::print("\nnot on {}\n", placement.providers.front().provider);
  for (const auto& [reason, row] : by_reason) {
    std::vector<std::string> ops;
    for (const auto& [op, nodes] : row) ops.push_back(nodes == 1 ? op : fmt::format("{} x{}", op, nodes));
    fmt::print("  {}: {}\n", fmt::join(ops, ", "), reason);
  }
}

void print_text(const Placement& placement, const Parsed& parsed) {
  fmt::print("{}\n\n", to_string(placement));
  print_table(placement);
  if (placement.measured) print_measured(placement);
  if (placement.measured) print_reasons(placement);
  if (!parsed.has("nodes")) return;
  fmt::print("\n");
  for (const PlacedNode& node : placement.nodes)
    fmt::print("{:<10}  {}  {}\n", node.provider, node.op, node.name);
}

void print_json(const Session& session, const Placement& placement) {
  auto json = document("placement");
  json["provider"] = session.provider();
  json["summary"] = to_string(placement);
  json["measured"] = placement.measured;
  json["candidates"] = json_of(session.plan());
  json["providers"] = nlohmann::ordered_json::array();
  for (const ProviderShare& share : placement.providers) {
    nlohmann::ordered_json row = {
        {"name", share.provider}, {"nodes", share.nodes}, {"share", placement.share_of(share.provider)}};
    if (placement.measured) {
      row["time_us"] = share.time.count();
      row["time_share"] = placement.time_share_of(share.provider);
      row["partitions"] = share.partitions;
    }
    json["providers"].push_back(std::move(row));
  }
  if (placement.measured)
    json["copies"] = {{"to_device", placement.copies_to_device},
                      {"from_device", placement.copies_from_device}};
  json["nodes"] = nlohmann::ordered_json::array();
  for (const PlacedNode& node : placement.nodes) {
    json["nodes"].push_back({{"name", node.name}, {"op", node.op}, {"provider", node.provider}});
    if (!node.why_not.empty()) json["nodes"].back()["why_not"] = node.why_not;
  }
  json["events"] = json_of(session.events());
  print(json);
}

Result<Exit> print_placement(const Parsed& parsed) {
  auto session = open_model(parsed);
  if (!session) return fail(std::move(session).error());
  auto placement = placement_of(*session, parsed);
  if (!placement) return fail(with_sample_hint(std::move(placement).error(), parsed));
  if (!parsed.has("json")) {
    say(plan_text(session->plan(), machine_facts(session->runtime()), session->runtime().path(),
                  session->provider()));
    say(events_text(session->events()));
  }
  parsed.has("json") ? print_json(*session, *placement) : print_text(*placement, parsed);
  return Exit::Yes;
}

}  // namespace

const Command& placement_command() {
  static const Command kCommand{
      .name = "placement",
      .summary = "print which of a model's nodes run on which provider",
      .description =
          "Opens the model on the best provider that works, and runs it a few times under ONNX Runtime's "
          "profiler: a table by operator, each provider's part of the time, how often the work changes "
          "between providers, and the copies that this costs.",
      .positional = "MODEL",
      .positional_help = "the model's file",
      .flags = {kPlacementFlags, sample_flags(), selection_flags(), session_flags(), model_flags(),
                runtime_flags(), kJson},
      .examples = {"surefoot placement model.onnx",
                   "surefoot placement model.onnx --prefer openvino --nodes"},
      .run = print_placement};
  return kCommand;
}

}  // namespace surefoot::cli
