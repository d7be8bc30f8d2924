#include "model/state.hpp"

#include <fmt/format.h>

#include <atomic>

#include "error/suggest.hpp"
#include "onnx/model_file.hpp"
#include "onnx/stored_elements.hpp"
#include "onnx/tensor_rewriter.hpp"

namespace surefoot::model {
namespace {

TensorView view_of(const onnx::StoredTensor& stored, std::span<const std::byte> bytes) {
  return {.type = stored.type, .shape = stored.shape, .bytes = bytes};
}

WeightData owned(Tensor tensor) {
  auto kept = std::make_shared<const Tensor>(std::move(tensor));
  return {kept->view(), kept, false};
}

Result<WeightData> external_data_of(State& state, const onnx::StoredTensor& stored) {
  const auto count = element_count(stored.shape);
  const auto wanted = count ? storage_bytes(stored.type, *count) : std::nullopt;
  if (!wanted || *wanted != stored.external->bytes)
    return fail({.code = ErrorCode::InvalidModel,
                 .what = fmt::format("weight {} has {} bytes in `{}`, {} are wanted", onnx::described(stored),
                                     stored.external->bytes, stored.external->location, wanted.value_or(0))});
  auto range = state.data_files.read(*stored.external);
  if (!range) return fail(std::move(range).error());
  return WeightData(view_of(stored, range->bytes), std::move(range->file), true);
}

Result<WeightData> stored_data_of(State& state, const onnx::TreeWeight& weight) {
  if (weight.stored.external && !weight.sparse) return external_data_of(state, weight.stored);
  onnx::Source source(std::as_bytes(std::span(weight.part->content)));
  onnx::Message message(source, weight.part->content, "weight");
  if (weight.sparse) {
    auto dense = onnx::read_dense(message, onnx::read_sparse_tensor(message));
    if (!dense) return fail(std::move(dense).error());
    return owned(std::move(*dense));
  }
  auto elements = onnx::read_elements(message, weight.stored);
  if (!elements) return fail(std::move(elements).error());
  if (elements->decoded.type() != ElementType::Undefined) return owned(std::move(elements->decoded));
  return WeightData(view_of(weight.stored, elements->in_place), state.file, true);
}

}  // namespace

std::vector<std::uint64_t> Weight::versions() const {
  std::vector<std::uint64_t> all;
  if (version != 0) all.push_back(version);
  for (const Layer& layer : layers) all.push_back(layer.patch);
  return all;
}

void Weight::put(SharedTensor value_now) {
  static std::atomic<std::uint64_t> versions = 0;
  set = std::move(value_now);
  version = ++versions;
  settle_part();
}

void Weight::take_back() {
  set = nullptr;
  version = 0;
  settle_part();
}

void Weight::erase() {
  erased = true;
  at.part = nullptr;
  layers.clear();
  set = patched = nullptr;
  sparse_part = nullptr;
}

void Weight::show(std::vector<Layer> layers_now, SharedTensor value_now) {
  layers = std::move(layers_now);
  patched = std::move(value_now);
  settle_part();
}

void Weight::settle_part() {
  if (!at.sparse || at.part == nullptr) return;
  if (value() && sparse_part == nullptr) {
    sparse_part = std::make_unique<onnx::Part>(std::move(*at.part));
    *at.part = onnx::make_tensor_part(at.stored.name, value()->view());
  } else if (!value() && sparse_part != nullptr) {
    *at.part = std::move(*sparse_part);
    sparse_part = nullptr;
  }
}

Result<Weight*> State::find(std::string_view name) {
  if (const auto at = by_name.find(std::string(name)); at != by_name.end()) return &weights[at->second];
  return fail({.code = ErrorCode::NotFound,
               .what = fmt::format("{} has no weight `{}`", onnx::quoted(path), name),
               .hint = suggestion(name, weight_names())});
}

void State::take_weights() {
  for (onnx::TreeWeight& weight : tree.weights) {
    by_name.insert_or_assign(weight.name, weights.size());
    weights.push_back({.at = std::move(weight)});
  }
  tree.weights.clear();
}

std::vector<std::string> State::weight_names() const {
  std::vector<std::string> names;
  names.reserve(by_name.size());
  for (const Weight& weight : weights)
    if (!weight.erased) names.push_back(weight.at.name);
  return names;
}

Result<WeightData> data_of(State& state, const Weight& weight) try {
  if (weight.value()) return WeightData(weight.value()->view(), weight.value(), false);
  return stored_data_of(state, weight.at);
} catch (const onnx::Corrupt& corrupt) {
  return fail({.code = ErrorCode::InvalidModel,
               .what = fmt::format("weight `{}` {}", weight.at.name, corrupt.what()),
               .hint = corrupt.hint});
}

}  // namespace surefoot::model
