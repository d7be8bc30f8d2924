/// Runs one model over and over on memory that stays where it is, without allocating.
#pragma once

#include <chrono>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/dlpack.hpp"
#include "surefoot/session.hpp"

namespace surefoot {

struct PrepareOptions {
  std::map<std::string, Shape> shapes = {};  ///< of inputs, by name; an input that may be left out takes
                                             ///< part only when it has a shape here
  std::map<std::string, std::int64_t> dimensions = {};  ///< of free dimensions, by symbolic name
  std::vector<std::string> outputs = {};                ///< compute only these; empty: all
  std::map<std::string, std::string> config =
      {};  ///< raw run entries; "raw:" before a key passes it unchecked
  /// Unset: as the session was opened. Other than Off it needs a session that was opened with graph capture.
  std::optional<GraphCapture> graph = {};
};

/// What became of graph capture in a prepared run.
struct GraphState {
  GraphCapture wanted = GraphCapture::Off;
  bool captured = false;             ///< runs replay a graph
  std::optional<Error> reason = {};  ///< why they do not, where one was wanted
};

/// The inputs and outputs of a session, bound to memory once.
///
/// Shapes    frozen by prepare(): the model's, with free dimensions as given there. Where the shape of an
///           output cannot be told from them, the first run finds it; where it then differs from run to
///           run, ONNX Runtime allocates that output anew each time.
/// Memory    host memory, zeroed at the start, kept until written: what one run was given, the next one
///           finds too. Where a provider takes an input or leaves an output on its device, memory there
///           mirrors it: changed inputs go there once, before the run, and outputs come back once, after it.
///           What is fed back stays there.
/// Graphs    where asked for, the first run captures what the provider does as a graph (ONNX Runtime runs the
///           model several times for that), and later ones replay it. Each prepared run has graphs of its
///           own. All inputs and outputs must lie on the device. While one is captured, no other session of
///           the process captures or ends there; replaying waits for nobody. With CUDA and its like only the
///           thread that captured may run it. Binding other memory captures anew.
/// Fallback  as Session::infer: a provider that fails is replaced, and the same inputs run on the next one.
/// Lifetime  keeps its session alive. Views of its memory hold as long as it does, but for an output that
/// ONNX
///           Runtime allocates: until the next run.
/// Threads   one at a time, cancel() apart; clone() gives another thread a run of its own.
class PreparedRun {
 public:
  PreparedRun(PreparedRun&&) noexcept;
  PreparedRun& operator=(PreparedRun&&) noexcept;
  ~PreparedRun();

  /// Names, types and shapes as they are bound; the shape of an output that no run has told yet has a
  /// free axis.
  std::vector<ValueInfo> inputs() const;
  std::vector<ValueInfo> outputs() const;

  /// The elements of input `name`, to be written: the outputs of earlier runs are gone from here on. On a
  /// provider with memory of its own take the view anew before each change.
  /// Errors: NotFound with the nearest name, InvalidArgument (another type; memory that only the caller
  /// may write), InvalidState while a run is under way.
  template <Element T>
  Result<std::span<T>> input(std::string_view name) {
    auto view = input_view(name);
    if (!view) return fail(std::move(view).error());
    if (view->type != element_type_of<T>)
      return fail(detail::wrong_element_type(view->type, element_type_of<T>));
    return std::span<T>(reinterpret_cast<T*>(view->bytes.data()), view->bytes.size() / sizeof(T));
  }
  Result<MutableTensorView> input_view(std::string_view name);

  /// Copies `data`, whose type and shape must be the input's. Errors: as input(), and InvalidInput.
  Result<void> write(std::string_view name, const TensorView& data);

