#include "report/report_nodes.hpp"

#include <fmt/format.h>

#include <map>

namespace surefoot::reporting {
namespace {

/// Operators with their domain where it is not ONNX's own, as ORT's report has them.
std::string operator_name(const onnx::NodeOutline& node) {
  return node.domain.empty() || node.domain == "ai.onnx" ? node.op
                                                         : fmt::format("{}:{}", node.domain, node.op);
}

std::string_view without_domain(std::string_view op) { return op.substr(op.rfind(':') + 1); }

/// The list while it is put together, found by name and operator.
class NodeList {
 public:
  void add_of_model(const onnx::NodeOutline& node) {
    add({.name = node.name,
         .op = operator_name(node),
         .in_model = true,
         .inputs = node.inputs,
         .outputs = node.outputs});
  }

  /// The node of that name and operator that `is_free`, or a new one of ORT's.
  ReportNode& take(const std::string& name, const std::string& op, auto is_free) {
    const auto [first, last] = places_.equal_range(key_of(name, op));
    for (auto at = first; at != last && !name.empty(); ++at)
      if (is_free(nodes_[at->second])) return nodes_[at->second];
    return add({.name = name, .op = op});
  }

  std::vector<ReportNode> finish() && {
    for (std::size_t i = 0; i < nodes_.size(); ++i)
      if (nodes_[i].name.empty()) nodes_[i].name = fmt::format("{}#{}", without_domain(nodes_[i].op), i);
    return std::move(nodes_);
  }

 private:
  static std::string key_of(std::string_view name, std::string_view op) {
    return fmt::format("{}\n{}", without_domain(op), name);
  }

  ReportNode& add(ReportNode node) {
    places_.emplace(key_of(node.name, node.op), nodes_.size());
    return nodes_.emplace_back(std::move(node));
  }

  std::vector<ReportNode> nodes_;
  std::multimap<std::string, std::size_t> places_;
};

}  // namespace

std::vector<ReportNode> report_nodes(const NodeFacts& facts) {
  NodeList list;
  for (const onnx::NodeOutline& node : facts.outline.nodes) list.add_of_model(node);
  if (facts.placement != nullptr)
    for (const PlacedNode& placed : facts.placement->nodes)
      list.take(placed.name, placed.op, [](const ReportNode& node) { return node.provider.empty(); })
          .provider = placed.provider;
  for (const NodeTime& time : facts.profile.nodes) {
    ReportNode& node = list.take(time.name, time.op, [](const ReportNode& one) { return one.calls == 0; });
    node.provider = time.provider;
    node.calls = time.calls;
    node.total = time.total;
  }
  return std::move(list).finish();
}

}  // namespace surefoot::reporting
