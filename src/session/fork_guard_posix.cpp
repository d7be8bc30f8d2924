#include <pthread.h>

#include <atomic>

#include "session/fork_guard.hpp"

namespace surefoot::session {
namespace {

std::atomic<unsigned> generation = 0;
[[maybe_unused]] const int registered = pthread_atfork(nullptr, nullptr, [] { ++generation; });

}  // namespace

unsigned fork_generation() noexcept { return generation.load(std::memory_order_relaxed); }

}  // namespace surefoot::session
