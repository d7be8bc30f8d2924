/// Shapes as they are typed on the command line, and what a model declares of them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "surefoot/model_info.hpp"

namespace surefoot::cli {

/// "1x3x224x224", "1" or "scalar". Errors: InvalidArgument, with an example.
Result<Shape> shape_from_text(std::string_view text);

/// The other way round.
std::string shape_to_text(std::span<const std::int64_t> shape);

/// The declared shape when all of its axes are fixed.
std::optional<Shape> fixed_shape(const ValueType& type);

/// The size of one declared axis when it is fixed; `axis` may be beyond the rank.
std::optional<std::int64_t> fixed_size(const ValueType& type, std::size_t axis);

/// The declared rank, when it is stated.
std::optional<std::size_t> declared_rank(const ValueType& type);

/// "`batch`, `height`, axis 3": the axes without a fixed size.
std::string free_axes(const ValueType& type);

/// A shape that fits the declared one, for use in a hint: "1x3x224x224".
std::string example_shape(const ValueType& type);

}  // namespace surefoot::cli
