#include "surefoot/weights.hpp"

#include <fmt/format.h>

#include <cstring>

#include "model/declared_type.hpp"
#include "model/state.hpp"
#include "model/value_names.hpp"
#include "onnx/onnx_proto.hpp"
#include "onnx/tensor_rewriter.hpp"

namespace surefoot {

using model::Weight;

std::string_view to_string(WeightStorage storage) noexcept {
  switch (storage) {
    case WeightStorage::Raw:
      return "raw";
    case WeightStorage::Typed:
      return "typed";
    case WeightStorage::External:
      return "external";
    case WeightStorage::Sparse:
      return "sparse";
    case WeightStorage::Edited:
      return "edited";
  }
  return "unknown";
}

Result<void> WeightData::align(std::size_t alignment) {
  if (reinterpret_cast<std::uintptr_t>(bytes_.data()) % alignment == 0) return {};
  auto copy = Tensor::from_bytes(type_, shape_, bytes_);
  if (!copy) return fail(std::move(copy).error());
  auto kept = std::make_shared<const Tensor>(std::move(*copy));
  bytes_ = kept->bytes();
  owner_ = std::move(kept);
  mapped_ = false;
  return {};
}

Result<Tensor> WeightData::clone() const {
  if (type_ == ElementType::String) return Tensor::from_strings({strings_.begin(), strings_.end()}, shape_);
  return Tensor::from_bytes(type_, shape_, bytes_);
}

namespace {

WeightStorage storage_of(const Weight& weight) {
  if (weight.value()) return WeightStorage::Edited;
  if (weight.at.sparse) return WeightStorage::Sparse;
  if (weight.stored().external) return WeightStorage::External;
  return weight.stored().form == onnx::ElementForm::Raw || weight.stored().form == onnx::ElementForm::None
             ? WeightStorage::Raw
             : WeightStorage::Typed;
}

std::uint64_t bytes_of(const Weight& weight) {
  const model::SharedTensor& value = weight.value();
  if (!value) return weight.stored().bytes();
  std::uint64_t bytes = value->bytes().size();
  for (const std::string& text : value->strings()) bytes += text.size();
  return bytes;
}

WeightInfo info_of(const Weight& weight) {
  WeightInfo info{.name = weight.at.name,
                  .type = weight.type(),
                  .shape = weight.shape(),
                  .bytes = bytes_of(weight),
                  .storage = storage_of(weight)};
  if (info.storage == WeightStorage::External) {
    info.location = weight.stored().external->location;
    info.offset = weight.stored().external->offset;
  }
  return info;
}

std::string type_text(ElementType type, std::span<const std::int64_t> shape) {
  return std::string(to_string(type)) + to_string(shape);
}

/// What came as a value must be whole: an Undefined tensor stands for nothing.
Result<void> check_value(std::string_view name, const Tensor& value) {
  if (value.type() != ElementType::Undefined) return {};
  return fail(
      {.code = ErrorCode::InvalidArgument,
       .what = fmt::format("the value for weight `{}` is an empty Tensor, without type and shape", name)});
}

Failure patched(std::string_view name) {
  return fail({.code = ErrorCode::InvalidState,
               .what = fmt::format("weight `{}` is patched", name),
               .hint = "release its patches first"});
}

std::string bare_name(const model::State& state, const Weight& weight) {
  return weight.at.name.substr(state.tree.scopes[weight.at.scope].prefix.size());
}

}  // namespace

bool Weights::contains(std::string_view name) const { return state_->by_name.contains(std::string(name)); }
std::size_t Weights::size() const { return state_->by_name.size(); }
std::vector<std::string> Weights::names() const { return state_->weight_names(); }

std::vector<WeightInfo> Weights::items() const {
  std::vector<WeightInfo> items;
  items.reserve(size());
  for (const Weight& weight : state_->weights)
    if (!weight.erased) items.push_back(info_of(weight));
  return items;
}

Result<WeightInfo> Weights::info(std::string_view name) const {
  const auto weight = state_->find(name);
  if (!weight) return fail(weight.error());
  return info_of(**weight);
}

Result<WeightData> Weights::get(std::string_view name) const {
  const auto weight = state_->find(name);
  if (!weight) return fail(weight.error());
  return model::data_of(*state_, **weight);
}

Result<void> Weights::set(std::string_view name, Tensor value) {
  const auto weight = state_->find(name);
  if (!weight) return fail(weight.error());
  if (auto checked = check_value(name, value); !checked) return checked;
  if (value.type() != (*weight)->type() || value.shape() != (*weight)->shape())
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("weight `{}` is {}, {} was given", name,
                                     type_text((*weight)->type(), (*weight)->shape()),
                                     type_text(value.type(), value.shape())),
                 .hint = "use replace() where type or shape shall change"});
  (*weight)->put(std::make_shared<const Tensor>(std::move(value)));
  return (*weight)->is_patched() ? model::recompute(*state_, **weight) : Result<void>();
}

