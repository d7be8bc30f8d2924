#include "surefoot/sample_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <random>

#include "surefoot/float_types.hpp"

namespace surefoot {
namespace {

constexpr std::int64_t kInnerAxis = 32;  // height, width, time
constexpr std::size_t kInnerFrom = 2;    // batch and channels come before
constexpr std::int64_t kMostScale = 1'000'000;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

bool holds(const std::string& name, std::initializer_list<const char*> words) {
  return std::ranges::any_of(words, [&](const char* word) { return name.find(word) != name.npos; });
}

std::int64_t size_of_axis(const std::vector<Dimension>& axes, std::size_t place,
                          const SampleOptions& options) {
  const Dimension& axis = axes[place];
  if (axis.is_fixed()) return axis.size;
  if (const auto given = options.dimensions.find(axis.name); given != options.dimensions.end())
    return given->second;
  if (holds(lower(axis.name), {"batch"})) return options.scale;
  // A name says what the place cannot: `tokens[batch,sequence]`.
  if (holds(lower(axis.name), {"seq", "time", "length", "height", "width"}))
    return kInnerAxis * options.scale;
  const bool is_inner = place >= kInnerFrom || (axes.size() == 2 && place == 1);  // samples of sound, tokens
  return (is_inner ? kInnerAxis : 1) * options.scale;
}

/// From least to most, both included for whole numbers.
struct Range {
  double least, most;
};

bool is_fraction(ElementType type) {
  switch (type) {
    case ElementType::Float32:
    case ElementType::Float64:
    case ElementType::Float16:
    case ElementType::BFloat16:
      return true;
    default:
      return false;
  }
}

Range range_for(const ValueInfo& input, const Shape& shape) {
  const std::string name = lower(input.name);
  const ElementType type = input.type.element;
  if (holds(name, {"sample_rate", "sampling_rate"}) || name == "sr") return {16000, 16000};
  if (holds(name, {"mask"})) return {1, 1};
  if (is_fraction(type)) {
    if (holds(name, {"image", "pixel", "img"})) return {0, 1};
    return {-1, 1};
  }
  if (type == ElementType::UInt8 && holds(name, {"image", "pixel", "img"})) return {0, 255};
  if (type == ElementType::Bool || holds(name, {"type_id", "segment"})) return {0, 1};
  if (holds(name, {"len"})) {
    const double longest = shape.empty() ? 1 : static_cast<double>(*std::ranges::max_element(shape));
    return {longest, longest};
  }
  // Small enough for any table that they may be looked up in.
  return {0, 1};
}

/// Not std::uniform_…_distribution: its results differ between standard libraries.
class Numbers {
 public:
  Numbers(std::uint64_t seed, Range range, bool whole) : engine_(seed), range_(range), whole_(whole) {}
  double next() {
    const double unit = std::ldexp(static_cast<double>(engine_() >> 11), -53);  // [0,1)
    if (!whole_) return range_.least + unit * (range_.most - range_.least);
    return std::floor(range_.least + unit * (range_.most - range_.least + 1));
  }

 private:
  std::mt19937_64 engine_;
  Range range_;
  bool whole_;
};

template <class T>
void fill(Tensor& tensor, Numbers& numbers) {
  const auto bytes = tensor.mutable_bytes();
  auto* const elements = reinterpret_cast<T*>(bytes.data());
  for (std::size_t i = 0; i < bytes.size() / sizeof(T); ++i) {
    if constexpr (std::is_arithmetic_v<T>)
      elements[i] = static_cast<T>(numbers.next());
    else
      elements[i] = T(static_cast<float>(numbers.next()));
  }
}

/// What has no case stays zero, which is a number in every type.
void fill_any(Tensor& tensor, Numbers& numbers) {
  switch (tensor.type()) {
    case ElementType::Float32:
      return fill<float>(tensor, numbers);
    case ElementType::Float64:
      return fill<double>(tensor, numbers);
    case ElementType::Float16:
      return fill<Float16>(tensor, numbers);
    case ElementType::BFloat16:
      return fill<BFloat16>(tensor, numbers);
    case ElementType::Int64:
      return fill<std::int64_t>(tensor, numbers);
    case ElementType::Int32:
      return fill<std::int32_t>(tensor, numbers);
    case ElementType::Int16:
      return fill<std::int16_t>(tensor, numbers);
    case ElementType::UInt64:
      return fill<std::uint64_t>(tensor, numbers);
    case ElementType::UInt32:
      return fill<std::uint32_t>(tensor, numbers);
    case ElementType::UInt16:
      return fill<std::uint16_t>(tensor, numbers);
    case ElementType::UInt8:
    case ElementType::Int8:
    case ElementType::Bool:
      return fill<std::uint8_t>(tensor, numbers);
    default:
      return;
  }
}

/// The same for every input of that name, whatever others the model has.
std::uint64_t seed_for(const std::string& name, std::uint64_t seed) {
  std::uint64_t hash = 14695981039346656037U ^ seed;  // FNV-1a
  for (const char letter : name) hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211U;
  return hash;
}

Failure no_sample(const ValueInfo& input) {
  return fail(
      {.code = ErrorCode::Unsupported,
       .what = fmt::format("no value can be made up for input `{}`: {}", input.name, to_string(input.type)),
       .hint = fmt::format("give it: `--input {}=FILE.json`", input.name)});
}

}  // namespace

Result<std::vector<SampleInput>> sample_inputs(std::span<const ValueInfo> inputs,
                                               const SampleOptions& options) {
  if (options.scale < 1 || options.scale > kMostScale)
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("made-up inputs are to be {} times longer", options.scale),
                 .hint = fmt::format("give 1 to {}", kMostScale)});
  std::vector<SampleInput> samples;
  for (const ValueInfo& input : inputs) {
    if (!input.required) continue;
    if (input.type.kind != ValueKind::Tensor || input.type.sparse || !input.type.shape)
      return no_sample(input);
    Shape shape;
    for (std::size_t place = 0; place < input.type.shape->size(); ++place)
      shape.push_back(size_of_axis(*input.type.shape, place, options));
    auto tensor = Tensor::zeros(input.type.element, shape);
    if (!tensor) return fail(std::move(tensor).error().while_doing("making up input `" + input.name + "`"));
    Numbers numbers(seed_for(input.name, options.seed), range_for(input, shape),
                    !is_fraction(input.type.element));
    fill_any(*tensor, numbers);
    samples.push_back({input.name, std::move(*tensor)});
  }
  return samples;
}

}  // namespace surefoot
