#include "apps/cli/input/literal.hpp"

#include <algorithm>

#include "apps/cli/input/json_value.hpp"
#include "apps/cli/input/numbers.hpp"

namespace surefoot::cli {
namespace {

/// JSON has no word for these; value_from_json() takes them as strings.
std::string_view json_string_of(double value) {
  if (value != value) return "NaN";
  return value < 0 ? "-Infinity" : "Infinity";
}

Result<nlohmann::json> parse_literal(std::string_view text) {
  const auto number = number_from_text(text);
  if (!number) return parse_json(text);
  const double value = to_double(*number);
  if (!(value - value == 0)) return nlohmann::json(json_string_of(value));
  // "+1" and "1." are numbers here, though not in JSON.
  return std::visit([](auto held) { return nlohmann::json(held); }, *number);
}

/// As many ones as there are declared axes, when none of them is of another size.
Shape shape_of_ones(const ValueType& declared) {
  if (!declared.shape) return {};
  const bool ones = std::all_of(declared.shape->begin(), declared.shape->end(),
                                [](const Dimension& axis) { return !axis.is_fixed() || axis.size == 1; });
  return ones ? Shape(declared.shape->size(), 1) : Shape();
}

Result<Value> with_shape(const Tensor& scalar, Shape shape) {
  auto shaped =
      scalar.type() == ElementType::String
          ? Tensor::from_strings({scalar.strings().begin(), scalar.strings().end()}, std::move(shape))
          : Tensor::from_bytes(scalar.type(), std::move(shape), scalar.bytes());
  if (!shaped) return fail(std::move(shaped).error());
  return *std::move(shaped);
}

}  // namespace

bool is_literal(std::string_view text) noexcept {
  if (text.empty()) return false;
  return std::string_view("[{\"").find(text[0]) != std::string_view::npos || text == "true" ||
         text == "false" || text == "null" || number_from_text(text);
}

Result<Value> read_literal(std::string_view text, const ValueType& declared) {
  const auto json = parse_literal(text);
  if (!json) return fail(json.error());
  auto value = value_from_json(*json, declared);
  if (!value || !value->tensor() || !value->tensor()->shape().empty()) return value;
  if (Shape ones = shape_of_ones(declared); !ones.empty())
    return with_shape(*value->tensor(), std::move(ones));
  return value;
}

}  // namespace surefoot::cli
