#include "model/rendering.hpp"

namespace surefoot::model {
namespace {

/// Type and shape as the weight has them now, without elements.
TensorView head_of(const Weight& weight) { return {.type = weight.type(), .shape = weight.shape()}; }

}  // namespace

Result<void> add_replacement(State& state, const Move& move, onnx::Replacements& replacements,
                             std::list<WeightData>& kept) {
  onnx::TensorChange change{.external = move.place};
  if (move.place) {
    if (move.weight->value()) change.value = head_of(*move.weight);
  } else {
    auto data = data_of(state, *move.weight);
    if (!data) return fail(std::move(data).error());
    change.value = kept.emplace_back(std::move(*data)).view();
  }
  replacements.emplace(move.weight->at.part, onnx::rewrite_tensor(*move.weight->at.part, change));
  return {};
}

}  // namespace surefoot::model
