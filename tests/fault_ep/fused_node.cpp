#include "fused_node.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "counters.hpp"
#include "fault_injection.hpp"
#include "graph_reading.hpp"

namespace surefoot::fault_ep {
namespace {

std::vector<LentTensor> inputs_of_run(const Subgraph& subgraph, OrtKernelContext* context) {
  std::vector<LentTensor> inputs;
  for (std::size_t i = 0; i < subgraph.inputs.size(); ++i) {
    const OrtValue* value = nullptr;
    check(host().api->KernelContext_GetInput(context, i, &value));
    if (value == nullptr)
      throw std::runtime_error(fmt::format("input `{}` is not there", subgraph.inputs[i]));
    inputs.emplace_back(value);
  }
  return inputs;
}

float* output_memory(const Tensor& tensor, std::size_t index, OrtKernelContext* context) {
  OrtValue* value = nullptr;
  check(host().api->KernelContext_GetOutput(context, index, tensor.dims.data(), tensor.dims.size(), &value));
  void* data = nullptr;
  check(host().api->GetTensorMutableData(value, &data));
  return static_cast<float*>(data);
}

std::vector<Tensor> computed(const FusedNode& node, const std::vector<LentTensor>& lent) {
  std::vector<TensorView> views;
  for (const LentTensor& tensor : lent) views.push_back(tensor.view());
  return compute(node.subgraph, views);
}

void run(FusedNode& node, OrtKernelContext* context) {
  const RunInProgress progress;
  const Course course = enter(node.plan, Stage::run);
  const std::vector<LentTensor> lent = inputs_of_run(node.subgraph, context);
  std::vector<Tensor> outputs = computed(node, lent);
  std::vector<float*> memory;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (course == Course::answer_wrong && !outputs[i].values.empty()) outputs[i].values[0] += 1;
    std::ranges::copy(outputs[i].values, memory.emplace_back(output_memory(outputs[i], i, context)));
  }
  // A replay reads and writes where this run did, as a GPU's would.
  node.graphs.add([&node, lent, memory] {
    const std::vector<Tensor> again = computed(node, lent);
    for (std::size_t i = 0; i < again.size(); ++i) std::ranges::copy(again[i].values, memory[i]);
  });
}

OrtStatus* ORT_API_CALL create_state(OrtNodeComputeInfo* self, OrtNodeComputeContext*,
                                     void** state) noexcept {
  auto* node = static_cast<FusedNode*>(self);
  *state = node;
  return guard([&] { enter(node->plan, Stage::state); });
}

OrtStatus* ORT_API_CALL compute_state(OrtNodeComputeInfo*, void* state, OrtKernelContext* context) noexcept {
  return guard([&] { run(*static_cast<FusedNode*>(state), context); });
}

void ORT_API_CALL release_state(OrtNodeComputeInfo*, void*) noexcept {}

Attributes attributes_of(const OrtNode* node) {
  return {float_attribute(node, "alpha", 1), float_attribute(node, "beta", 1),
          int_attribute(node, "transA", 0) != 0, int_attribute(node, "transB", 0) != 0};
}

}  // namespace

FusedNode::FusedNode(FaultPlan& faults, CapturedGraphs& recorder, Subgraph part)
    : OrtNodeComputeInfo{}, plan(faults), graphs(recorder), subgraph(std::move(part)) {
  ort_version_supported = host().version;
  CreateState = create_state;
  Compute = compute_state;
  ReleaseState = release_state;
}

Subgraph subgraph_of(const OrtGraph* graph, const OrtNode* node) {
  Subgraph subgraph{names_of(inputs_of(node)), names_of(outputs_of(node)), {}, {}};
  for (const OrtNode* inner : nodes_of(graph)) {
    for (const OrtValueInfo* input : inputs_of(inner))
      if (const OrtValue* constant = constant_of(input))
        subgraph.constants.insert_or_assign(name_of(input), LentTensor(constant).copy());
    subgraph.steps.push_back(
        {op_of(inner), names_of(inputs_of(inner)), name_of(outputs_of(inner).at(0)), attributes_of(inner)});
  }
  return subgraph;
}

}  // namespace surefoot::fault_ep
