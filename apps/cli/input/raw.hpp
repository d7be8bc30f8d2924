/// Files of bare elements, without a header.
///
/// Options   shape=1x3x224x224   needed unless the declared shape is fixed, or one declared axis
///                               alone is free: the length of the file then gives its size
///           type=float32        needed unless the model declares it
/// The bytes are little-endian and row-major; packed types have the first element in the low bits.
#pragma once

#include "apps/cli/input/spec_options.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::cli {

/// Errors: InvalidArgument (options, no shape), InvalidInput (the length does not fit), Unsupported
/// (strings, which have no bare form).
Result<Tensor> read_raw(std::span<const std::byte> bytes, const SpecOptions& given,
                        const ValueType& declared);

}  // namespace surefoot::cli
