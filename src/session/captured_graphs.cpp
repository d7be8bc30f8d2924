#include "session/captured_graphs.hpp"

#include <fmt/format.h>

#include <atomic>

namespace surefoot::session {
namespace {

/// ORT keeps 0 for itself. No number comes twice in a process, as an ORT before 1.27 keeps each graph for as
/// long as its session lives.
int next_id() {
  static std::atomic<int> last = 0;
  return ++last;
}

}  // namespace

CapturedGraphs::CapturedGraphs(OpenedPtr opened) : opened_(std::move(opened)), ids_{next_id(), next_id()} {}

CapturedGraphs::~CapturedGraphs() {
  // The lock, the device and ORT's threads stayed with the parent.
  if (!is_any_captured() || fork_generation() != made_in_) return;
  const std::lock_guard lock(*opened_->graphs.device);
  for (std::size_t turn = 0; turn < ids_.size(); ++turn)
    if (captured_[turn]) (void)opened_->session->release_graph(ids_[turn]);
}

Result<void> CapturedGraphs::check_thread() const {
  if (!opened_->graphs.by_thread || !is_any_captured() || thread_ == std::this_thread::get_id()) return {};
  return fail(
      {.code = ErrorCode::InvalidState,
       .what = fmt::format("the graph was captured by another thread, and `{}` replays it in that one only",
                           opened_->candidate->name),
       .hint = "run it where it was captured, or give each thread a `clone()`"});
}

}  // namespace surefoot::session
