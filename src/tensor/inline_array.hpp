/// An array whose size is known once: on the stack while it is short.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <new>

namespace surefoot {

/// `size` value-initialised elements; up to `Inline` of them need no heap, and those beyond `size` cost
/// nothing: a call has one or two inputs, room for sixteen.
template <class T, std::size_t Inline = 16>
class InlineArray {
 public:
  explicit InlineArray(std::size_t size) : size_(size) {
    if (size > Inline)
      heap_ = std::make_unique<T[]>(size);
    else
      std::uninitialized_value_construct_n(stack(), size);
  }
  ~InlineArray() {
    if (heap_ == nullptr) std::destroy_n(stack(), size_);
  }
  InlineArray(const InlineArray&) = delete;
  InlineArray& operator=(const InlineArray&) = delete;

  T* data() noexcept { return heap_ != nullptr ? heap_.get() : stack(); }
  T& operator[](std::size_t i) noexcept { return data()[i]; }
  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  std::size_t size() const noexcept { return size_; }

 private:
  T* stack() noexcept { return std::launder(reinterpret_cast<T*>(room_.data())); }

  std::size_t size_;
  std::unique_ptr<T[]> heap_;
  alignas(T) std::array<std::byte, sizeof(T) * Inline> room_;
};

}  // namespace surefoot
