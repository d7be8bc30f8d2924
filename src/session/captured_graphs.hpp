/// The graphs that a prepared run has captured on one candidate: one for each turn of its buffers.
#pragma once

#include <array>
#include <thread>

#include "session/chain.hpp"
#include "session/fork_guard.hpp"
#include "session/run_controls.hpp"

namespace surefoot::session {

/// Lifetime  lets go of its graphs when it ends, as far as ORT can (from 1.27 on); the rest with the session.
/// Threads   one at a time; where the provider keeps graphs by thread, the one that captured.
class CapturedGraphs {
 public:
  explicit CapturedGraphs(OpenedPtr opened);
  ~CapturedGraphs();
  CapturedGraphs(const CapturedGraphs&) = delete;
  CapturedGraphs& operator=(const CapturedGraphs&) = delete;

  const RunControls::GraphIds& ids() const noexcept { return ids_; }
  bool is_captured(std::size_t turn) const noexcept { return captured_[turn]; }
  bool is_any_captured() const noexcept { return captured_[0] || captured_[1]; }

  /// Runs what captures the graph of that turn; nobody else captures or frees on the device meanwhile.
  template <class Run>
  Result<void> capture(std::size_t turn, const Run& run) {
    const std::lock_guard lock(*opened_->graphs.device);
    auto done = run();
    // What failed may have left half a graph behind.
    if (!done) (void)opened_->session->release_graph(ids_[turn]);
    if (!done) return done;
    captured_[turn] = true;
    thread_ = std::this_thread::get_id();
    return {};
  }

  /// Errors: InvalidState where only the thread that captured may replay, and this is another.
  Result<void> check_thread() const;

 private:
  OpenedPtr opened_;
  RunControls::GraphIds ids_;
  std::array<bool, 2> captured_ = {};
  std::thread::id thread_;
  unsigned made_in_ = fork_generation();
};

}  // namespace surefoot::session
