/// Bytes that lie in many places, in the order in which they are to be written.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace surefoot::onnx {

/// Runs of bytes: borrowed from a mapped file or a tensor, which must outlive this, or kept here.
class Pieces {
 public:
  /// Appends a view; one that follows the last run in memory makes that run longer.
  void borrow(std::string_view bytes);
  /// Appends bytes and keeps them.
  void keep(std::string bytes);
  /// Appends the runs of `other` and takes over what it keeps.
  void append(Pieces&& other);

  const std::vector<std::string_view>& runs() const noexcept { return runs_; }
  std::uint64_t size() const noexcept { return size_; }
  /// All of it in one string.
  std::string joined() const;

 private:
  std::vector<std::string_view> runs_;
  std::deque<std::string> kept_;  // moving a deque leaves its elements where they are
  std::uint64_t size_ = 0;
  bool last_is_borrowed_ = false;
};

}  // namespace surefoot::onnx
