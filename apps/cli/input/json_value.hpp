/// Values from JSON and to JSON.
///
/// Tensor    nested arrays; a scalar is a bare element. Numbers, true and false, strings; also
///           "NaN", "Infinity", "-Infinity" for floating-point types. Complex: [real, imaginary].
/// Map       an object; integer keys are written as strings, as JSON demands.
/// Sequence  an array of its items.
/// Nothing   null, for an optional.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "surefoot/model_info.hpp"

namespace surefoot::cli {

/// Parses JSON text. Errors: InvalidInput, with the place of the mistake.
Result<nlohmann::json> parse_json(std::string_view text);

/// The value of the declared type, its shape taken from how the arrays nest. Where the element
/// type is Undefined it follows from the elements: bool, int64, float32 or string.
/// Errors: InvalidInput, which names the place ("at [0][3]"): ragged arrays, an element of another
/// kind, a number that the type cannot hold.
Result<Value> value_from_json(const nlohmann::json& json, const ValueType& declared);

/// Floating-point numbers are the shortest decimals that read back as the same element.
nlohmann::json json_of(const Value& value);
nlohmann::json json_of(const Tensor& tensor);

/// Text of `json`, on one line; bytes that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::json& json);

}  // namespace surefoot::cli
