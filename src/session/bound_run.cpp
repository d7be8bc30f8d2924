#include "session/bound_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace surefoot::session {
namespace {

/// ORT's words where an output does not fit the memory bound for it: those of 1.20 to 1.23, and of 1.27
/// to 1.32.
constexpr std::string_view kShapeDiffers[] = {"OrtValue shape verification failed",
                                              "but the computed output shape for this run is"};

/// Whether ONNX Runtime may allocate the output instead. Another prepared run may read where it lies.
bool may_leave(const Buffer& output) {
  const bool is_ours = output.holder == Holder::Run && output.owned.use_count() <= 1;
  const bool is_lent = output.holder == Holder::Caller && output.is_lent;
  return output.may_change && (is_ours || is_lent);
}

bool is_shape_mismatch(const Error& error) {
  return error.native && std::ranges::any_of(kShapeDiffers, [&](std::string_view words) {
           return error.native->text.find(words) != std::string::npos;
         });
}

Failure binding(Error error, std::string_view side, const std::string& name) {
  return fail(std::move(error).while_doing(fmt::format("binding {} `{}`", side, name)));
}

/// The link of that buffer, made where there is none yet.
template <class Links>
auto& link_of(Links& links, std::size_t index) {
  const auto at = std::ranges::find(links, index, &Links::value_type::index);
  return at == links.end() ? links.emplace_back(index) : *at;
}

}  // namespace

Result<BoundRun> BoundRun::bind(const Opened& opened, Buffers& buffers) {
  BoundRun made(opened.session);
  for (Buffer& input : buffers.inputs) input.mark_changed(buffers.turn);
  for (std::size_t turn = 0; turn < (buffers.takes_turns ? 2 : 1); ++turn)
    if (auto bound = made.bind_turn(buffers, turn); !bound) return fail(std::move(bound).error());
  made.all_bound_ = std::ranges::all_of(buffers.outputs, &Buffer::is_bound);
  return made;
}

Result<void> BoundRun::bind_turn(Buffers& buffers, std::size_t turn) {
  auto binding_of_turn = ort::Binding::make(session_);
  if (!binding_of_turn) return fail(std::move(binding_of_turn).error());
  turns_.push_back(std::move(*binding_of_turn));
  for (std::size_t i = 0; i < buffers.inputs.size(); ++i)
    if (auto bound = bind_input(buffers, i, turn); !bound)
      return binding(std::move(bound).error(), "input", buffers.inputs[i].name);
  for (std::size_t i = 0; i < buffers.outputs.size(); ++i)
    if (auto bound = bind_output(buffers, i, turn); !bound)
      return binding(std::move(bound).error(), "output", buffers.outputs[i].name);
  return {};
}

/// One for each piece of memory: a buffer that is output in one turn and input in the other stays where it
/// is. Null where the device's memory cannot be had: then ORT copies by itself.
std::shared_ptr<ort::DeviceTensor> BoundRun::mirror(const ort::Place& place, Buffer& buffer,
                                                    std::size_t turn) {
  if (place.device == nullptr || buffer.memory[turn].empty()) return nullptr;
  if (auto there = mirror_of(buffer.memory[turn])) return there;
  auto made = ort::DeviceTensor::make(session_, place.device, buffer.mutable_view(turn));
  if (made) return mirrors_.emplace_back(std::move(*made));
  no_mirror_ = std::move(made).error().what;
  return nullptr;
}

std::shared_ptr<ort::DeviceTensor> BoundRun::mirror_of(std::span<const std::byte> host) const noexcept {
  const auto at = std::ranges::find_if(mirrors_, [&](const auto& mirror) {
    return mirror->host().data() == host.data() && mirror->host().size() == host.size();
  });
  return at == mirrors_.end() ? nullptr : *at;
}

Result<void> BoundRun::bind_input(Buffers& buffers, std::size_t index, std::size_t turn) {
  Buffer& input = buffers.inputs[index];
  const ort::Place place = session_->place_of_input(input.name);
  auto mirrored = mirror(place, input, turn);
  if (!place.on_host) link_of(sent_, index).mirror[turn] = mirrored;
  return mirrored != nullptr ? turns_[turn].bind_input(input.name.c_str(), *mirrored)
                             : turns_[turn].bind_input(input.name.c_str(), input.view(turn));
}

Result<void> BoundRun::bind_output(Buffers& buffers, std::size_t index, std::size_t turn) {
  Buffer& output = buffers.outputs[index];
  if (!output.is_bound()) return turns_[turn].leave_output(output.name.c_str());
  auto mirrored = mirror(session_->place_of_output(output.name), output, turn);
  if (mirrored == nullptr) return turns_[turn].bind_output(output.name.c_str(), output.mutable_view(turn));
  link_of(fetched_, index).mirror[turn] = mirrored;
  return turns_[turn].bind_output(output.name.c_str(), *mirrored);
}

