/// Counts heap allocations, so that a test can say that something makes none.
#pragma once

#include <cstddef>

namespace surefoot::tests {

/// Calls of operator new by this thread so far, those of loaded libraries included.
std::size_t allocations() noexcept;

}  // namespace surefoot::tests
