#include "onnx/pieces.hpp"

#include <utility>

namespace surefoot::onnx {

void Pieces::borrow(std::string_view bytes) {
  if (bytes.empty()) return;
  size_ += bytes.size();
  const bool follows = last_is_borrowed_ && runs_.back().data() + runs_.back().size() == bytes.data();
  if (follows)
    runs_.back() = {runs_.back().data(), runs_.back().size() + bytes.size()};
  else
    runs_.push_back(bytes);
  last_is_borrowed_ = true;
}

void Pieces::keep(std::string bytes) {
  if (bytes.empty()) return;
  size_ += bytes.size();
  runs_.push_back(kept_.emplace_back(std::move(bytes)));
  last_is_borrowed_ = false;
}

void Pieces::append(Pieces&& other) {
  // A string that fits into its own object moves when its deque grows: each goes over on its own.
  std::deque<std::string>& from = other.kept_;
  std::size_t next = 0;
  for (const std::string_view run : other.runs_) {
    const bool ours = next < from.size() && run.data() == from[next].data();
    if (ours)
      keep(std::move(from[next++]));
    else
      borrow(run);
  }
  other = Pieces();
}

std::string Pieces::joined() const {
  std::string all;
  all.reserve(size_);
  for (const std::string_view run : runs_) all += run;
  return all;
}

}  // namespace surefoot::onnx