/// Whether runs write it, so that the device has it before the host.
bool BoundRun::is_fetched(const ort::DeviceTensor* mirror) const noexcept {
  return mirror != nullptr && std::ranges::any_of(fetched_, [&](const Link& link) {
           return link.mirror[0].get() == mirror || link.mirror[1].get() == mirror;
         });
}

Result<void> BoundRun::send_changes(Buffers& buffers) {
  for (const Link& link : sent_) {
    Buffer& input = buffers.inputs[link.index];
    const auto& mirror = link.mirror[buffers.turn];
    const bool written_elsewhere =
        input.holder == Holder::Caller || (input.holder == Holder::FedBack && !is_fetched(mirror.get()));
    if (!written_elsewhere && !input.is_changed(buffers.turn)) continue;
    auto sent = mirror != nullptr
                    ? mirror->send()
                    : turns_[buffers.turn].bind_input(input.name.c_str(), input.view(buffers.turn));
    if (!sent)
      return fail(std::move(sent).error().while_doing(fmt::format("sending input `{}`", input.name)));
    input.mark_sent(buffers.turn, mirror != nullptr);
  }
  return {};
}

Result<void> BoundRun::bring_home(Buffer& input, std::size_t turn) const {
  const auto mirror = mirror_of(input.memory[turn]);
  if (!std::exchange(input.is_device_newer, false) || mirror == nullptr) return {};
  if (auto got = mirror->fetch(); !got)
    return fail(std::move(got).error().while_doing(fmt::format("fetching input `{}`", input.name)));
  return {};
}

Result<void> BoundRun::fetch(Buffers& buffers) {
  for (const Link& link : fetched_) {
    const Buffer& output = buffers.outputs[link.index];
    if (!output.is_bound()) continue;
    if (auto got = link.mirror[buffers.turn]->fetch(); !got)
      return fail(std::move(got).error().while_doing(fmt::format("fetching output `{}`", output.name)));
  }
  return {};
}

std::string BoundRun::off_device(const Buffers& buffers) const {
  const auto find_off = [&](const std::vector<Buffer>& side, std::string_view word) -> std::string {
    for (const Buffer& buffer : side) {
      if (!buffer.is_bound())
        return fmt::format("the shape of {} `{}` changes from run to run", word, buffer.name);
      if (!buffer.memory[0].empty() && mirror_of(buffer.memory[0]) == nullptr)
        return fmt::format("{} `{}` does not lie on the device{}{}", word, buffer.name,
                           no_mirror_.empty() ? "" : ": ", no_mirror_);
    }
    return "";
  };
  std::string found = find_off(buffers.inputs, "input");
  return found.empty() ? find_off(buffers.outputs, "output") : found;
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
    if (auto taken = take(buffers, i); !taken) return taken;
    all_bound_ = all_bound_ && output.is_bound();
  }
  return {};
}

/// The first run tells the shape of an output: from then on it has lasting memory.
Result<void> BoundRun::take(Buffers& buffers, std::size_t index) {
  Buffer& output = buffers.outputs[index];
  const Tensor& tensor = *output.placed.tensor();
  output.shape = tensor.shape();
  if (output.holder == Holder::EachRun) return {};
  if (auto settled = settle(output, tensor); !settled) return settled;
  output.placed = {};
  for (std::size_t turn = 0; turn < turns_.size(); ++turn)
    if (auto bound = bind_output(buffers, index, turn); !bound) return bound;
  return {};
}

Result<void> BoundRun::run_turn(const ort::RunOptions& options, Buffers& buffers) {
  if (auto sent = send_changes(buffers); !sent) return sent;
  if (!all_bound_)
    if (auto left = leave_unbound(buffers); !left) return left;
  auto done = turns_[buffers.turn].run(options);
  if (done) done = fetch(buffers);
  if (done && !all_bound_) done = take_placed(buffers);
  return done;
}

Result<void> BoundRun::run(const ort::RunOptions& options, Buffers& buffers) {
  auto done = run_turn(options, buffers);
  if (done || !is_shape_mismatch(done.error())) return done;
  bool any_left = false;
  for (Buffer& output : buffers.outputs) {
    if (!may_leave(output)) continue;
    output.holder = Holder::EachRun;
    any_left = true;
  }
  all_bound_ = all_bound_ && !any_left;
  return any_left ? run_turn(options, buffers) : std::move(done);
}

}  // namespace surefoot::session