Result<void> Weights::replace(std::string_view name, Tensor value) {
  const auto weight = state_->find(name);
  if (!weight) return fail(weight.error());
  if (auto checked = check_value(name, value); !checked) return checked;
  if ((*weight)->is_patched()) return patched(name);
  model::declare(*state_, (*weight)->at.scope, bare_name(*state_, **weight), value.type(), value.shape());
  (*weight)->put(std::make_shared<const Tensor>(std::move(value)));
  return {};
}

Result<void> Weights::insert(std::string_view name, Tensor value) {
  if (auto checked = check_value(name, value); !checked) return checked;
  if (name.empty() || contains(name) || model::gives(*state_, 0, name))
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("no weight can be inserted as `{}`: that name is {}", name,
                                     name.empty() ? "empty" : "taken"),
                 .hint = "choose another name, or use set()"});
  onnx::Parts& fields = *state_->graph().parts;
  fields.push_back(onnx::make_tensor_part(name, value.view()));
  state_->graph().changed = true;
  Weight weight{.at = {.name = std::string(name), .part = &fields.back(), .scope = 0}, .inserted = true};
  weight.put(std::make_shared<const Tensor>(std::move(value)));
  state_->by_name.emplace(name, state_->weights.size());
  state_->weights.push_back(std::move(weight));
  state_->touch();
  return {};
}

Result<void> Weights::reset(std::string_view name) {
  const auto weight = state_->find(name);
  if (!weight) return fail(weight.error());
  if ((*weight)->inserted)
    return fail({.code = ErrorCode::InvalidState,
                 .what = fmt::format("weight `{}` was inserted: the file has none", name),
                 .hint = "erase() takes it out"});
  if ((*weight)->is_patched()) return patched(name);
  if (!(*weight)->set) return {};
  const onnx::StoredTensor& stored = (*weight)->stored();
  model::declare(*state_, (*weight)->at.scope, bare_name(*state_, **weight), stored.type, stored.shape);
  (*weight)->take_back();
  return {};
}

Result<void> Weights::erase(std::string_view name) {
  const auto found = state_->find(name);
  if (!found) return fail(found.error());
  Weight& weight = **found;
  if (weight.is_patched()) return patched(name);
  const std::string bare = bare_name(*state_, weight);
  if (auto user = model::user_of(*state_, weight.at.scope, bare))
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("weight `{}` cannot be erased: {}", name, *user),
                 .hint = "take out what uses it first"});
  onnx::Part& graph = *state_->tree.scopes[weight.at.scope].part;
  graph.parts->remove_if(
      [&](const onnx::Part& part) { return &part == weight.at.part || model::declares(part, bare); });
  graph.changed = true;
  state_->by_name.erase(weight.at.name);
  weight.erase();
  state_->touch();
  return {};
}

Result<void> Weights::rename(std::string_view from, std::string_view to) {
  const auto weight = state_->find(from);
  if (!weight) return fail(weight.error());
  if ((*weight)->is_patched()) return patched(from);
  return model::rename_value(*state_, (*weight)->at.scope, bare_name(*state_, **weight), to);
}

}  // namespace surefoot
