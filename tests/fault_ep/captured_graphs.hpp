/// Graphs as a GPU's provider captures them: what a run did, on the addresses that it had, done again.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <vector>

#include "fault_plan.hpp"

namespace surefoot::fault_ep {

/// A graph is captured by the second run of its number, after one to warm up.
///
/// Threads  any; a run that is recorded runs on one.
class CapturedGraphs {
 public:
  static constexpr int kNone = -1;  ///< the number of a run that is not to be recorded

  /// A run of that number begins and ends on this thread.
  void begin(int id);
  void end(FaultPlan& plan);

  /// Records a command of the run that is under way on this thread, if that is to be.
  void add(std::function<void()> command);

  bool has(int id) const;
  /// Does the commands again. Throws std::out_of_range when there is no such graph.
  void replay(int id, FaultPlan& plan) const;
  void forget(int id, FaultPlan& plan);

 private:
  struct Graph {
    int runs = 0;
    bool is_captured = false;
    std::vector<std::function<void()>> commands = {};
  };

  mutable std::mutex mutex_;
  std::map<int, Graph> graphs_;
};

}  // namespace surefoot::fault_ep
