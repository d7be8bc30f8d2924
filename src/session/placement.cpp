#include "session/placement.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>

#include "provider/catalogue.hpp"

namespace surefoot::session {
namespace {

/// ORT's words when a provider's capability call fails; it then goes on without that provider.
constexpr std::string_view kCapabilityFailed = "GetCapability() for ";

/// Whether ORT's name stands for the candidate's leading provider.
bool leads(const Candidate& candidate, std::string_view ort_name) {
  const provider::ProviderSpec* row = provider::find(candidate.name);
  return candidate.name == ort_name || (row != nullptr && row->ort_name == ort_name);
}

const std::string* capability_failure(const ort::Session& session, const Candidate& candidate) {
  const auto& warnings = session.warnings();
  const auto at = std::ranges::find_if(warnings, [&](const std::string& line) {
    const std::size_t phrase = line.find(kCapabilityFailed);
    if (phrase == line.npos || line.find("failed", phrase) == line.npos) return false;
    const std::size_t name = phrase + kCapabilityFailed.size();
    return leads(candidate, std::string_view(line).substr(name, line.find(' ', name) - name));
  });
  return at == warnings.end() ? nullptr : &*at;
}

/// False where ORT's report is known to leave nodes out.
bool report_is_complete(const Candidate& candidate) {
  const provider::ProviderSpec* row = provider::find(candidate.name);
  return row == nullptr || row->assignment_info_complete;
}

Error unknown_placement(const Candidate& candidate, std::string because) {
  return {.code = ErrorCode::Unsupported,
          .what = fmt::format("whether `{}` took any node cannot be known: {}", candidate.name, because),
          .hint = "a profile tells where each node ran (`profile_prefix`)"};
}

/// The candidate's short name of a provider, as ORT names it.
std::string short_name(const std::string& ort_name) {
  const provider::ProviderSpec* row = provider::find(ort_name);
  return row == nullptr ? ort_name : std::string(row->name);
}

/// Shares of the candidate's providers in its order, then of any other.
std::vector<ProviderShare> shares_of(const Placement& placement, const Candidate& candidate) {
  std::vector<ProviderShare> shares;
  for (const std::string& name : candidate.providers) shares.push_back({.provider = name});
  for (const PlacedNode& node : placement.nodes) {
    const auto at = std::ranges::find(shares, node.provider, &ProviderShare::provider);
    ++(at == shares.end() ? shares.emplace_back(ProviderShare{.provider = node.provider}) : *at).nodes;
  }
  return shares;
}

Error too_few(const Placement& placement, const Candidate& candidate, double least) {
  return {.code = ErrorCode::ProviderFailed,
          .what = fmt::format("`{}` would take too few nodes, {:.0f} % at least are wanted: {}",
                              candidate.name, least * 100, to_string(placement)),
          .hint = "lower the least part of the nodes (`min_placement`) to accept that"};
}

/// The part of all nodes that does not stay on the CPU.
double part_taken(const Placement& placement) {
  return placement.nodes.empty() ? 1 : 1 - placement.share_of(provider::host().name);
}

/// "Gather (int64)"
std::string op_text(const PlacedNode& node) {
  return node.type.empty() || node.type == "float" ? node.op : fmt::format("{} ({})", node.op, node.type);
}

/// The first few operators that a provider got, each once.
std::string ops_text(const Placement& placement, std::string_view provider) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> ops;
  for (const PlacedNode& node : placement.nodes) {
    if (node.provider != provider || std::ranges::find(ops, op_text(node)) != ops.end()) continue;
    if (ops.size() == kNamed) return fmt::format("{}, …", fmt::join(ops, ", "));
    ops.push_back(op_text(node));
  }
  return fmt::format("{}", fmt::join(ops, ", "));
}

}  // namespace

