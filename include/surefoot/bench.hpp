/// How fast a model runs: several ways of running it, side by side.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "surefoot/session.hpp"

namespace surefoot {

/// One way of running a model.
struct BenchSubject {
  std::string name;
  std::filesystem::path model;
  SessionOptions options = {};
  /// Times prepared runs instead, writing the inputs each time: with `options.graph_capture`, of what
  /// replays.
  bool prepared = false;
};

struct BenchOptions {
  std::chrono::milliseconds time{2000};  ///< of counted runs, for each subject
  std::vector<int> callers = {};         ///< also the throughput at so many concurrent callers
};

/// Times of single runs, in microseconds. Each is a run's own, none an average.
struct Latency {
  std::size_t runs = 0;
  double least = 0, p50 = 0, p90 = 0, p99 = 0, most = 0, mean = 0;
  /// The median lies between these with 95 % confidence, whatever the times' distribution: two of the ordered
  /// times themselves.
  double p50_from = 0, p50_to = 0;
};

/// Runs a second with so many callers at once.
struct Throughput {
  int callers = 1;
  double per_second = 0;
};

struct BenchResult {
  std::string name;
  std::string provider;  ///< that led when it was over
  std::vector<FallbackEvent> events = {};
  std::chrono::microseconds load{};  ///< of opening the session
  std::chrono::microseconds first_run{};
  std::uint64_t memory_bytes = 0;  ///< by which opening and the first run raised the peak; 0: not known
  std::size_t warm_up_runs = 0;
  bool stable = false;  ///< the warm-up came to an end: the times had stopped falling
  Latency latency;
  std::vector<double> times = {};  ///< of the counted runs, in their order, in microseconds
  std::vector<Throughput> throughput = {};
};

/// The order statistics of these times.
Latency latency_of(std::vector<double> microseconds);

/// Opens all of them, warms each up until its times no longer fall, and lets them take turns, so that what
/// drifts (clock, temperature, neighbours) hits all alike.
/// Errors: InvalidArgument for a number of callers that is not 1 to kMostThreads; those of opening, preparing
/// and running, with the subject's name.
Result<std::vector<BenchResult>> bench(std::span<const BenchSubject> subjects, std::span<const Input> inputs,
                                       const BenchOptions& options = {});

}  // namespace surefoot
