#include "session/prepared_state.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "session/dlpack_export.hpp"

namespace surefoot {

using session::Buffer;
using session::Buffers;
using session::OpenedPtr;

namespace {

bool is_of_first_run(const Buffer& output) { return output.holder == session::Holder::FirstRun; }

/// Who keeps that memory; null where it is the caller's.
std::shared_ptr<const void> owner_of(const Buffers& buffers, std::span<const std::byte> memory) {
  for (const auto* side : {&buffers.inputs, &buffers.outputs})
    for (const Buffer& buffer : *side)
      if (buffer.owned != nullptr && buffer.owned->bytes().data() == memory.data()) return buffer.owned;
  return nullptr;
}

Error no_graph(std::string_view because) {
  return {.code = ErrorCode::Unsupported, .what = fmt::format("no graph can be captured: {}", because)};
}

}  // namespace

Result<void> PreparedRun::State::check_idle() const {
  if (gate.is_open()) return {};
  return fail({.code = ErrorCode::InvalidState,
               .what = "a run of this prepared run is under way",
               .hint = "wait for it, or give each thread a `clone()`"});
}

Result<void> PreparedRun::State::check_thread() const {
  const bool replays = graphs != nullptr && core->chain.is_current(on.get());
  return replays ? graphs->check_thread() : Result<void>();
}

Result<void> PreparedRun::State::check_output() const {
  constexpr auto refuse = [](std::string what, std::string hint) {
    return fail({.code = ErrorCode::InvalidState, .what = std::move(what), .hint = std::move(hint)});
  };
  switch (answer) {
    case Answer::None:
      return refuse("there are no outputs yet: nothing has run", "call `run()` first");
    case Answer::Failed:
      return refuse("there are no outputs: the last run failed", "call `run()` again");
    case Answer::InputTaken:
      return refuse(
          fmt::format("the outputs are out of date: input `{}` was taken to be written", input_taken),
          "call `run()` again");
    case Answer::Fresh:
      break;
  }
  return check_idle();
}

Result<void> PreparedRun::State::enter() {
  if (auto checked = core->check_process(); !checked) return checked;
  return gate.enter() ? Result<void>() : check_idle();
}

Result<void> PreparedRun::State::unbind() {
  Result<void> fetched;
  if (bound)
    for (Buffer& input : buffers.inputs)
      if (auto got = bound->bring_home(input, buffers.turn); !got) fetched = std::move(got);
  graphs.reset();
  bound.reset();
  graph.captured = false;
  return fetched;
}

Result<void> PreparedRun::State::bind(const OpenedPtr& opened) {
  if (auto free = unbind(); !free) return free;
  auto made = session::BoundRun::bind(*opened, buffers);
  if (!made) return fail(std::move(made).error());
  bound = std::move(*made);
  on = opened;
  return prepare_graphs();
}

/// Goes on with plain runs, or gives the reason as the error where graphs are required.
Result<void> PreparedRun::State::do_without_graph(Error reason, bool noted) {
  graphs.reset();
  graph.captured = false;
  graph.reason = reason;
  if (graph.wanted == GraphCapture::Require) {
    is_refused = true;
    (void)unbind();
    return fail(std::move(reason));
  }
  if (!noted) core->chain.note(*on->candidate, Stage::Capture, std::move(reason));
  return {};
}

Result<void> PreparedRun::State::prepare_graphs() {
  const bool captures = on->graphs.device != nullptr;
  graph.reason.reset();
  if (graph.wanted == GraphCapture::Off) return controls.set(captures);
  if (captures) {
    graphs = std::make_unique<session::CapturedGraphs>(on);
    return controls.set(true, graphs->ids());
  }
  const bool noted = on->graphs.absent.has_value();
  Error reason = noted ? *on->graphs.absent
                       : Error{.code = ErrorCode::InvalidState,
                               .what = "the session was opened without graph capture",
                               .hint = "open it with `graph_capture`"};
  if (auto plain = do_without_graph(std::move(reason), noted); !plain) return plain;
  return controls.set(false);
}

Result<void> PreparedRun::State::capture() {
  if (std::string off = bound->off_device(buffers); !off.empty()) {
    auto plain = do_without_graph(no_graph(off), false);
    return plain ? bound->run(controls.without_graph(), buffers) : std::move(plain);
  }
  auto done = graphs->capture(buffers.turn,
                              [this] { return bound->run(controls.with_graph(buffers.turn), buffers); });
  graph.captured = graphs->is_any_captured();
  if (done)
    return bound->is_all_bound() ? std::move(done)
                                 : do_without_graph(no_graph(bound->off_device(buffers)), false);
  if (done.error().code == ErrorCode::Cancelled || graph.wanted == GraphCapture::Require) return done;
  auto plain = bound->run(controls.without_graph(), buffers);
  if (!plain) return plain;
  return do_without_graph(std::move(done).error().while_doing("capturing a graph"), false);
}

Result<void> PreparedRun::State::run_bound() {
  if (graphs == nullptr) return bound->run(controls.without_graph(), buffers);
  if (graphs->is_captured(buffers.turn)) return bound->run(controls.with_graph(buffers.turn), buffers);
  // A graph keeps where its outputs lie, which the first run tells for some.
  if (std::ranges::any_of(buffers.outputs, is_of_first_run))
    return bound->run(controls.without_graph(), buffers);
  return capture();
}

/// Holds the candidate against the CPU where nobody has yet. The runs that this takes leave the buffers as
/// they are. Not while warming up: inputs that nobody has written yet would prove little.
Result<void> PreparedRun::State::verify() {
  std::vector<ort::Argument> arguments;
  for (Buffer& input : buffers.inputs) {
    // Whoever writes to the device may do so again.
    const bool is_device_newer = input.is_device_newer;
    auto fetched = bound->bring_home(input, buffers.turn);
    input.is_device_newer = is_device_newer;
    if (!fetched) return fetched;
    arguments.push_back({.name = input.name.c_str(), .tensor = input.view(buffers.turn)});
  }
  return core->verify(on, arguments, failed_at, controls.stop_beside());
}

Result<void> PreparedRun::State::run_verified() {
  // Asked here, on the way of every run, and not in there.
  if (core->is_to_verify(*on) && !is_warming_up)
    if (auto verified = verify(); !verified) return verified;
  return run_bound();
}

Result<void> PreparedRun::State::recover(Error error) {
  const bool in_place = session::InputsBefore::is_needed(buffers);
  // A run may have written over its own inputs; a comparison has not.
  if (is_refused || (in_place && failed_at != Stage::Verify)) return fail(std::move(error));
  const session::InputsBefore before(buffers);
  const OpenedPtr failed = on;
  auto done = core->chain.recover(
      failed, error,
      [this, &before](const OpenedPtr& opened, Stage& stage) {
        before.restore();
        failed_at = Stage::Run;
        auto tried = bind(opened);
        if (tried) tried = run_verified();
        stage = failed_at;
        return tried;
      },
      failed_at);
  if (!done) before.restore();
  // That the next candidate captures no graph is not what went wrong.
  if (!done && is_refused) return fail(std::move(error));
  return done;
}

Result<void> PreparedRun::State::run_on_current() {
  if (bound && core->chain.is_current(on.get())) return run_verified();
  if (auto free = unbind(); !free) return free;
  auto now = core->chain.in_use();
  if (!now) return fail(std::move(now).error());
  on = *now;
  auto done = bind(*now);
  return done ? run_verified() : std::move(done);
}

Result<void> PreparedRun::State::run_anywhere() {
  is_refused = false;
  failed_at = Stage::Run;
  answer = Answer::Failed;
  auto done = run_on_current();
  if (!done && on != nullptr) done = recover(std::move(done).error());
  return done;
}

Result<void> PreparedRun::State::leave(Result<void> done) {
  gate.leave([this] { controls.resume(); });
  if (done) return done;
  return fail(std::move(done).error().while_doing(fmt::format("running {}", core->source.name())));
}

Result<void> PreparedRun::State::run_entered() {
  if (auto checked = check_thread(); !checked) return leave(std::move(checked));
  auto done = run_anywhere();
  if (done) {
    if (buffers.takes_turns) buffers.turn = 1 - buffers.turn;
    answer = Answer::Fresh;
  }
  return leave(std::move(done));
}

Result<void> PreparedRun::State::warm_up() {
  if (auto entered = enter(); !entered) return entered;
  if (auto checked = check_thread(); !checked) return leave(std::move(checked));
  is_warming_up = true;
  auto done = run_anywhere();
  // The first run may only have told where the outputs are to lie.
  if (done && graphs != nullptr && !graphs->is_captured(buffers.turn)) done = run_anywhere();
  is_warming_up = false;
  if (done) answer = Answer::None;
  return leave(std::move(done));
}

Result<void> PreparedRun::State::run() {
  if (auto entered = enter(); !entered) return entered;
  return run_entered();
}

Result<dlpack::Exported> PreparedRun::State::export_buffer(const Buffer& buffer, std::size_t turn) const {
  const auto mirror = bound ? bound->mirror_of(buffer.memory[turn]) : nullptr;
  session::DlpackSource source{.data = buffer.memory[turn].data(),
                               .device = {dlpack::DeviceType::Cpu, 0},
                               .type = buffer.type,
                               .shape = buffer.shape,
                               .owner = owner_of(buffers, buffer.memory[turn])};
  if (mirror == nullptr) return session::export_dlpack(std::move(source));
  if (on->dlpack_device == 0)
    return fail({.code = ErrorCode::Unsupported,
                 .what = fmt::format("DLPack has no name for the memory of `{}`", on->candidate->name),
                 .hint = "read it by a view instead"});
  source.data = mirror->address();
  source.device = {static_cast<dlpack::DeviceType>(on->dlpack_device), mirror->device_number()};
  source.owner = mirror;
  return session::export_dlpack(std::move(source));
}

Result<dlpack::Exported> PreparedRun::State::export_output(const Buffer& output) const {
  if (auto there = check_output(); !there) return fail(std::move(there).error());
  if (!output.is_bound())
    return fail({.code = ErrorCode::Unsupported,
                 .what = fmt::format("ONNX Runtime allocates output `{}` anew in each run", output.name),
                 .hint = "bind memory of yours to it, or read it by a view"});
  return export_buffer(output, buffers.last_turn());
}

Result<dlpack::Exported> PreparedRun::State::export_input(Buffer& input) {
  if (auto idle = check_idle(); !idle) return fail(std::move(idle).error());
  if (!bound || !core->chain.is_current(on.get()))
    return fail({.code = ErrorCode::InvalidState,
                 .what = fmt::format("where input `{}` lies is not known before a run", input.name),
                 .hint = "call `warm_up()` first"});
  if (auto sent = bound->send_changes(buffers); !sent) return fail(std::move(sent).error());
  auto made = export_buffer(input, buffers.turn);
  if (!made) return made;
  input.is_device_newer = bound->mirror_of(input.memory[buffers.turn]) != nullptr;
  answer = Answer::InputTaken;
  input_taken = input.name;
  return made;
}

}  // namespace surefoot
