#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "apps/cli/input/json_value.hpp"
#include "apps/cli/input/numbers.hpp"

namespace surefoot::cli {
namespace {

using nlohmann::json;

/// The double that prints as `value` does: 0.1f as 0.1, not as 0.10000000149011612.
double printed_like(float value) {
  char text[32];
  const auto written = std::to_chars(std::begin(text), std::end(text), value);
  double same = value;
  std::from_chars(text, written.ptr, same);
  return same;
}

json json_of_real(double value, bool short_decimals) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  return short_decimals ? printed_like(static_cast<float>(value)) : value;
}

bool is_double(ElementType type) { return type == ElementType::Float64 || type == ElementType::Complex128; }

json json_of_number(const Number& number, ElementType type) {
  if (type == ElementType::Bool) return to_double(number) != 0;
  if (const double* real = std::get_if<double>(&number)) return json_of_real(*real, !is_double(type));
  return std::visit([](auto held) { return json(held); }, number);
}

std::vector<json> elements_of(const Tensor& tensor) {
  if (tensor.type() == ElementType::String) return {tensor.strings().begin(), tensor.strings().end()};
  std::vector<json> elements;
  const std::vector<Number> numbers = numbers_of(tensor);
  const std::size_t step = is_complex(tensor.type()) ? 2 : 1;
  elements.reserve(numbers.size() / step);
  for (std::size_t i = 0; i + step <= numbers.size(); i += step) {
    json element = json_of_number(numbers[i], tensor.type());
    if (step == 2) element = json::array({std::move(element), json_of_number(numbers[i + 1], tensor.type())});
    elements.push_back(std::move(element));
  }
  return elements;
}

json nested(std::vector<json>::iterator& next, std::span<const std::int64_t> shape) {
  if (shape.empty()) return std::move(*next++);
  json array = json::array();
  for (std::int64_t i = 0; i < shape.front(); ++i) array.push_back(nested(next, shape.subspan(1)));
  return array;
}

json json_of_map(const Map& map) {
  const std::vector<json> keys = elements_of(map.keys);
  const json values = json_of(map.values);
  json object = json::object();
  for (std::size_t i = 0; i < keys.size() && i < values.size(); ++i)
    object[keys[i].is_string() ? keys[i].get<std::string>() : keys[i].dump()] = values[i];
  return object;
}

json json_of_sequence(const Sequence& sequence) {
  json array = json::array();
  for (const Value& item : sequence.items) array.push_back(json_of(item));
  return array;
}

}  // namespace

json json_of(const Tensor& tensor) {
  std::vector<json> elements = elements_of(tensor);
  if (tensor.shape().empty() && elements.empty()) return nullptr;
  auto next = elements.begin();
  return nested(next, tensor.shape());
}

json json_of(const Value& value) {
  if (const Tensor* tensor = value.tensor()) return json_of(*tensor);
  if (const Map* map = value.map()) return json_of_map(*map);
  if (const Sequence* sequence = value.sequence()) return json_of_sequence(*sequence);
  return nullptr;
}

std::string json_text(const json& item) { return item.dump(-1, ' ', false, json::error_handler_t::replace); }

}  // namespace surefoot::cli