Result<std::optional<Error>> check_placement(const ort::Session& session, const Candidate& candidate,
                                             double least) {
  if (candidate.name == provider::host().name) return std::nullopt;
  if (const std::string* line = capability_failure(session, candidate))
    return fail({.code = ErrorCode::ProviderFailed,
                 .what = fmt::format("`{}` could not say which nodes it takes, so that none would run on it",
                                     candidate.name),
                 .native = NativeError{ort::ORT_EP_FAIL, *line}});
  const auto assignments = session.assignments();
  if (!assignments) return unknown_placement(candidate, assignments.error().what);
  const bool took_any = std::ranges::any_of(*assignments, [&](const ort::Assignment& assignment) {
    return leads(candidate, assignment.provider) && !assignment.nodes.empty();
  });
  if (!report_is_complete(candidate)) {
    if (took_any && least == 0) return std::nullopt;
    return unknown_placement(candidate, "ONNX Runtime's report leaves out nodes of this provider");
  }
  if (!took_any)
    return fail({.code = ErrorCode::ProviderFailed,
                 .what = fmt::format("`{}` took no node of this model, so that all would run on the CPU",
                                     candidate.name)});
  auto placement = reported_placement(session, candidate);
  if (placement && part_taken(*placement) < least) return fail(too_few(*placement, candidate, least));
  return std::nullopt;
}

Result<Placement> reported_placement(const ort::Session& session, const Candidate& candidate) {
  auto assignments = session.assignments();
  if (!assignments) return fail(std::move(assignments).error());
  if (!report_is_complete(candidate))
    return fail(unknown_placement(candidate, "ONNX Runtime's report leaves out nodes of this provider"));
  Placement placement;
  for (const ort::Assignment& assignment : *assignments)
    for (const auto& [name, op] : assignment.nodes)
      placement.nodes.push_back({.name = name, .op = op, .provider = short_name(assignment.provider)});
  placement.providers = shares_of(placement, candidate);
  return placement;
}

Placement measured_placement(const ProfileSummary& profile, Result<Placement> reported,
                             const Candidate& candidate) {
  Placement placement;
  if (reported) placement = *std::move(reported);
  placement.measured = true;
  placement.copies_to_device = profile.copies_to_device;
  placement.copies_from_device = profile.copies_from_device;
  if (placement.nodes.empty())
    for (const NodeTime& node : profile.nodes)
      if (!node.op.starts_with("Memcpy"))
        placement.nodes.push_back(
            {.name = node.name, .op = node.op, .provider = node.provider, .type = node.input_type});
  for (PlacedNode& node : placement.nodes) {
    const auto ran = std::ranges::find(profile.nodes, node.name, &NodeTime::name);
    if (!node.name.empty() && ran != profile.nodes.end()) node.type = ran->input_type;
  }
  placement.providers = shares_of(placement, candidate);
  for (ProviderShare& share : placement.providers)
    for (const ProviderTime& time : profile.providers)
      if (time.provider == share.provider) {
        share.partitions = time.partitions;
        share.time = time.total / static_cast<std::int64_t>(std::max<std::size_t>(profile.runs, 1));
      }
  return placement;
}

}  // namespace surefoot::session

namespace surefoot {

double Placement::share_of(std::string_view provider) const noexcept {
  const auto count = std::ranges::count(nodes, provider, &PlacedNode::provider);
  return nodes.empty() ? 0 : static_cast<double>(count) / static_cast<double>(nodes.size());
}

double Placement::time_share_of(std::string_view provider) const noexcept {
  double all = 0, its = 0;
  for (const ProviderShare& share : providers) {
    all += static_cast<double>(share.time.count());
    if (share.provider == provider) its += static_cast<double>(share.time.count());
  }
  return all == 0 ? 0 : its / all;
}

std::string to_string(const Placement& placement) {
  if (placement.providers.empty()) return "no node";
  const ProviderShare& first = placement.providers.front();
  std::string text = fmt::format("{} {}/{} nodes", first.provider, first.nodes, placement.nodes.size());
  for (const ProviderShare& share : std::span(placement.providers).subspan(1))
    if (share.nodes > 0)
      text += fmt::format(", {} {}: {}", share.provider, share.nodes,
                          session::ops_text(placement, share.provider));
  return text;
}

}  // namespace surefoot
