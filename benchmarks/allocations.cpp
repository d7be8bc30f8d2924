#include "benchmarks/allocations.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<std::uint64_t> count = 0;
}

void* operator new(std::size_t bytes) {
  count.fetch_add(1, std::memory_order_relaxed);
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace surefoot::benchmarks {
std::uint64_t allocations() noexcept { return count.load(std::memory_order_relaxed); }
}  // namespace surefoot::benchmarks
