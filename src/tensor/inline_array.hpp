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
  explicit InlineArray(std::size_t size) : size_(size), data_(size > Inline ? new T[size]() : stack()) {
    if (!is_on_heap()) std::uninitialized_value_construct_n(data_, size);
  }
  ~InlineArray() {
    if (is_on_heap())
      delete[] data_;
    else
      std::destroy_n(data_, size_);
  }
  InlineArray(const InlineArray&) = delete;
  InlineArray& operator=(const InlineArray&) = delete;

  T* data() noexcept { return data_; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  std::size_t size() const noexcept { return size_; }

 private:
  T* stack() noexcept { return std::launder(reinterpret_cast<T*>(room_.data())); }
  bool is_on_heap() const noexcept { return size_ > Inline; }

  std::size_t size_;
  T* data_;
  alignas(T) std::array<std::byte, sizeof(T) * Inline> room_;
};

}  // namespace surefoot
