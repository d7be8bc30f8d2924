#include "session/buffers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace surefoot::session {
namespace {

Result<void> hold(Buffer& buffer, Result<Tensor> made) {
  if (!made)
    return fail(std::move(made).error().while_doing(fmt::format("making room for `{}`", buffer.name)));
  buffer.owned = std::make_shared<Tensor>(std::move(*made));
  buffer.shape = buffer.owned->shape();
  buffer.holder = Holder::Run;
  buffer.memory.fill(buffer.owned->mutable_bytes());
  return {};
}

Result<std::vector<Buffer>> make_side(const std::vector<Slot>& slots) {
  std::vector<Buffer> buffers;
  for (const Slot& slot : slots) {
    const ValueInfo& info = slot.port->info;
    Buffer buffer{.name = info.name, .type = info.type.element, .holder = Holder::FirstRun};
    buffer.may_change = !info.type.shape || !std::ranges::all_of(*info.type.shape, &Dimension::is_fixed);
    if (slot.shape)
      if (auto held = hold(buffer, Tensor::zeros(buffer.type, *slot.shape)); !held)
        return fail(std::move(held).error());
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

}  // namespace

Result<Buffers> make_buffers(const PreparedLayout& layout) {
  auto inputs = make_side(layout.inputs);
  if (!inputs) return fail(std::move(inputs).error());
  auto outputs = make_side(layout.outputs);
  if (!outputs) return fail(std::move(outputs).error());
  return Buffers{.inputs = std::move(*inputs), .outputs = std::move(*outputs)};
}

Result<void> settle(Buffer& output, const Tensor& first) { return hold(output, first.clone()); }

Result<void> feed_back(Buffers& buffers, Buffer& output, Buffer& input) {
  if (output.holder == Holder::FirstRun)
    if (auto held = hold(output, Tensor::zeros(input.type, input.shape)); !held) return held;
  buffers.takes_turns = true;
  // Whatever turn it is: the next run reads what stands in the input now.
  const std::size_t now = buffers.turn, then = 1 - now;
  input.memory[then] = output.memory[now];
  output.memory[then] = input.memory[now];
  input.holder = output.holder = Holder::FedBack;
  return {};
}

}  // namespace surefoot::session
