/// Whether the inputs and outputs of a call fit the model: decided before ORT is called.
#pragma once

#include <span>

#include "session/interface.hpp"
#include "surefoot/session.hpp"

namespace surefoot::session {

/// Checks names, kinds, types, ranks, sizes, byte lengths, sizes shared by name, and that nothing
/// required is missing. Fills `places` with the model's input of each given one; allocates nothing
/// when all is well and the model has no more than 32 inputs and symbols.
/// Errors: InvalidInput with all problems of the call, each naming the input, wanted and got.
Result<void> check_inputs(const Interface& model, std::span<const Input> given,
                          std::span<std::size_t> places);

/// The same for the buffers of infer_into: type, shape as far as it is declared, byte length.
Result<void> check_outputs(const Interface& model, std::span<const Output> given,
                           std::span<std::size_t> places);

}  // namespace surefoot::session
