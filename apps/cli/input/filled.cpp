#include "apps/cli/input/filled.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "apps/cli/input/numbers.hpp"
#include "apps/cli/input/shape_text.hpp"

namespace surefoot::cli {
namespace {

constexpr std::string_view kWords[] = {"zeros", "ones", "random"};
constexpr std::string_view kRandomOptions[] = {"seed", "min", "max"};

Failure bad(std::string what, std::string hint = {}) {
  return fail({.code = ErrorCode::InvalidArgument, .what = std::move(what), .hint = std::move(hint)});
}

Result<Shape> choose_shape(std::string_view word, std::string_view target, const ValueInfo& declared) {
  if (target.size() > word.size()) return shape_from_text(target.substr(word.size() + 1));
  if (auto shape = fixed_shape(declared.type)) return *std::move(shape);
  return bad(fmt::format("`{}` needs a shape: the sizes of {} are free in {}", word, free_axes(declared.type),
                         to_string(declared.type)),
             fmt::format("give one: --input {}={}:{}", declared.name, word, example_shape(declared.type)));
}

struct Range {
  double min, max;
};

Result<Range> choose_range(const SpecOptions& given, ElementType type) {
  double highest = is_floating(type) || is_complex(type) ? 1 : 9;
  while (!check_number(type, highest)) highest = std::floor(highest / 2);  // 9, 4, 2, 1: small types
  const auto min = given.number("min", 0);
  if (!min) return fail(min.error());
  const auto max = given.number("max", std::max(highest, *min));
  if (!max) return fail(max.error());
  if (*min > *max) return bad(fmt::format("option `min` is {}, `max` is {}", *min, *max));
  for (double end : {*min, *max})
    if (auto fits = check_number(type, end); !fits) return bad(fits.error().what);
  return Range{*min, *max};
}

/// Not std::uniform_…_distribution: its results differ between standard libraries.
class Source {
 public:
  Source(std::uint64_t seed, Range range, bool whole) : engine_(seed), range_(range), whole_(whole) {}

  Number next() {
    const double unit = std::ldexp(static_cast<double>(engine_() >> 11), -53);  // [0,1)
    if (!whole_) return range_.min + unit * (range_.max - range_.min);
    return std::min(range_.max, std::floor(range_.min + unit * (range_.max - range_.min + 1)));
  }

 private:
  std::mt19937_64 engine_;
  Range range_;
  bool whole_;
};

Result<std::vector<Number>> random_numbers(const SpecOptions& given, ElementType type, std::size_t count) {
  const auto seed = given.whole_number("seed");
  if (!seed) return fail(seed.error());
  const auto range = choose_range(given, type);
  if (!range) return fail(range.error());
  Source source(seed->value_or(0), *range, !is_floating(type) && !is_complex(type));
  std::vector<Number> numbers(count);
  for (Number& number : numbers) number = source.next();
  return numbers;
}

/// One number for each element, two where it is complex.
Result<std::size_t> number_count(ElementType type, const Shape& shape) {
  // Numbers take 16 bytes each while they are made: a limit that a person would not type on purpose.
  constexpr std::uint64_t kMost = std::uint64_t{1} << 32;
  const auto count = element_count(shape);
  if (!count || *count > kMost) return bad(fmt::format("{} has too many elements", shape_to_text(shape)));
  return static_cast<std::size_t>(*count) * (is_complex(type) ? 2 : 1);
}

Result<Tensor> with_numbers(std::string_view word, const SpecOptions& given, ElementType type, Shape shape) {
  const auto count = number_count(type, shape);
  if (!count) return fail(count.error());
  if (type == ElementType::String || type == ElementType::Float8E8M0)
    return bad(fmt::format("`{}` has no values of type {}", word, to_string(type)), "give a file");
  if (word == "random") {
    const auto numbers = random_numbers(given, type, *count);
    if (!numbers) return fail(numbers.error());
    return tensor_of_numbers(type, std::move(shape), *numbers);
  }
  std::vector<Number> ones(*count, std::int64_t{1});
  for (std::size_t i = 1; is_complex(type) && i < ones.size(); i += 2) ones[i] = std::int64_t{0};
  return tensor_of_numbers(type, std::move(shape), ones);
}

std::string_view word_of(std::string_view target) noexcept {
  for (std::string_view word : kWords)
    if (target == word || (target.starts_with(word) && target[word.size()] == ':')) return word;
  return {};
}

}  // namespace

bool is_filled(std::string_view target) noexcept { return !word_of(target).empty(); }

std::span<const std::string_view> filled_words() noexcept { return kWords; }

Result<Tensor> read_filled(std::string_view target, const SpecOptions& given, const ValueInfo& declared) {
  const std::string_view word = word_of(target);
  const auto known = word == "random" ? std::span<const std::string_view>(kRandomOptions)
                                      : std::span<const std::string_view>();
  if (auto checked = given.check_known(fmt::format("`{}`", word), known); !checked)
    return fail(std::move(checked).error());
  auto shape = choose_shape(word, target, declared);
  if (!shape) return fail(std::move(shape).error());
  const ElementType type =
      declared.type.element == ElementType::Undefined ? ElementType::Float32 : declared.type.element;
  // All bits zero is 0 in every type; Float8E8M0, which has no 0, comes nearest to it so.
  if (word == "zeros") return Tensor::zeros(type, *std::move(shape));
  return with_numbers(word, given, type, *std::move(shape));
}

}  // namespace surefoot::cli
