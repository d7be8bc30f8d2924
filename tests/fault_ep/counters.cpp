#include "counters.hpp"

namespace surefoot::fault_ep {
namespace {

std::array<std::atomic<long>, kStageCount> passes{};
std::atomic<long> runs{0};
std::atomic<long> most_runs{0};

}  // namespace

void count_pass(Stage stage) { ++passes[static_cast<std::size_t>(stage)]; }
long passes_of(Stage stage) { return passes[static_cast<std::size_t>(stage)]; }
long most_runs_at_once() { return most_runs; }

void reset_counters() {
  for (auto& count : passes) count = 0;
  most_runs = 0;
}

RunInProgress::RunInProgress() {
  const long now = ++runs;
  long most = most_runs;
  while (most < now && !most_runs.compare_exchange_weak(most, now)) {
  }
}

RunInProgress::~RunInProgress() { --runs; }

}  // namespace surefoot::fault_ep
