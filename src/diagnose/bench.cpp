#include "surefoot/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "diagnose/peak_memory.hpp"

namespace surefoot {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

double since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

microseconds whole(double count) { return microseconds(static_cast<std::int64_t>(count)); }

/// A subject that is open.
struct Runner {
  Session session;
  BenchResult result;
  std::vector<double> times = {};
  double spent = 0;  ///< microseconds of counted runs
};

Result<double> run_once(const Session& session, std::span<const Input> inputs) {
  const auto begin = Clock::now();
  auto outputs = session.infer(inputs);
  if (!outputs) return fail(std::move(outputs).error());
  return since(begin);
}

Result<Runner> open(const BenchSubject& subject, std::span<const Input> inputs) {
  const bool knows_memory = diagnose::reset_peak_memory();
  const std::uint64_t before = diagnose::peak_memory();
  const auto begin = Clock::now();
  auto session = Session::open(subject.model, subject.options);
  if (!session) return fail(std::move(session).error());
  Runner runner{.session = std::move(*session), .result = {.name = subject.name}};
  runner.result.load = whole(since(begin));
  auto first = run_once(runner.session, inputs);
  if (!first) return fail(std::move(first).error());
  runner.result.first_run = whole(*first);
  if (knows_memory) runner.result.memory_bytes = diagnose::peak_memory() - before;
  return runner;
}

/// Runs in blocks until a block's median is no longer clearly below that of the block before, twice.
Result<void> warm_up(Runner& runner, std::span<const Input> inputs) {
  constexpr std::size_t kBlock = 5, kMostBlocks = 100;
  constexpr double kMostTime = 5e6, kNoLongerFalling = 0.95;
  double before = 0, spent = 0;
  int steady = 0;
  for (std::size_t block = 0; block < kMostBlocks && spent < kMostTime && steady < 2; ++block) {
    std::vector<double> times;
    for (std::size_t i = 0; i < kBlock; ++i) {
      auto time = run_once(runner.session, inputs);
      if (!time) return fail(std::move(time).error());
      spent += *time;
      times.push_back(*time);
    }
    const double median = latency_of(std::move(times)).p50;
    steady = block > 0 && median >= before * kNoLongerFalling ? steady + 1 : 0;
    before = median;
    runner.result.warm_up_runs += kBlock;
  }
  runner.result.stable = steady >= 2;
  return {};
}

/// Turns of about a hundredth of the time each, one subject after the other.
Result<void> take_turns(std::vector<Runner>& runners, std::span<const Input> inputs, double time) {
  constexpr double kTurns = 100;
  for (bool going = true; going;) {
    going = false;
    for (Runner& runner : runners) {
      const double until = std::min(time, runner.spent + time / kTurns);
      while (runner.spent < until) {
        auto took = run_once(runner.session, inputs);
        if (!took) return fail(std::move(took).error().while_doing("timing `" + runner.result.name + "`"));
        runner.times.push_back(*took);
        runner.spent += *took;
      }
      going = going || runner.spent < time;
    }
  }
  return {};
}

/// So many callers, each running as fast as it can for a while.
Result<Throughput> throughput_of(const Session& session, std::span<const Input> inputs, int callers,
                                 std::chrono::milliseconds time) {
  std::atomic<std::uint64_t> done = 0;
  std::atomic<bool> over = false, failed = false;
  const auto call = [&] {
    while (!over) {
      if (!session.infer(inputs)) failed = true, over = true;
      ++done;
    }
  };
  const auto begin = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < callers; ++i) threads.emplace_back(call);
    while (!over && (done == 0 || Clock::now() - begin < time))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    over = true;
  }
  if (failed)
    return fail(
        {.code = ErrorCode::RunFailed, .what = fmt::format("a run of {} callers at once failed", callers)});
  return Throughput{callers, static_cast<double>(done) / since(begin) * 1e6};
}

Result<void> measure_throughput(Runner& runner, std::span<const Input> inputs, const BenchOptions& options) {
  for (const int callers : options.callers) {
    auto throughput = throughput_of(runner.session, inputs, callers, options.time / 2);
    if (!throughput) return fail(std::move(throughput).error());
    runner.result.throughput.push_back(*throughput);
  }
  return {};
}

/// Without a caller there is no run that could end the wait for one.
Result<void> check_callers(std::span<const int> counts) {
  for (const int count : counts)
    if (count < 1 || count > kMostThreads)
      return fail({.code = ErrorCode::InvalidArgument,
                   .what = fmt::format("the throughput of {} callers at once is asked for", count),
                   .hint = fmt::format("give 1 to {} of them", kMostThreads)});
  return {};
}

}  // namespace

Result<std::vector<BenchResult>> bench(std::span<const BenchSubject> subjects, std::span<const Input> inputs,
                                       const BenchOptions& options) {
  if (auto checked = check_callers(options.callers); !checked) return fail(std::move(checked).error());
  std::vector<Runner> runners;
  for (const BenchSubject& subject : subjects) {
    auto runner = open(subject, inputs);
    if (runner)
      if (auto warm = warm_up(*runner, inputs); !warm) runner = fail(std::move(warm).error());
    if (!runner) return fail(std::move(runner).error().while_doing("timing `" + subject.name + "`"));
    runners.push_back(std::move(*runner));
  }
  const double time = std::chrono::duration<double, std::micro>(options.time).count();
  if (auto timed = take_turns(runners, inputs, time); !timed) return fail(std::move(timed).error());
  std::vector<BenchResult> results;
  for (Runner& runner : runners) {
    if (auto measured = measure_throughput(runner, inputs, options); !measured)
      return fail(std::move(measured).error().while_doing("timing `" + runner.result.name + "`"));
    runner.result.latency = latency_of(runner.times);
    runner.result.times = std::move(runner.times);
    runner.result.provider = runner.session.provider();
    runner.result.events = runner.session.events();
    results.push_back(std::move(runner.result));
  }
  return results;
}

}  // namespace surefoot
