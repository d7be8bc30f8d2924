/// Who keeps a tensor's memory, whoever made it.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

namespace surefoot {

/// Ends the life of `object`, which was made in `context`. Must not throw.
using ReleaseMemory = void (*)(const void* context, void* object) noexcept;

/// One object that memory lives in: released once, by the last place that the owner is moved to.
///
/// Unlike a std::shared_ptr<void> it allocates nothing and counts nothing. Made of a shared pointer, it
/// shares in the ownership, at the cost of one allocation.
class MemoryOwner {
 public:
  MemoryOwner() = default;  ///< of memory that somebody else keeps alive
  MemoryOwner(void* object, ReleaseMemory release, const void* context = nullptr) noexcept
      : object_(object), context_(context), release_(release) {}
  template <class T>
  MemoryOwner(std::shared_ptr<T> shared)
      : MemoryOwner(shared == nullptr ? nullptr : new std::shared_ptr<void>(std::move(shared)), drop) {}
  MemoryOwner(std::nullptr_t) noexcept {}
  MemoryOwner(MemoryOwner&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)), context_(other.context_), release_(other.release_) {}
  MemoryOwner& operator=(MemoryOwner other) noexcept {
    swap(other);
    return *this;
  }
  ~MemoryOwner() {
    if (object_ != nullptr) release_(context_, object_);
  }

  void swap(MemoryOwner& other) noexcept {
    std::swap(object_, other.object_);
    std::swap(context_, other.context_);
    std::swap(release_, other.release_);
  }

 private:
  static void drop(const void*, void* shared) noexcept { delete static_cast<std::shared_ptr<void>*>(shared); }

  void* object_ = nullptr;
  const void* context_ = nullptr;
  ReleaseMemory release_ = nullptr;
};

}  // namespace surefoot
