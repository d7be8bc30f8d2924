#include "session/sample_run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "surefoot/difference.hpp"

namespace surefoot::session {
namespace {

constexpr std::int64_t kLeadingAxis = 1;  // batch and channels
constexpr std::int64_t kInnerAxis = 32;   // height, width, time
constexpr std::size_t kInnerFrom = 2;

Shape sample_shape(const std::vector<Dimension>& axes) {
  Shape shape;
  for (std::size_t i = 0; i < axes.size(); ++i)
    shape.push_back(axes[i].is_fixed() ? axes[i].size : i < kInnerFrom ? kLeadingAxis : kInnerAxis);
  return shape;
}

template <class T>
void fill(Tensor& tensor, T (*value)(std::size_t)) {
  const auto bytes = tensor.mutable_bytes();
  auto* const elements = reinterpret_cast<T*>(bytes.data());
  for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) elements[i] = value(i);
}

/// Fractions for floats, ones for integers: no division by zero, no index that is far out. Other types
/// stay zero.
void fill_sample(Tensor& tensor) {
  switch (tensor.type()) {
    case ElementType::Float32:
      return fill<float>(tensor, [](std::size_t i) { return static_cast<float>(i % 17) / 17; });
    case ElementType::Float64:
      return fill<double>(tensor, [](std::size_t i) { return static_cast<double>(i % 17) / 17; });
    case ElementType::Float16:
      return fill<Float16>(tensor, [](std::size_t i) { return Float16(static_cast<float>(i % 17) / 17); });
    case ElementType::Int64:
      return fill<std::int64_t>(tensor, [](std::size_t) { return std::int64_t{1}; });
    case ElementType::Int32:
      return fill<std::int32_t>(tensor, [](std::size_t) { return std::int32_t{1}; });
    case ElementType::UInt8:
    case ElementType::Int8:
    case ElementType::Bool:
      return fill<std::uint8_t>(tensor, [](std::size_t) { return std::uint8_t{1}; });
    default:
      return;
  }
}

Result<std::vector<Value>> run(const ort::Session& session, const std::vector<Tensor>& samples) {
  std::vector<ort::Argument> arguments;
  std::vector<ort::Target> targets;
  for (const ValueInfo& input : session.inputs())
    if (input.required) arguments.push_back({input.name.c_str(), samples[arguments.size()].view()});
  for (const ValueInfo& output : session.outputs()) targets.push_back({.name = output.name.c_str()});
  return session.run(arguments, targets, nullptr);
}

bool same(const Tensor& one, const Tensor& other) {
  return one.type() == other.type() && one.shape() == other.shape() &&
         std::ranges::equal(one.bytes(), other.bytes()) && std::ranges::equal(one.strings(), other.strings());
}

bool same(const Value& one, const Value& other) {
  if (one.kind() != other.kind()) return false;
  if (const Tensor* tensor = one.tensor()) return same(*tensor, *other.tensor());
  if (const Map* map = one.map())
    return same(map->keys, other.map()->keys) && same(map->values, other.map()->values);
  if (const Sequence* sequence = one.sequence())
    return std::ranges::equal(sequence->items, other.sequence()->items,
                              [](const Value& a, const Value& b) { return same(a, b); });
  return true;
}

bool roughly_the_same(const Value& one, const Value& other) {
  const Tensor* tensor = other.tensor();
  const ElementType type = tensor == nullptr ? ElementType::Float32 : tensor->type();
  const auto parts = difference_of("", one, other, loose_tolerance(type));
  return std::ranges::all_of(parts, [](const NamedDifference& part) { return part.difference.within(); });
}

bool alike(const Value& one, const Value& other, Alike wanted) {
  return wanted == Alike::Exactly ? same(one, other) : roughly_the_same(one, other);
}

}  // namespace

Result<std::vector<Tensor>> sample_inputs(const std::vector<ValueInfo>& inputs) {
  std::vector<Tensor> samples;
  for (const ValueInfo& input : inputs) {
    if (!input.required) continue;
    if (input.type.kind != ValueKind::Tensor || input.type.sparse || !input.type.shape)
      return fail({.code = ErrorCode::Unsupported,
                   .what = fmt::format("no sample can be made for input `{}`: {}", input.name,
                                       to_string(input.type))});
    auto sample = Tensor::zeros(input.type.element, sample_shape(*input.type.shape));
    if (!sample) return fail(std::move(sample).error());
    fill_sample(*sample);
    samples.push_back(std::move(*sample));
  }
  return samples;
}

Result<void> compare_on_samples(const ort::Session& one, const ort::Session& other, Alike wanted) {
  auto samples = sample_inputs(one.inputs());
  if (!samples) return fail(std::move(samples).error());
  const auto first = run(one, *samples), second = run(other, *samples);
  if (!first && !second && wanted == Alike::Exactly) return {};
  if (!first || !second)
    return fail({.code = ErrorCode::RunFailed,
                 .what = fmt::format("{} of them runs: {}", first || second ? "only one" : "none",
                                     (first ? second : first).error().what)});
  for (std::size_t i = 0; i < first->size(); ++i)
    if (!alike((*first)[i], (*second)[i], wanted))
      return fail(
          {.code = ErrorCode::RunFailed, .what = fmt::format("output `{}` differs", one.outputs()[i].name)});
  return {};
}

}  // namespace surefoot::session
