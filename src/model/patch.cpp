#include "surefoot/patch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "model/low_rank.hpp"
#include "model/state.hpp"

namespace surefoot {
namespace model {
namespace {

/// What the weight holds without its patches.
Result<WeightData> unpatched(State& state, Weight& weight) {
  const SharedTensor patched = std::exchange(weight.patched, nullptr);
  auto data = data_of(state, weight);
  weight.patched = patched;
  return data;
}

/// What `layers` make of the weight. A replacement hides everything below it.
Result<SharedTensor> patched_value(State& state, Weight& weight, const std::vector<Layer>& layers) {
  if (layers.empty()) return SharedTensor();
  std::size_t first = layers.size();
  while (first > 0 && std::holds_alternative<LowRankDelta>(*layers[first - 1].change)) --first;
  if (first == layers.size())
    return SharedTensor(layers.back().change, std::get_if<Tensor>(layers.back().change.get()));
  auto copy = first == 0 ? unpatched(state, weight).and_then([](WeightData data) { return data.clone(); })
                         : std::get<Tensor>(*layers[first - 1].change).clone();
  if (!copy) return fail(std::move(copy).error());
  for (std::size_t i = first; i < layers.size(); ++i)
    add_delta(copy->mutable_view(), std::get<LowRankDelta>(*layers[i].change));
  return std::make_shared<const Tensor>(std::move(*copy));
}

Result<void> check(const Weight& weight, const WeightPatch& patch) {
  const TensorView view{.type = weight.type(), .shape = weight.shape()};
  if (const auto* delta = std::get_if<LowRankDelta>(&patch.change))
    return check_delta(patch.name, view, *delta);
  const Tensor& value = std::get<Tensor>(patch.change);
  if (value.type() == weight.type() && value.shape() == weight.shape()) return {};
  return fail(
      {.code = ErrorCode::InvalidArgument,
       .what = fmt::format("weight `{}` is {}{}, the patch gives {}{}", patch.name, to_string(weight.type()),
                           to_string(weight.shape()), to_string(value.type()), to_string(value.shape()))});
}

/// All weights that a patch changes, and what each then holds: computed before anything is changed.
struct Changes {
  struct Change {
    Weight* weight;
    std::vector<Layer> layers;
    SharedTensor value = {};
  };
  std::vector<Change> all;

  Change& of(Weight& weight) {
    const auto at = std::ranges::find(all, &weight, &Change::weight);
    return at == all.end() ? all.emplace_back(Change{&weight, weight.layers}) : *at;
  }
  Result<void> compute(State& state) {
    for (Change& change : all) {
      auto value = patched_value(state, *change.weight, change.layers);
      if (!value) return fail(std::move(value).error());
      change.value = std::move(*value);
    }
    return {};
  }
  void apply() {
    for (Change& change : all) change.weight->show(std::move(change.layers), std::move(change.value));
  }
};

}  // namespace

Result<void> recompute(State& state, Weight& weight) {
  auto value = patched_value(state, weight, weight.layers);
  if (!value) return fail(std::move(value).error());
  weight.show(std::vector(weight.layers), std::move(*value));
  return {};
}

}  // namespace model

Result<Patch> Model::patch(std::vector<WeightPatch> patches) {
  static std::atomic<std::uint64_t> ids = std::uint64_t{1} << 32;  // apart from the versions of set values
  const std::uint64_t id = ++ids;
  model::Changes changes;
  for (WeightPatch& patch : patches) {
    const auto weight = state_->find(patch.name);
    if (!weight) return fail(weight.error());
    if (auto checked = model::check(**weight, patch); !checked) return fail(std::move(checked).error());
    changes.of(**weight).layers.push_back(
        {id, std::make_shared<const model::LayerChange>(std::move(patch.change))});
  }
  if (auto computed = changes.compute(*state_); !computed) return fail(std::move(computed).error());
  changes.apply();
  return Patch(state_, id);
}

Result<void> Patch::release() {
  if (!is_active()) return {};
  model::Changes changes;
  for (model::Weight& weight : state_->weights) {
    const auto ours = [&](const model::Layer& layer) { return layer.patch == id_; };
    if (std::ranges::any_of(weight.layers, ours)) std::erase_if(changes.of(weight).layers, ours);
  }
  if (auto computed = changes.compute(*state_); !computed) return computed;
  changes.apply();
  id_ = 0;
  state_.reset();
  return {};
}

Patch& Patch::operator=(Patch&& other) noexcept {
  if (this == &other) return *this;
  (void)release();
  state_ = std::move(other.state_);
  id_ = std::exchange(other.id_, 0);
  return *this;
}

Patch::~Patch() { (void)release(); }

}  // namespace surefoot
