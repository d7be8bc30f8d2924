/// What one prepared run holds, and how it runs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "session/alarm.hpp"
#include "session/bound_run.hpp"
#include "session/captured_graphs.hpp"
#include "session/inputs_before.hpp"
#include "session/run_controls.hpp"
#include "session/run_gate.hpp"
#include "session/session_state.hpp"
#include "session/worker.hpp"
#include "surefoot/prepared_run.hpp"

namespace surefoot {

struct PreparedRun::State {
  State(const Session& of, std::shared_ptr<session::SessionState> held, PrepareOptions wanted,
        session::Buffers made, session::RunControls made_controls)
      : session(of),
        core(std::move(held)),
        prepared_with(std::move(wanted)),
        buffers(std::move(made)),
        controls(std::move(made_controls)) {
    graph.wanted = prepared_with.graph.value_or(core->options.graph_capture);
  }
  ~State() { cancel(); }

  /// Errors: InvalidState while a run is under way.
  Result<void> check_idle() const;
  /// Errors: InvalidState, where the graph belongs to another thread.
  Result<void> check_thread() const;
  /// Errors: InvalidState, which says why there is no output.
  Result<void> check_output() const;
  Result<void> enter();
  Result<void> run_entered();
  Result<void> run();
  Result<void> warm_up();
  void cancel() noexcept {
    gate.cancel([this] { controls.terminate(); });
  }
  /// What was bound is bound anew by the next run. Errors: what ORT said where an input was written on the
  /// device and cannot be fetched.
  Result<void> unbind();
  /// Errors: NotFound; as output_view() and input_view().
  Result<dlpack::Exported> export_output(const session::Buffer& output) const;
  Result<dlpack::Exported> export_input(session::Buffer& input);

  Session session;
  std::shared_ptr<session::SessionState> core;
  PrepareOptions prepared_with;
  std::vector<std::pair<std::string, std::string>> fed_back;  ///< {output, input}
  session::Buffers buffers;
  session::RunControls controls;
  session::OpenedPtr on;  ///< where `bound` is bound
  std::optional<session::BoundRun> bound;
  std::unique_ptr<session::CapturedGraphs> graphs;  ///< null where none is captured
  GraphState graph;
  bool is_refused = false;  ///< the run under way needs a graph, and there is none
  bool is_warming_up = false;
  Stage failed_at = Stage::Run;  ///< what the run under way failed at, where it did
  enum class Answer { None, Fresh, Failed, InputTaken } answer = Answer::None;
  std::string input_taken;
  session::RunGate gate;
  session::Alarm alarm{[this] { cancel(); }};
  session::Worker worker;

 private:
  Result<void> run_anywhere();
  Result<void> leave(Result<void> done);
  Result<void> run_on_current();
  Result<void> verify();
  Result<void> run_verified();
  Result<void> run_bound();
  Result<void> bind(const session::OpenedPtr& opened);
  Result<void> recover(Error error);
  Result<void> prepare_graphs();
  Result<void> capture();
  Result<void> do_without_graph(Error reason, bool noted);
  Result<dlpack::Exported> export_buffer(const session::Buffer& buffer, std::size_t turn) const;
};

}  // namespace surefoot
