/// What the fault-injecting provider is told to do wrong, and when.
///
/// A plan is a comma list of faults, each `stage[:n][!]=action`:
///
///   stage   factories devices create capability compile build load state run release send fetch
///           capture replay forget
///   :n      from the n-th pass of that stage on; absent means 1, so always
///   !       on exactly that pass and no other
///   action  fail          an ORT status, EP_FAIL, naming stage and pass
///           fail(TEXT)    the same with a text of your own; TEXT may hold commas and paired parentheses
///           oom           an ORT status, FAIL, with the words of an exhausted allocator
///           none          at `devices`: offer no device; at `capability`: take no node
///           wrong         at `run`: add 1 to the first element of every output
///           hang:MS       sleep that many milliseconds, then go on
///           throw         throw across the C ABI
///           segv abort    die of that signal
///           exit          end the process with status 42
///
/// Faults of one stage act in the order written: `run=hang:20,run:3=fail`. `release` gives no status
/// back, so `fail` and `oom` are refused there. An empty plan does nothing wrong.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace surefoot::fault_ep {

enum class Stage {
  factories,
  devices,
  create,
  capability,
  compile,
  build,  // of compile: each part that was not built before
  load,   // of compile: each that was, an EPContext
  state,
  run,
  release,
  send,     // a tensor to the pretended device
  fetch,    // a tensor from there
  capture,  // the end of a run that was recorded as a graph
  replay,
  forget,  // letting go of a graph
};
inline constexpr std::size_t kStageCount = 15;

std::string_view to_string(Stage stage);
std::optional<Stage> stage_from(std::string_view name);

enum class ActionKind { fail, oom, none, wrong, hang, thrown, segv, abort, exit };

struct Action {
  ActionKind kind;
  std::string text;                 // of `fail`; empty: the provider's own words
  std::chrono::milliseconds sleep;  // of `hang`
};

struct Fault {
  Stage stage;
  Action action;
  long pass;
  bool exactly;  // `!`: on that pass alone

  bool strikes(Stage at, long at_pass) const {
    return at == stage && (exactly ? at_pass == pass : at_pass >= pass);
  }
};

/// One pass of a stage: which it was, and what is to be done about it, in order.
struct Pass {
  Stage stage;
  long number;
  std::vector<Action> actions;
};

/// Threads   pass() may be called from any thread.
class FaultPlan {
 public:
  /// Throws std::invalid_argument, naming the fault at fault and what could stand there instead.
  explicit FaultPlan(std::string_view text);

  /// Counts one pass of `stage` and says what this plan has for it.
  Pass pass(Stage stage);

 private:
  std::vector<Fault> faults_;
  std::array<std::atomic<long>, kStageCount> passes_{};
};

}  // namespace surefoot::fault_ep
