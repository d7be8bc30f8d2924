/// Values on their way into ORT and out of it.
#pragma once

#include "ort/environment.hpp"
#include "surefoot/value.hpp"

namespace surefoot::ort {

/// An OrtValue over the caller's memory: nothing is copied but strings. The memory must outlive it,
/// and ORT does not write to it when the value is an input.
/// Errors: what ORT said.
Result<Handle<OrtValue>> wrap(const Environment& environment, const TensorView& tensor);
Result<Handle<OrtValue>> wrap(const Environment& environment, const MutableTensorView& tensor);

/// The same for any value. Sequences and maps refer to the caller's tensors.
/// Errors: Unsupported for an absent optional: an input that is not named is absent to ORT.
Result<Handle<OrtValue>> wrap(const Environment& environment, const Value& value);

/// Takes over what ORT made. Tensors keep ORT's memory; strings, sequences and maps are copied out.
/// Errors: Unsupported for sparse and opaque values.
Result<Value> unwrap(const Environment& environment, Handle<OrtValue> value);

/// The same for a value that is known to be a tensor: two questions to ORT less, and nothing is moved about.
Result<void> unwrap_tensor(const Environment& environment, Handle<OrtValue> value, Tensor& into);

}  // namespace surefoot::ort
