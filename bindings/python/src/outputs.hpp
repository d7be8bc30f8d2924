/// What a run gave, as Python objects.
#pragma once

#include "numpy_api.hpp"
#include "surefoot/value.hpp"

namespace surefoot::python {

/// A tensor becomes an array over the memory where the runtime placed it, which the array keeps alive;
/// text and packed elements are copied. A sequence becomes a list, a map a dict, an absent optional None.
nb::object to_python(Value&& value);

}  // namespace surefoot::python
