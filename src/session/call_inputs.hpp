/// The inputs of one call on their way to ORT.
#pragma once

#include <span>

#include "ort/session.hpp"
#include "session/interface.hpp"
#include "surefoot/session.hpp"
#include "tensor/inline_array.hpp"

namespace surefoot::session {

/// Allocates nothing for up to 16 inputs. Refers to the caller's inputs, which must outlive it.
class CallInputs {
 public:
  explicit CallInputs(std::size_t given) : places_(given), arguments_(given) {}

  /// For each input its place in the model: check_inputs() fills this in.
  std::span<std::size_t> places() { return {places_.data(), places_.size()}; }

  /// Makes the arguments of `inputs`, once places() is filled in. What is None is left out.
  /// Errors: those of empty_sequence().
  Result<void> fill(const Interface& model, std::span<const Input> inputs, ort::Environment& environment);
  /// Checks the inputs of the call and makes their arguments.
  /// Errors: those of check_inputs() and fill().
  Result<void> take(const Interface& model, std::span<const Input> inputs, ort::Environment& environment);
  std::span<const ort::Argument> arguments() { return {arguments_.data(), used_}; }

 private:
  InlineArray<std::size_t> places_;
  InlineArray<ort::Argument> arguments_;
  std::size_t used_ = 0;
};

}  // namespace surefoot::session
