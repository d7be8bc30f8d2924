/// The buffers of a prepared run, bound to one candidate's session.
#pragma once

#include <vector>

#include "ort/binding.hpp"
#include "session/buffers.hpp"
#include "session/opener.hpp"

namespace surefoot::session {

/// Refers to the buffers' memory, not to the Buffers.
class BoundRun {
 public:
  /// Errors: what ORT said.
  static Result<BoundRun> bind(const Opened& opened, Buffers& buffers);

  /// Runs the turn that it is. The first run tells the shapes that were not known. Outputs whose shape then
  /// turns out to change from run to run are left to ONNX Runtime from there on.
  /// Errors: what ORT said.
  Result<void> run(const ort::RunOptions& options, Buffers& buffers);

  const ort::Session* session() const noexcept { return session_.get(); }

 private:
  explicit BoundRun(std::shared_ptr<const ort::Session> session) : session_(std::move(session)) {}
  Result<void> bind_turn(Buffers& buffers, std::size_t turn);
  Result<void> send_changes(Buffers& buffers);
  Result<void> leave_unbound(const Buffers& buffers);
  Result<void> take_placed(Buffers& buffers);
  Result<void> take(Buffer& output);
  Result<void> run_turn(const ort::RunOptions& options, Buffers& buffers);

  std::shared_ptr<const ort::Session> session_;
  std::vector<ort::Binding> turns_;  ///< two where buffers take turns
  std::vector<std::size_t> sent_;    ///< the inputs that live on a device
  bool all_bound_ = true;            ///< no output is left to ONNX Runtime
};

}  // namespace surefoot::session
