#include "captured_graphs.hpp"

#include <utility>

#include "fault_injection.hpp"

namespace surefoot::fault_ep {
namespace {

struct Recording {
  const CapturedGraphs* in = nullptr;
  int id = CapturedGraphs::kNone;
};
thread_local Recording recording;

}  // namespace

void CapturedGraphs::begin(int id) {
  recording = {this, id};
  if (id == kNone) return;
  const std::lock_guard lock(mutex_);
  Graph& graph = graphs_[id];
  ++graph.runs;
  graph.commands.clear();
}

void CapturedGraphs::add(std::function<void()> command) {
  if (recording.in != this || recording.id == kNone) return;
  const std::lock_guard lock(mutex_);
  graphs_[recording.id].commands.push_back(std::move(command));
}

void CapturedGraphs::end(FaultPlan& plan) {
  const int id = std::exchange(recording, {}).id;
  if (id == kNone) return;
  const std::lock_guard lock(mutex_);
  Graph& graph = graphs_[id];
  if (graph.runs < 2) return;
  enter(plan, Stage::capture);
  graph.is_captured = true;
}

bool CapturedGraphs::has(int id) const {
  const std::lock_guard lock(mutex_);
  const auto at = graphs_.find(id);
  return at != graphs_.end() && at->second.is_captured;
}

void CapturedGraphs::replay(int id, FaultPlan& plan) const {
  enter(plan, Stage::replay);
  std::vector<std::function<void()>> commands;
  {
    const std::lock_guard lock(mutex_);
    commands = graphs_.at(id).commands;
  }
  for (const auto& command : commands) command();
}

void CapturedGraphs::forget(int id, FaultPlan& plan) {
  enter(plan, Stage::forget);
  const std::lock_guard lock(mutex_);
  graphs_.erase(id);
}

}  // namespace surefoot::fault_ep
