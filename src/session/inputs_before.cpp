#include "session/inputs_before.hpp"

#include <algorithm>

#include "session/overlap.hpp"

namespace surefoot::session {
namespace {

bool is_written_over(const Buffer& input, const Buffers& buffers) {
  return std::ranges::any_of(buffers.outputs, [&](const Buffer& output) {
    return overlap(output.memory[buffers.turn], input.memory[buffers.turn]);
  });
}

}  // namespace

bool InputsBefore::is_needed(const Buffers& buffers) {
  return std::ranges::any_of(buffers.inputs,
                             [&](const Buffer& input) { return is_written_over(input, buffers); });
}

InputsBefore::InputsBefore(const Buffers& buffers) {
  for (const Buffer& input : buffers.inputs) {
    const std::span<std::byte> place = input.memory[buffers.turn];
    if (is_written_over(input, buffers)) kept_.push_back({place, {place.begin(), place.end()}});
  }
}

void InputsBefore::restore() const {
  for (const Kept& kept : kept_) std::ranges::copy(kept.bytes, kept.place.begin());
}

}  // namespace surefoot::session
