#include "tests/support/allocations.hpp"

#include <cstdlib>
#include <new>

namespace surefoot::tests {
namespace {

thread_local std::size_t count = 0;

#ifndef SUREFOOT_SANITIZER_ALLOCATES
void* counted(std::size_t bytes) {
  ++count;
  if (void* memory = std::malloc(bytes == 0 ? 1 : bytes)) return memory;
  throw std::bad_alloc();
}

void* counted(std::size_t bytes, std::align_val_t alignment) {
  ++count;
  const auto unit = static_cast<std::size_t>(alignment);
  if (void* memory = std::aligned_alloc(unit, (bytes + unit - 1) / unit * unit)) return memory;
  throw std::bad_alloc();
}
#endif

}  // namespace

std::size_t allocations() noexcept { return count; }

}  // namespace surefoot::tests

#ifndef SUREFOOT_SANITIZER_ALLOCATES
// The other forms of the standard library end in these.
void* operator new(std::size_t bytes) { return surefoot::tests::counted(bytes); }
void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return surefoot::tests::counted(bytes, alignment);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
#endif
