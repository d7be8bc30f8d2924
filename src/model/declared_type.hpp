/// The declared type of a value: of an input or output, or of one inside.
#pragma once

#include <span>
#include <string_view>

#include "model/state.hpp"

namespace surefoot::model {

/// What an input, an output or an inner value (a ValueInfoProto) says, also after it was edited.
ValueInfo declared_info(const onnx::Part& part);

/// Whether the part of a graph is an input or an inner value that is declared under that name.
bool declares(const onnx::Part& part, std::string_view name);

/// Gives every declaration of that value in the graph another element type and another, fixed shape.
/// Where none differs nothing is touched.
void declare(State& state, std::size_t scope, std::string_view name, ElementType type,
             std::span<const std::int64_t> shape);

}  // namespace surefoot::model
