/// Inputs made up on the spot: `zeros`, `ones`, `random`.
///
/// Grammar   WORD[:shape][,option=value]…      random:1x3x224x224,seed=7
/// Options   seed=0        of `random`: the same seed gives the same values on every machine
///           min=, max=    of `random`: the range; [0,1) for floating-point types, else 0 to 9
///                         (as far as the type has them), both ends included for integers
#pragma once

#include "apps/cli/input/spec_options.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::cli {

/// Whether `target` is one of the words, with or without a shape.
bool is_filled(std::string_view target) noexcept;

/// The words, for suggestions.
std::span<const std::string_view> filled_words() noexcept;

/// A tensor of the declared type (float32 where it is Undefined). `name` is for the hints.
/// Errors: InvalidArgument: no shape, naming the free axes and an example; a bad option; a type
/// that has no such values.
Result<Tensor> read_filled(std::string_view target, const SpecOptions& given, const ValueInfo& declared);

}  // namespace surefoot::cli
