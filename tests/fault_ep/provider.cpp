#include "provider.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "ep_context_node.hpp"
#include "fault_injection.hpp"
#include "fused_node.hpp"
#include "graph_reading.hpp"

namespace surefoot::fault_ep {
namespace {

bool can_compute(const Provider& provider, const OrtNode* node) {
  if (!domain_of(node).empty() || !provider.ops.contains(op_of(node))) return false;
  for (const OrtValueInfo* input : inputs_of(node))
    if (!is_float(input)) return false;
  return true;
}

/// Collects neighbouring nodes. Nodes come in topological order, so a run of neighbours is always a
/// part that can be cut out; other groups may not be.
class Parts {
 public:
  explicit Parts(OrtEpGraphSupportInfo* taken) : taken_(taken) {
    options_.ort_version_supported = host().version;
    options_.drop_constant_initializers = true;
  }

  void add(const OrtNode* node) { part_.push_back(node); }

  void end_part() {
    if (part_.empty()) return;
    check(host().ep->EpGraphSupportInfo_AddNodesToFuse(taken_, part_.data(), part_.size(), &options_));
    part_.clear();
  }

 private:
  OrtEpGraphSupportInfo* taken_;
  OrtNodeFusionOptions options_{};
  std::vector<const OrtNode*> part_;
};

void take_nodes(Provider& provider, const OrtGraph* graph, OrtEpGraphSupportInfo* taken) {
  if (enter(provider.plan, Stage::capability) == Course::offer_nothing) return;
  Parts parts(taken);
  for (const OrtNode* node : nodes_of(graph)) {
    const bool stands_alone = is_context_of(node, provider.name);
    const bool is_taken = stands_alone || can_compute(provider, node);
    if (!is_taken || stands_alone || provider.is_split) parts.end_part();
    if (is_taken) parts.add(node);
    if (stands_alone) parts.end_part();
  }
  parts.end_part();
}

Subgraph compiled(Provider& provider, const OrtGraph* graph, const OrtNode* fused) {
  const auto nodes = nodes_of(graph);
  const bool is_built = nodes.size() == 1 && is_context_of(nodes[0], provider.name);
  enter(provider.plan, is_built ? Stage::load : Stage::build);
  if (!is_built) return subgraph_of(graph, fused);
  Subgraph subgraph = subgraph_in(graph, nodes[0]);
  subgraph.inputs = names_of(inputs_of(fused));
  subgraph.outputs = names_of(outputs_of(fused));
  return subgraph;
}

/// What Compile makes of one part.
struct Compiled {
  std::unique_ptr<FusedNode> node;
  ContextNode context;
};

Compiled compile_part(Provider& provider, const OrtGraph* graph, const OrtNode* fused, std::size_t number) {
  auto node = std::make_unique<FusedNode>(provider.plan, provider.graphs, compiled(provider, graph, fused));
  ContextNode context(nullptr, nullptr);
  std::string file = provider.context_file;
  if (!file.empty()) file += fmt::format(".{}", number);
  if (provider.makes_context) context = context_node_for(fused, node->subgraph, provider.name, file);
  return {std::move(node), std::move(context)};
}

const char* ORT_API_CALL get_name(const OrtEp* self) noexcept {
  return static_cast<const Provider*>(self)->name.c_str();
}

OrtStatus* ORT_API_CALL get_capability(OrtEp* self, const OrtGraph* graph,
                                       OrtEpGraphSupportInfo* taken) noexcept {
  return guard([&] { take_nodes(*static_cast<Provider*>(self), graph, taken); });
}

/// ORT gets either all parts or none: it may not release those of a Compile that failed.
OrtStatus* ORT_API_CALL compile(OrtEp* self, const OrtGraph** graphs, const OrtNode** fused,
                                std::size_t count, OrtNodeComputeInfo** nodes, OrtNode** contexts) noexcept {
  auto& provider = *static_cast<Provider*>(self);
  return guard([&] {
    enter(provider.plan, Stage::compile);
    std::vector<Compiled> parts;
    for (std::size_t i = 0; i < count; ++i) parts.push_back(compile_part(provider, graphs[i], fused[i], i));
    for (std::size_t i = 0; i < count; ++i) {
      nodes[i] = parts[i].node.release();
      if (provider.makes_context) contexts[i] = parts[i].context.release();
    }
  });
}

void ORT_API_CALL release_nodes(OrtEp*, OrtNodeComputeInfo** nodes, std::size_t count) noexcept {
  for (std::size_t i = 0; i < count; ++i) delete static_cast<FusedNode*>(nodes[i]);
}

const char* ORT_API_CALL get_compatibility(OrtEp* self, const OrtGraph*) noexcept {
  return static_cast<const Provider*>(self)->compatibility.c_str();
}

Provider& provider(const OrtEp* self) { return *static_cast<Provider*>(const_cast<OrtEp*>(self)); }

int graph_id(const OrtRunOptions* options) {
  const char* id = options == nullptr ? nullptr : host().api->GetRunConfigEntry(options, "gpu_graph_id");
  return id == nullptr ? 0 : std::atoi(id);
}

/// ORT reads these members from 1.26 on; an older host does not see them.
void offer_graphs(Provider& to) {
  to.OnRunStart = [](OrtEp* self, const OrtRunOptions* options) noexcept -> OrtStatus* {
    return guard([&] { provider(self).graphs.begin(graph_id(options)); });
  };
  to.OnRunEnd = [](OrtEp* self, const OrtRunOptions*, bool) noexcept -> OrtStatus* {
    return guard([&] { provider(self).graphs.end(provider(self).plan); });
  };
  to.IsGraphCaptureEnabled = [](const OrtEp*) noexcept { return true; };
  to.IsGraphCaptured = [](const OrtEp* self, int id) noexcept { return provider(self).graphs.has(id); };
  to.ReplayGraph = [](OrtEp* self, int id) noexcept -> OrtStatus* {
    return guard([&] { provider(self).graphs.replay(id, provider(self).plan); });
  };
  to.ReleaseCapturedGraph = [](OrtEp* self, int id) noexcept -> OrtStatus* {
    return guard([&] { provider(self).graphs.forget(id, provider(self).plan); });
  };
}

}  // namespace

Provider::Provider(std::string provider_name, const SessionSettings& settings)
    : OrtEp{},
      name(std::move(provider_name)),
      plan(settings.fault().empty() ? environment("FAULTEP") : settings.fault()),
      ops(settings.ops()),
      is_split(!environment("FAULTEP_SPLIT").empty()),
      makes_context(settings.wants_context()),
      context_file(settings.context_file()),
      captures(settings.wants_graphs()),
      compatibility(compatibility_mark()) {
  ort_version_supported = host().version;
  GetName = get_name;
  GetCapability = get_capability;
  Compile = compile;
  ReleaseNodeComputeInfos = release_nodes;
  GetCompiledModelCompatibilityInfo = get_compatibility;
  if (captures) offer_graphs(*this);
}

std::string compatibility_mark() {
  return fmt::format("surefoot-fault-ep;version={}", environment("FAULTEP_VERSION", "1"));
}

}  // namespace surefoot::fault_ep
