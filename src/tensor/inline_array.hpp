/// An array whose size is known once: on the stack while it is short.
#pragma once

#include <array>
#include <cstddef>
#include <memory>

namespace surefoot {

/// `size` value-initialised elements; up to `Inline` of them need no heap.
template <class T, std::size_t Inline = 16>
class InlineArray {
 public:
  explicit InlineArray(std::size_t size) : size_(size) {
    if (size > Inline) heap_ = std::make_unique<T[]>(size);
  }
  InlineArray(const InlineArray&) = delete;
  InlineArray& operator=(const InlineArray&) = delete;

  T* data() noexcept { return size_ > Inline ? heap_.get() : stack_.data(); }
  T& operator[](std::size_t i) noexcept { return data()[i]; }
  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  std::size_t size() const noexcept { return size_; }

 private:
  std::size_t size_;
  std::array<T, Inline> stack_{};
  std::unique_ptr<T[]> heap_;
};

}  // namespace surefoot
