/// A value for a person to read: its type, a few numbers about it, its first elements.
#pragma once

#include <string>

#include "surefoot/value.hpp"

namespace surefoot::cli {

/// "float32[1,10]", "string[2]", "map(int64,float32[3])", "sequence of 2", "none".
std::string type_text(const Value& value);

/// One line for a tensor:    float32[1,10]  min -1.2  max 3.4  mean 0.5  [0.1 0.2 … ]
/// NaN and infinities are counted apart and left out of the rest. Sequences and maps take a line
/// for each part, indented. No final newline. At most `elements` elements of each tensor are shown.
std::string value_text(const Value& value, std::size_t elements = 8);

/// "[0.1 0.2 …]", at most `elements` of them; a scalar without brackets.
std::string elements_text(const Tensor& tensor, std::size_t elements = 8);

}  // namespace surefoot::cli
