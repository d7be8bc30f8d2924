/// The session's settings that run a model fastest here: searched by measuring, kept, and used from then on.
#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/session.hpp"

namespace surefoot {

enum class TuneGoal {
  Latency,     ///< the median time of one run
  Throughput,  ///< runs a second of several callers at once
};

/// "latency", "throughput".
std::string_view to_string(TuneGoal goal) noexcept;

/// Values by setting: provider, threads, spinning, parallel, optimization, memory_pattern, graph. One that is
/// not named is as by default.
using TuneSettings = std::map<std::string, std::string>;

struct TuneOptions {
  SessionOptions session = {};  ///< what is set here stays so, and is not searched
  TuneGoal goal = TuneGoal::Latency;
  int callers = 2;                        ///< of the throughput
  std::chrono::milliseconds time{20000};  ///< about so long in all; opening and warming up may exceed it
  bool save = true;                       ///< for sessions that prefer "measured"
};

/// One value that was tried, in turns with the best found until then. Costs are microseconds: of a run, or,
/// for throughput, of all time over all runs.
struct TuneTrial {
  std::string setting, value;
  double before = 0, after = 0;
  bool kept = false;
  std::optional<Error> error = {};  ///< why it could not be measured
};

struct TuneReport {
  TuneSettings settings = {};  ///< empty: the default, since nothing was proved to be faster
  std::vector<TuneTrial> trials = {};
  std::vector<std::string> untried = {};  ///< settings that time did not reach
  double before = 0, after = 0;       ///< the final comparison: the default's cost, and that of `settings`
  std::filesystem::path record = {};  ///< empty: not saved
};

/// Tries one setting after the other, each value in turns with the best so far, and holds the outcome against
/// the default in three more rounds of turns: what does not win each of them is dropped, so that the outcome
/// is never slower than the default was. A session of the same model, runtime and machine whose
/// ProviderSelection::prefer holds "measured" takes it from the record, where its own options leave it open;
/// a record that is damaged or another's is removed, with an event. Graph capture is searched where the
/// provider that leads has it, on prepared runs, which alone replay one. Errors: those of opening and running
/// with the default; of writing the record.
Result<TuneReport> tune(const std::filesystem::path& model, std::span<const Input> inputs,
                        const TuneOptions& options = {});

}  // namespace surefoot