  /// Reads input `name` from the caller's memory from here on: it is read by each run, and must outlive the
  /// binding. Errors: as write(), and InvalidArgument when the memory is not aligned to its element type.
  Result<void> bind_input(std::string_view name, const TensorView& memory);
  /// Writes output `name` to the caller's memory from here on. Errors: as bind_input().
  Result<void> bind_output(std::string_view name, const MutableTensorView& memory);
  /// The same for as long as it fits: where the model does not state the shape in numbers, and a run gives
  /// another one, ONNX Runtime allocates the output from then on, as it does in place of the run's own
  /// memory.
  Result<void> lend_output(std::string_view name, const MutableTensorView& memory);
  /// Reads input `name` from where `source` puts its output `output`: no copy between the two. That memory
  /// lives as long as either. Errors: as bind_input(); InvalidState where `source` has no lasting memory
  /// for that output: one that ONNX Runtime allocates, that is fed back, or the caller's.
  Result<void> bind_input(std::string_view name, const PreparedRun& source, std::string_view output);
  /// Makes each run read as input `input` what the run before it gave as output `output`: the state of a
  /// recurrent model. The two change places after each run, so that nothing is copied; the first run finds
  /// what was written to the input. Errors: NotFound, InvalidArgument where type or shape differ, or memory
  /// is the caller's.
  Result<void> feed_back(std::string_view output, std::string_view input);

  /// Runs. Returns when the outputs can be read. Allocates nothing of ours and takes no lock, but for the
  /// first run and the one after a fallback. Where the session verifies, the first run of a candidate is
  /// preceded by the comparison, on this run's inputs.
  /// Errors: RunFailed, OutOfMemory, ProviderFailed; Cancelled; InvalidState (another thread's run is under
  /// way; the graph was captured by another thread; after fork()); Unsupported and what ORT said, where a
  /// graph is required and cannot be captured.
  Result<void> run();
  /// Does all that only a first run does, on the inputs as they are: binds, compiles, captures. No feedback
  /// takes place, and the outputs of earlier runs are gone. A run with feedback captures a second graph in
  /// its second run. What SessionOptions::verify compares is left to the first run, whose inputs count.
  /// Errors: as run().
  Result<void> warm_up();
  /// Not to be called while a run is under way.
  const GraphState& graph() const noexcept;
  /// The same with a limit. Errors: TimedOut; the session stays usable.
  Result<void> run(std::chrono::steady_clock::time_point deadline);
  Result<void> run(std::chrono::microseconds limit) { return run(std::chrono::steady_clock::now() + limit); }
  /// Runs on a thread of its own and calls `done` from there.
  /// Errors: InvalidState at once; all others are handed to `done`.
  Result<void> run_async(std::function<void(Result<void>)> done);
  std::future<Result<void>> run_async();
  /// Ends the run that is under way, if there is one, between two of its nodes: it answers Cancelled.
  void cancel() noexcept;

  /// The elements of output `name` of the last run. Errors: NotFound with the nearest name,
  /// InvalidArgument (another type), InvalidState (no run yet; the last one failed; an input was taken to be
  /// written since).
  template <Element T>
  Result<std::span<const T>> output(std::string_view name) const {
    auto view = output_view(name);
    if (!view) return fail(std::move(view).error());
    return view->template as<T>();
  }
  Result<TensorView> output_view(std::string_view name) const;

  /// Output `name` of the last run where it lies, for another framework: on the provider's device, or in the
  /// host's memory. The next run writes over it. Errors: as output_view(), and Unsupported (an element type
  /// or a device that DLPack has no name for; an output that ONNX Runtime allocates).
  Result<dlpack::Exported> output_dlpack(std::string_view name) const;
  /// Input `name` where the provider reads it, to be written there between runs: what was written to the
  /// host's memory before is there already. It counts until input() or write() takes the host's memory again,
  /// and moves along when a provider fails, as far as its device can still be read. The outputs of earlier
  /// runs are gone. Errors: as input(); InvalidState before warm_up() or a run; Unsupported as
  /// output_dlpack().
  Result<dlpack::Exported> input_dlpack(std::string_view name);

  /// A prepared run of the same session, shapes and feedback with memory of its own, as if just prepared.
  /// Memory that the caller bound is not bound there.
  Result<PreparedRun> clone() const;

  const Session& session() const noexcept;

 private:
  friend class Session;
  struct State;
  explicit PreparedRun(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace surefoot
