#include "surefoot/prepared_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "error/suggest.hpp"
#include "session/config_keys.hpp"
#include "session/prepared_state.hpp"

namespace surefoot {

using session::Buffer;
using session::Buffers;
using session::Holder;

namespace {

/// Errors: NotFound with the nearest name.
template <class List>
auto find(List& buffers, std::string_view side, std::string_view name) -> Result<decltype(buffers.data())> {
  const auto at = std::ranges::find(buffers, name, &Buffer::name);
  if (at != buffers.end()) return &*at;
  std::vector<std::string> names;
  for (const Buffer& buffer : buffers) names.push_back(buffer.name);
  return fail({.code = ErrorCode::NotFound,
               .what = fmt::format("the prepared run has no {} `{}`", side, name),
               .hint = suggestion(name, names)});
}

struct Described {
  std::string_view side;
  ElementType type;
  std::span<const std::int64_t> shape;
  std::span<const std::byte> bytes;
};

Failure misfit(const Buffer& buffer, const Described& given) {
  return fail({.code = ErrorCode::InvalidInput,
               .what = fmt::format("{} `{}` is {}{} of {} bytes, the prepared run wants {}{}", given.side,
                                   buffer.name, to_string(given.type), to_string(given.shape),
                                   given.bytes.size(), to_string(buffer.type), to_string(buffer.shape))});
}

/// Whether memory is exactly what the buffer holds. An output whose shape no run has told yet takes any.
Result<void> check_fits(const Buffer& buffer, const Described& given) {
  const auto count = element_count(given.shape);
  const bool whole = count && storage_bytes(given.type, *count) == given.bytes.size();
  const bool any_shape = buffer.holder == Holder::FirstRun || buffer.holder == Holder::EachRun;
  if (whole && given.type == buffer.type && (any_shape || std::ranges::equal(given.shape, buffer.shape)))
    return {};
  return misfit(buffer, given);
}

/// ONNX Runtime takes any address; its kernels read whole elements.
Result<void> check_aligned(const Buffer& buffer, const Described& given) {
  const std::size_t wanted = storage_bytes(given.type, 1).value_or(1);
  const std::size_t alignment = std::min<std::size_t>(wanted, alignof(std::max_align_t));
  const auto address = reinterpret_cast<std::uintptr_t>(given.bytes.data());
  if (address % alignment == 0) return {};
  return fail({.code = ErrorCode::InvalidArgument,
               .what = fmt::format("memory for {} `{}` begins at {:#x}, and {} wants a multiple of {}",
                                   given.side, buffer.name, address, to_string(given.type), alignment),
               .hint = fmt::format("align it to {} bytes, or copy it in by `write`", alignment)});
}

/// Errors: InvalidState for memory that others rely on.
Result<void> check_free(const Buffer& buffer, std::string_view side) {
  const bool shared = buffer.holder == Holder::Run && buffer.owned.use_count() > 1;
  if (buffer.holder != Holder::FedBack && !shared) return {};
  return fail({.code = ErrorCode::InvalidState,
               .what = fmt::format("the memory of {} `{}` is {}", side, buffer.name,
                                   shared ? "read by another prepared run" : "fed back already")});
}

/// Everything that memory must be to take the buffer's place.
Result<void> check_bindable(const Buffer& buffer, const Described& given) {
  auto checked = check_fits(buffer, given);
  if (checked) checked = check_aligned(buffer, given);
  if (checked) checked = check_free(buffer, given.side);
  return checked;
}

/// Whether what the output holds can be the input; the shape of an output may not be known yet.
bool is_same_kind(const Buffer& output, const Buffer& input) {
  return output.type == input.type && (!output.is_bound() || output.shape == input.shape);
}

void take_over(Buffer& buffer, std::span<std::byte> memory, std::span<const std::int64_t> shape) {
  buffer.memory.fill(memory);
  buffer.shape.assign(shape.begin(), shape.end());
  buffer.holder = Holder::Caller;
  buffer.is_lent = false;
  buffer.owned.reset();
  buffer.placed = {};
}

std::vector<ValueInfo> describe(const std::vector<Buffer>& buffers) {
  std::vector<ValueInfo> infos;
  for (const Buffer& buffer : buffers) {
    ValueInfo info{.name = buffer.name, .type = {.element = buffer.type}};
    if (buffer.holder != Holder::FirstRun) {
      info.type.shape.emplace();
      for (const std::int64_t size : buffer.shape) info.type.shape->push_back({.size = size});
    }
    infos.push_back(std::move(info));
  }
  return infos;
}

Error not_ours(std::string_view input) {
  return {.code = ErrorCode::InvalidArgument,
          .what = fmt::format("input `{}` is read from memory that is not the prepared run's own", input),
          .hint = "write to that memory"};
}

/// Graphs of the run's own have numbers of their own.
Result<void> check_graph_id(const PrepareOptions& options, GraphCapture of_session) {
  const auto entries = session::plain_entries(options.config);
  if (options.graph.value_or(of_session) == GraphCapture::Off || !entries.contains(ort::kGraphId)) return {};
  return fail({.code = ErrorCode::InvalidArgument,
               .what = fmt::format("`{}` is set to {} where graphs are captured, which numbers them itself",
                                   ort::kGraphId, entries.at(ort::kGraphId)),
               .hint = "leave it out, or prepare without `graph`"});
}

}  // namespace

Result<PreparedRun> Session::prepare(PrepareOptions options) const {
  if (auto checked = state_->check_process(); !checked) return fail(std::move(checked).error());
  if (auto checked = check_graph_id(options, state_->options.graph_capture); !checked)
    return fail(std::move(checked).error());
  if (auto checked = session::check_keys(session::KeyScope::Run, options.config); !checked)
    return fail(std::move(checked).error());
  if (auto names = session::names_of(state_->interface, options.outputs); !names)
    return fail(std::move(names).error());
  auto layout = session::lay_out(state_->interface, options);
  if (!layout) return fail(std::move(layout).error());
  auto buffers = session::make_buffers(*layout);
  if (!buffers) return fail(std::move(buffers).error());
  session::RunControls controls(state_->runtime.environment().api(), session::plain_entries(options.config));
  if (auto set = controls.set(false); !set) return fail(std::move(set).error());
  return PreparedRun(std::make_unique<PreparedRun::State>(*this, state_, std::move(options),
                                                          std::move(*buffers), std::move(controls)));
}

PreparedRun::PreparedRun(std::unique_ptr<State> state) : state_(std::move(state)) {}
PreparedRun::PreparedRun(PreparedRun&&) noexcept = default;
PreparedRun& PreparedRun::operator=(PreparedRun&&) noexcept = default;
PreparedRun::~PreparedRun() = default;

const Session& PreparedRun::session() const noexcept { return state_->session; }
const GraphState& PreparedRun::graph() const noexcept { return state_->graph; }
std::vector<ValueInfo> PreparedRun::inputs() const { return describe(state_->buffers.inputs); }
std::vector<ValueInfo> PreparedRun::outputs() const { return describe(state_->buffers.outputs); }

Result<MutableTensorView> PreparedRun::input_view(std::string_view name) {
  if (auto idle = state_->check_idle(); !idle) return fail(std::move(idle).error());
  auto input = find(state_->buffers.inputs, "input", name);
  if (!input) return fail(std::move(input).error());
  if ((*input)->holder == Holder::Caller) return fail(not_ours(name));
  if (state_->bound)
    if (auto home = state_->bound->bring_home(**input, state_->buffers.turn); !home)
      return fail(std::move(home).error());
  (*input)->mark_changed(state_->buffers.turn);
  state_->answer = State::Answer::InputTaken;
  state_->input_taken = (*input)->name;
  return (*input)->mutable_view(state_->buffers.turn);
}

Result<void> PreparedRun::write(std::string_view name, const TensorView& data) {
  auto input = find(state_->buffers.inputs, "input", name);
  if (!input) return fail(std::move(input).error());
  if (auto fits = check_fits(**input, {"input", data.type, data.shape, data.bytes}); !fits) return fits;
  auto view = input_view(name);
  if (!view) return fail(std::move(view).error());
  if (!data.bytes.empty()) std::memmove(view->bytes.data(), data.bytes.data(), data.bytes.size());
  return {};
}

Result<dlpack::Exported> PreparedRun::input_dlpack(std::string_view name) {
  auto input = find(state_->buffers.inputs, "input", name);
  if (!input) return fail(std::move(input).error());
  if ((*input)->holder == Holder::Caller) return fail(not_ours(name));
  return state_->export_input(**input);
}

Result<dlpack::Exported> PreparedRun::output_dlpack(std::string_view name) const {
  auto output = find(std::as_const(state_->buffers.outputs), "output", name);
  if (!output) return fail(std::move(output).error());
  return state_->export_output(**output);
}

Result<void> PreparedRun::bind_input(std::string_view name, const TensorView& memory) {
  if (auto idle = state_->check_idle(); !idle) return idle;
  auto input = find(state_->buffers.inputs, "input", name);
  if (!input) return fail(std::move(input).error());
  const Described given{"input", memory.type, memory.shape, memory.bytes};
  if (auto checked = check_bindable(**input, given); !checked) return checked;
  // ONNX Runtime has one type for tensors that are read and written; it does not write to an input.
  auto* const bytes = const_cast<std::byte*>(memory.bytes.data());
  take_over(**input, {bytes, memory.bytes.size()}, memory.shape);
  return state_->unbind();
}

Result<void> PreparedRun::bind_output(std::string_view name, const MutableTensorView& memory) {
  if (auto idle = state_->check_idle(); !idle) return idle;
  auto output = find(state_->buffers.outputs, "output", name);
  if (!output) return fail(std::move(output).error());
  const Described given{"output", memory.type, memory.shape, memory.bytes};
  if (auto checked = check_bindable(**output, given); !checked) return checked;
  take_over(**output, memory.bytes, memory.shape);
  return state_->unbind();
}

Result<void> PreparedRun::lend_output(std::string_view name, const MutableTensorView& memory) {
  auto bound = bind_output(name, memory);
  if (bound) (*find(state_->buffers.outputs, "output", name))->is_lent = true;
  return bound;
}

Result<void> PreparedRun::bind_input(std::string_view name, const PreparedRun& source,
                                     std::string_view output) {
  auto from = find(source.state_->buffers.outputs, "output", output);
  if (!from) return fail(std::move(from).error());
  if ((*from)->holder != Holder::Run)
    return fail({.code = ErrorCode::InvalidState,
                 .what = fmt::format("output `{}` has no lasting memory of its own to read from", output),
                 .hint = "its shape may be known after a first run; or bind memory of yours to both"});
  const std::shared_ptr<Tensor> shared = (*from)->owned;
  if (auto bound = bind_input(name, shared->view()); !bound) return bound;
  (*find(state_->buffers.inputs, "input", name))->owned = shared;
  return {};
}

Result<void> PreparedRun::feed_back(std::string_view output, std::string_view input) {
  if (auto idle = state_->check_idle(); !idle) return idle;
  auto from = find(state_->buffers.outputs, "output", output);
  if (!from) return fail(std::move(from).error());
  auto to = find(state_->buffers.inputs, "input", input);
  if (!to) return fail(std::move(to).error());
  auto checked = check_free(**from, "output");
  if (checked) checked = check_free(**to, "input");
  if (!checked) return checked;
  if ((*from)->holder == Holder::Caller || (*to)->holder == Holder::Caller)
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("`{}` cannot be fed back to `{}`: memory of the caller is bound there",
                                     output, input)});
  if (!is_same_kind(**from, **to))
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("output `{}` is {}{}, and cannot be input `{}`: {}{}", output,
                                     to_string((*from)->type), to_string((*from)->shape), input,
                                     to_string((*to)->type), to_string((*to)->shape))});
  if (auto fed = session::feed_back(state_->buffers, **from, **to); !fed) return fed;
  state_->fed_back.emplace_back(output, input);
  return state_->unbind();
}

