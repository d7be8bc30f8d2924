/// Small values written on the command line itself.
///
/// Forms     1   -0.5   1e-3   nan   inf   true   "text"   [1,2,3]   [[1,2],[3,4]]   {"a":1}
#pragma once

#include "surefoot/model_info.hpp"

namespace surefoot::cli {

/// Whether `text` is meant as a literal, well-formed or not. A file of such a name is written ./1
bool is_literal(std::string_view text) noexcept;

/// The literal as a value of the declared type. A bare element where the model declares axes of
/// one element altogether takes their shape: `x=3` for [1] or [N,1].
/// Errors: InvalidInput, with the place of the mistake.
Result<Value> read_literal(std::string_view text, const ValueType& declared);

}  // namespace surefoot::cli
