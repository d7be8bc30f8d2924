#include "session/bound_run.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace surefoot::session {
namespace {

/// ORT's words where an output does not fit the memory bound for it: those of 1.20 to 1.23, and of 1.27
/// to 1.32.
constexpr std::string_view kShapeDiffers[] = {"OrtValue shape verification failed",
                                              "but the computed output shape for this run is"};

bool is_shape_mismatch(const Error& error) {
  return error.native && std::ranges::any_of(kShapeDiffers, [&](std::string_view words) {
           return error.native->text.find(words) != std::string::npos;
         });
}

Failure binding(Error error, std::string_view side, const std::string& name) {
  return fail(std::move(error).while_doing(fmt::format("binding {} `{}`", side, name)));
}

}  // namespace

Result<BoundRun> BoundRun::bind(const Opened& opened, Buffers& buffers) {
  BoundRun made(opened.session);
  for (std::size_t turn = 0; turn < (buffers.takes_turns ? 2 : 1); ++turn)
    if (auto bound = made.bind_turn(buffers, turn); !bound) return fail(std::move(bound).error());
  for (std::size_t i = 0; i < buffers.inputs.size(); ++i) {
    buffers.inputs[i].unsent = kBothTurns;
    if (made.turns_.front().needs_send(buffers.inputs[i].name.c_str())) made.sent_.push_back(i);
  }
  made.all_bound_ = std::ranges::all_of(buffers.outputs, &Buffer::is_bound);
  return made;
}

Result<void> BoundRun::bind_turn(Buffers& buffers, std::size_t turn) {
  auto binding_of_turn = ort::Binding::make(session_);
  if (!binding_of_turn) return fail(std::move(binding_of_turn).error());
  ort::Binding& to = turns_.emplace_back(std::move(*binding_of_turn));
  for (const Buffer& input : buffers.inputs)
    if (auto bound = to.bind_input(input.name.c_str(), input.view(turn)); !bound)
      return binding(std::move(bound).error(), "input", input.name);
  for (Buffer& output : buffers.outputs) {
    auto bound = output.is_bound() ? to.bind_output(output.name.c_str(), output.mutable_view(turn))
                                   : to.leave_output(output.name.c_str());
    if (!bound) return binding(std::move(bound).error(), "output", output.name);
  }
  return {};
}

Result<void> BoundRun::send_changes(Buffers& buffers) {
  const auto bit = static_cast<std::uint8_t>(1U << buffers.turn);
  for (const std::size_t i : sent_) {
    Buffer& input = buffers.inputs[i];
    const bool may_have_changed = input.holder != Holder::Run || (input.unsent & bit) != 0;
    if (!may_have_changed) continue;
    if (auto sent = turns_[buffers.turn].send(input.name.c_str()); !sent)
      return fail(std::move(sent).error().while_doing(fmt::format("sending input `{}`", input.name)));
    input.unsent = static_cast<std::uint8_t>(input.unsent & ~bit);
  }
  return {};
}

/// A binding keeps what the last run placed, and the next run would write over it.
Result<void> BoundRun::leave_unbound(const Buffers& buffers) {
  for (const Buffer& output : buffers.outputs)
    if (!output.is_bound())
      if (auto left = turns_[buffers.turn].leave_output(output.name.c_str()); !left) return left;
  return {};
}

Result<void> BoundRun::take_placed(Buffers& buffers) {
  auto values = turns_[buffers.turn].outputs();
  if (!values) return fail(std::move(values).error());
  all_bound_ = true;
  for (std::size_t i = 0; i < buffers.outputs.size(); ++i) {
    Buffer& output = buffers.outputs[i];
    if (output.is_bound()) continue;
    output.placed = std::move((*values)[i]);
    if (auto taken = take(output); !taken) return taken;
    all_bound_ = all_bound_ && output.is_bound();
  }
  return {};
}

/// The first run tells the shape of an output: from then on it has lasting memory.
Result<void> BoundRun::take(Buffer& output) {
  const Tensor& tensor = *output.placed.tensor();
  output.shape = tensor.shape();
  if (output.holder == Holder::EachRun) return {};
  if (auto settled = settle(output, tensor); !settled) return settled;
  output.placed = {};
  for (std::size_t turn = 0; turn < turns_.size(); ++turn)
    if (auto bound = turns_[turn].bind_output(output.name.c_str(), output.mutable_view(turn)); !bound)
      return bound;
  return {};
}

Result<void> BoundRun::run_turn(const ort::RunOptions& options, Buffers& buffers) {
  if (auto sent = send_changes(buffers); !sent) return sent;
  if (!all_bound_)
    if (auto left = leave_unbound(buffers); !left) return left;
  auto done = turns_[buffers.turn].run(options);
  if (done && !all_bound_) done = take_placed(buffers);
  return done;
}

Result<void> BoundRun::run(const ort::RunOptions& options, Buffers& buffers) {
  auto done = run_turn(options, buffers);
  if (done || !is_shape_mismatch(done.error())) return done;
  bool any_left = false;
  for (Buffer& output : buffers.outputs) {
    // Another prepared run may read where the output lies.
    if (output.holder != Holder::Run || !output.may_change || output.owned.use_count() > 1) continue;
    output.holder = Holder::EachRun;
    any_left = true;
  }
  all_bound_ = all_bound_ && !any_left;
  return any_left ? run_turn(options, buffers) : std::move(done);
}

}  // namespace surefoot::session
