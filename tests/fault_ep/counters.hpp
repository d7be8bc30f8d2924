/// What this process has seen of the provider, over all its sessions: read by tests.
///
/// Threads   everything here may be called from any thread.
#pragma once

#include "fault_plan.hpp"

namespace surefoot::fault_ep {

/// Counts one pass of `stage`, whatever comes of it.
void count_pass(Stage stage);
long passes_of(Stage stage);

/// Most runs that were ever inside the provider at one time.
long most_runs_at_once();

/// Sets everything above to zero. Runs that are under way stay counted as such.
void reset_counters();

/// One run that is under way, for as long as it lives.
class RunInProgress {
 public:
  RunInProgress();
  ~RunInProgress();
  RunInProgress(const RunInProgress&) = delete;
  RunInProgress& operator=(const RunInProgress&) = delete;
};

}  // namespace surefoot::fault_ep