Result<TensorView> PreparedRun::output_view(std::string_view name) const {
  auto output = find(std::as_const(state_->buffers.outputs), "output", name);
  if (!output) return fail(std::move(output).error());
  if (auto there = state_->check_output(); !there) return fail(std::move(there).error());
  if (const Tensor* placed = (*output)->placed.tensor()) return placed->view();
  return (*output)->view(state_->buffers.last_turn());
}

Result<void> PreparedRun::run() { return state_->run(); }
Result<void> PreparedRun::warm_up() { return state_->warm_up(); }

Result<void> PreparedRun::run(std::chrono::steady_clock::time_point deadline) {
  if (auto entered = state_->enter(); !entered) return entered;
  const auto begin = std::chrono::steady_clock::now();
  state_->alarm.set(deadline);
  auto done = state_->run_entered();
  if (!state_->alarm.clear() || done || done.error().code != ErrorCode::Cancelled) return done;
  Error error = std::move(done).error();
  error.code = ErrorCode::TimedOut;
  error.what = fmt::format("the run was ended at its limit of {:.1f} ms",
                           std::chrono::duration<double, std::milli>(deadline - begin).count());
  return fail(std::move(error));
}

Result<void> PreparedRun::run_async(std::function<void(Result<void>)> done) {
  if (auto entered = state_->enter(); !entered) return entered;
  state_->worker.do_next([state = state_.get(), done = std::move(done)] { done(state->run_entered()); });
  return {};
}

std::future<Result<void>> PreparedRun::run_async() {
  auto promise = std::make_shared<std::promise<Result<void>>>();
  auto started = run_async([promise](Result<void> done) { promise->set_value(std::move(done)); });
  if (!started) promise->set_value(std::move(started));
  return promise->get_future();
}

void PreparedRun::cancel() noexcept { state_->cancel(); }

Result<PreparedRun> PreparedRun::clone() const {
  auto made = state_->session.prepare(state_->prepared_with);
  if (!made) return made;
  for (const auto& [output, input] : state_->fed_back)
    if (auto fed = made->feed_back(output, input); !fed) return fail(std::move(fed).error());
  return made;
}

}  // namespace surefoot
