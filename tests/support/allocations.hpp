/// Counts heap allocations, so that a test can say that something makes none.
#pragma once

#include <cstddef>

// A sanitizer brings operators of its own, which are better left alone.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SUREFOOT_SANITIZER_ALLOCATES
#endif

namespace surefoot::tests {

/// Calls of operator new by this thread so far, those of loaded libraries included. Always 0 under a
/// sanitizer: check with NEED_ALLOCATIONS() first.
std::size_t allocations() noexcept;

}  // namespace surefoot::tests

#ifdef SUREFOOT_SANITIZER_ALLOCATES
#define NEED_ALLOCATIONS() GTEST_SKIP() << "a sanitizer allocates: nothing is counted"
#else
#define NEED_ALLOCATIONS()
#endif
