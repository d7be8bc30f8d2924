/// Arrays that the library reads or writes where they lie.
#pragma once

#include <string_view>

#include "numpy_api.hpp"
#include "surefoot/tensor.hpp"

namespace surefoot::python {

/// The array over the memory of `value`: itself, or what its `__dlpack__` or `__array__` gives.
/// Throws whatever those raise.
nb::object array_over(nb::handle value);

/// Views of an array's memory, valid as long as the array. `label` is how errors call it: "output `y`".
/// Throws: InvalidInput for an array that is not contiguous, of foreign byte order, text or packed; for
/// writing also one that is read-only. TypeError for what is no array.
TensorView readable_in_place(std::string_view label, nb::handle array);
MutableTensorView writable_in_place(std::string_view label, nb::handle array);

/// A copy of any value that an input can be. Throws as CallInputs.
Tensor owned_tensor(std::string_view name, nb::handle value);

}  // namespace surefoot::python
