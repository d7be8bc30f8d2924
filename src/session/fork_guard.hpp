/// Whether the process is still the one in which a session was opened.
#pragma once

#include <memory>
#include <utility>

namespace surefoot::session {

/// Goes up by one in the child of each fork(). ORT's threads do not survive one, so that a call
/// in the child would wait for them for ever. Costs one atomic read.
unsigned fork_generation() noexcept;

/// A pointer that shares `owned`, and in the child of a fork() never lets it go: ORT ends a session by
/// waiting for its threads, and a child has none of them.
template <class T>
std::shared_ptr<T> kept_in_child(std::shared_ptr<T> owned) {
  T* const raw = owned.get();
  return std::shared_ptr<T>(raw, [held = std::move(owned), here = fork_generation()](T*) mutable {
    if (fork_generation() != here) new std::shared_ptr<T>(std::move(held));
  });
}

}  // namespace surefoot::session
