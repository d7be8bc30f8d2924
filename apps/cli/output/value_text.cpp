#include "apps/cli/output/value_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "apps/cli/input/numbers.hpp"
#include "apps/cli/input/utf8.hpp"

namespace surefoot::cli {
namespace {

std::string tensor_type(const Tensor& tensor) {
  return std::string(to_string(tensor.type())) + to_string(tensor.shape());
}

struct Statistics {
  double min = std::numeric_limits<double>::infinity();
  double max = -min;
  double sum = 0;
  std::size_t finite = 0, nan = 0, infinite = 0;

  void add(double value) {
    if (std::isnan(value)) return void(++nan);
    if (std::isinf(value)) return void(++infinite);
    min = std::min(min, value);
    max = std::max(max, value);
    sum += value;
    ++finite;
  }
};

std::string statistics_text(const Statistics& numbers) {
  std::string text;
  if (numbers.finite > 0)
    text += fmt::format("  min {:.6g}  max {:.6g}  mean {:.6g}", numbers.min, numbers.max,
                        numbers.sum / static_cast<double>(numbers.finite));
  if (numbers.nan > 0) text += fmt::format("  NaN {}", numbers.nan);
  if (numbers.infinite > 0) text += fmt::format("  infinite {}", numbers.infinite);
  return text;
}

bool is_counted(ElementType type) { return is_integer(type) || is_floating(type); }

std::string number_element(const Number& number, ElementType type) {
  if (type == ElementType::Bool) return to_double(number) != 0 ? "true" : "false";
  if (const double* real = std::get_if<double>(&number)) return fmt::format("{:.6g}", *real);
  return number_text(number);
}

/// Control characters, which would let data write on the terminal, are shown by their number.
std::string shown_point(char32_t point) {
  if (point == U'"') return "\\\"";
  if (point < 0x20 || (point >= 0x7f && point < 0xa0))
    return fmt::format("\\x{:02x}", static_cast<std::uint32_t>(point));
  std::string text;
  append_utf8(text, point);
  return text;
}

/// Of bytes that are not UTF-8, those outside ASCII are shown by their number.
std::string shown_byte(char c) {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x80 ? shown_point(code) : fmt::format("\\x{:02x}", code);
}

std::string quoted(const std::string& text) {
  constexpr std::size_t kMost = 60;
  const auto points = code_points(text);
  std::string shown = "\"";
  if (points)
    for (char32_t point : points->substr(0, kMost)) shown += shown_point(point);
  else
    for (char c : text.substr(0, kMost)) shown += shown_byte(c);
  return shown + ((points ? points->size() : text.size()) > kMost ? "…\"" : "\"");
}

std::vector<std::string> element_texts(const Tensor& tensor, const std::vector<Number>& numbers,
                                       std::size_t most) {
  std::vector<std::string> texts;
  for (const std::string& string : tensor.strings().first(std::min(most, tensor.strings().size())))
    texts.push_back(quoted(string));
  const std::size_t step = is_complex(tensor.type()) ? 2 : 1;
  for (std::size_t i = 0; i + step <= numbers.size() && texts.size() < most; i += step) {
    std::string text = number_element(numbers[i], tensor.type());
    if (step == 2) text += fmt::format("{:+.6g}i", to_double(numbers[i + 1]));
    texts.push_back(std::move(text));
  }
  return texts;
}

std::string list_text(const Tensor& tensor, const std::vector<Number>& numbers, std::size_t most) {
  const std::vector<std::string> shown = element_texts(tensor, numbers, most);
  const std::string list = fmt::format("{}", fmt::join(shown, " "));
  if (tensor.shape().empty() && !shown.empty()) return list;
  const bool more = element_count(tensor.shape()).value_or(0) > shown.size();
  return fmt::format("[{}{}]", list, more ? (shown.empty() ? "…" : " …") : "");
}

std::string tensor_text(const Tensor& tensor, std::size_t most) {
  const std::vector<Number> numbers = numbers_of(tensor);
  std::string text = tensor_type(tensor);
  if (is_counted(tensor.type()) && element_count(tensor.shape()).value_or(0) > 1) {
    Statistics statistics;
    for (const Number& number : numbers) statistics.add(to_double(number));
    text += statistics_text(statistics);
  }
  return text + "  " + list_text(tensor, numbers, most);
}

std::string indented(const std::string& text) {
  std::string moved = "  ";
  for (char c : text) moved += c == '\n' ? "\n  " : std::string(1, c);
  return moved;
}

std::string sequence_text(const Sequence& sequence, std::size_t most) {
  std::string text = fmt::format("sequence of {}", sequence.items.size());
  for (std::size_t i = 0; i < std::min(most, sequence.items.size()); ++i)
    text += "\n" + indented(value_text(sequence.items[i], most));
  if (sequence.items.size() > most) text += "\n  …";
  return text;
}

}  // namespace

std::string type_text(const Value& value) {
  if (const Tensor* tensor = value.tensor()) return tensor_type(*tensor);
  if (const Map* map = value.map())
    return fmt::format("map({},{})", to_string(map->keys.type()), tensor_type(map->values));
  if (const Sequence* sequence = value.sequence())
    return fmt::format("sequence of {}", sequence->items.size());
  return "none";
}

std::string value_text(const Value& value, std::size_t elements) {
  if (const Tensor* tensor = value.tensor()) return tensor_text(*tensor, elements);
  if (const Sequence* sequence = value.sequence()) return sequence_text(*sequence, elements);
  const Map* map = value.map();
  if (!map) return "none";
  return type_text(value) + "\n" + indented("keys    " + tensor_text(map->keys, elements)) + "\n" +
         indented("values  " + tensor_text(map->values, elements));
}

std::string elements_text(const Tensor& tensor, std::size_t elements) {
  return list_text(tensor, numbers_of(tensor), elements);
}

}  // namespace surefoot::cli
