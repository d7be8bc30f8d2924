/// numpy's .npy files, read into tensors and written from them.
///
/// Reading   big-endian elements are turned round and Fortran order is transposed. Strings of
///           kind U become UTF-8, those of kind S are taken as they are; trailing NULs are numpy's
///           filling and fall away. What numpy itself cannot name (`V2`, `V1`, `f1`, written for
///           ml_dtypes) is taken as the `wanted` type: bfloat16 for V2 unless something else of
///           two bytes is wanted. One byte per element is packed where a packed type is wanted.
/// Writing   bfloat16 and float8 as ml_dtypes' arrays are saved (`<V2`, `<V1`), integers
///           under a byte as int8 and uint8, float4 as float32. Strings as U, or as S when one of
///           them is not UTF-8.
#pragma once

#include <string>

#include "surefoot/tensor.hpp"

namespace surefoot::cli {

/// Reads one array, which `bytes` must hold exactly. `wanted` is the model's type, or Undefined.
/// Errors: InvalidInput (damaged, truncated, trailing bytes), Unsupported (its element type),
/// OutOfMemory.
Result<Tensor> read_npy(std::span<const std::byte> bytes, ElementType wanted);

/// The file's bytes. Errors: InvalidArgument (an Undefined tensor).
Result<std::string> npy_bytes(const Tensor& tensor);

}  // namespace surefoot::cli
