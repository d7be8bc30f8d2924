/// Counts the heap allocations of this program, ORT's through operator new included.
#pragma once

#include <cstdint>

namespace surefoot::benchmarks {

/// Allocations since the program began.
std::uint64_t allocations() noexcept;

}  // namespace surefoot::benchmarks
