#include "surefoot/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <optional>
#include <thread>

#include "diagnose/peak_memory.hpp"
#include "surefoot/prepared_run.hpp"

namespace surefoot {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

double since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

microseconds whole(double count) { return microseconds(static_cast<std::int64_t>(count)); }

/// One caller of a session.
class Caller {
 public:
  static Result<Caller> of(const Session& session, std::span<const Input> inputs, bool prepared) {
    Caller made(session, inputs);
    if (!prepared) return made;
    PrepareOptions options;
    for (const Input& input : inputs)
      options.shapes[std::string(input.name)] = Shape(input.tensor.shape.begin(), input.tensor.shape.end());
    auto run = session.prepare(options);
    if (!run) return fail(std::move(run).error());
    made.prepared_ = std::move(*run);
    return made;
  }

  Result<void> call() {
    if (prepared_) return call_prepared();
    auto outputs = session_.infer(inputs_);
    return outputs ? Result<void>() : fail(std::move(outputs).error());
  }

 private:
  Caller(const Session& session, std::span<const Input> inputs) : session_(session), inputs_(inputs) {}
  Result<void> call_prepared() {
    for (const Input& input : inputs_)
      if (auto written = prepared_->write(input.name, input.tensor); !written) return written;
    return prepared_->run();
  }

  Session session_;
  std::span<const Input> inputs_;
  std::optional<PreparedRun> prepared_ = {};
};

/// A subject that is open.
struct Runner {
  Session session;
  Caller caller;
  bool prepared;
  BenchResult result;
  std::vector<double> times = {};
  double spent = 0;  ///< microseconds of counted runs

  Result<double> run_once() {
    const auto begin = Clock::now();
    if (auto done = caller.call(); !done) return fail(std::move(done).error());
    return since(begin);
  }
};

Result<Runner> open(const BenchSubject& subject, std::span<const Input> inputs) {
  const bool knows_memory = diagnose::reset_peak_memory();
  const std::uint64_t before = diagnose::peak_memory();
  const auto begin = Clock::now();
  auto session = Session::open(subject.model, subject.options);
  if (!session) return fail(std::move(session).error());
  const double loaded = since(begin);
  auto caller = Caller::of(*session, inputs, subject.prepared);
  if (!caller) return fail(std::move(caller).error());
  Runner runner{.session = std::move(*session),
                .caller = std::move(*caller),
                .prepared = subject.prepared,
                .result = {.name = subject.name}};
  runner.result.load = whole(loaded);
  auto first = runner.run_once();
  if (!first) return fail(std::move(first).error());
  runner.result.first_run = whole(*first);
  if (knows_memory) runner.result.memory_bytes = diagnose::peak_memory() - before;
  return runner;
}

/// Runs in blocks until a block's median is no longer clearly below that of the block before, twice.
Result<void> warm_up(Runner& runner) {
  constexpr std::size_t kBlock = 5, kMostBlocks = 100;
  constexpr double kMostTime = 5e6, kNoLongerFalling = 0.95;
  double before = 0, spent = 0;
  int steady = 0;
  for (std::size_t block = 0; block < kMostBlocks && spent < kMostTime && steady < 2; ++block) {
    std::vector<double> times;
    for (std::size_t i = 0; i < kBlock; ++i) {
      auto time = runner.run_once();
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
Result<void> take_turns(std::vector<Runner>& runners, double time) {
  constexpr double kTurns = 100;
  for (bool going = true; going;) {
    going = false;
    for (Runner& runner : runners) {
      const double until = std::min(time, runner.spent + time / kTurns);
      while (runner.spent < until) {
        auto took = runner.run_once();
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
Result<Throughput> throughput_of(const Runner& runner, std::span<const Input> inputs, int callers,
                                 std::chrono::milliseconds time) {
  std::atomic<std::uint64_t> done = 0;
  std::atomic<bool> over = false, failed = false;
  const auto call = [&](Caller& caller) {
    while (!over) {
      if (!caller.call()) failed = true, over = true;
      ++done;
    }
  };
  std::vector<Caller> made;
  for (int i = 0; i < callers; ++i) {
    auto caller = Caller::of(runner.session, inputs, runner.prepared);
    if (!caller) return fail(std::move(caller).error());
    made.push_back(std::move(*caller));
  }
  const auto begin = Clock::now();
  {
    std::vector<std::jthread> threads;
    for (Caller& caller : made) threads.emplace_back(call, std::ref(caller));
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
    auto throughput = throughput_of(runner, inputs, callers, options.time / 2);
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
      if (auto warm = warm_up(*runner); !warm) runner = fail(std::move(warm).error());
    if (!runner) return fail(std::move(runner).error().while_doing("timing `" + subject.name + "`"));
    runners.push_back(std::move(*runner));
  }
  const double time = std::chrono::duration<double, std::micro>(options.time).count();
  if (auto timed = take_turns(runners, time); !timed) return fail(std::move(timed).error());
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
