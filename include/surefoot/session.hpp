/// Sessions: a model, open on the best provider that works, and inference on it.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "surefoot/cache.hpp"
#include "surefoot/isolated_probe.hpp"
#include "surefoot/model_info.hpp"
#include "surefoot/optimization_level.hpp"
#include "surefoot/placement.hpp"
#include "surefoot/plan.hpp"
#include "surefoot/runtime.hpp"
#include "surefoot/value.hpp"

namespace surefoot {

namespace ort {
struct RunSettings;
struct Target;
}  // namespace ort
namespace session {
struct SessionState;
}
class PreparedRun;
struct PrepareOptions;

/// The most threads of a pool: ORT makes them all at once, and hangs for minutes on 99999.
inline constexpr int kMostThreads = 1024;

struct ThreadOptions {
  /// Threads for one operator. Unset: ORT's default, but no more than the CPUs that this process may
  /// use (affinity mask, cgroup quota rounded up).
  std::optional<int> intra_op = {};
  std::optional<int> inter_op = {};  ///< threads for independent operators; matters with `parallel`
  bool parallel = false;             ///< run independent operators at once
  /// Run on the runtime's threads, RuntimeOptions::shared_threads, together with all sessions that do: many
  /// sessions then keep no more CPUs busy than one. The fields above must be left as they are.
  bool shared = false;
  std::optional<bool> spinning = {};  ///< idle threads spin for a while; unset: ORT's default, on
};

/// Where a candidate failed.
enum class Stage { Probe, Register, Create, Validate, Run, Verify, Placement, Timeout, Crash, Capture };

/// "probe", "register", "create", …
std::string_view to_string(Stage stage) noexcept;

/// A candidate that was given up, a step down that was taken, or what could not be found out, and why.
struct FallbackEvent {
  std::string candidate;
  Stage stage;
  Error error;
  std::chrono::microseconds elapsed;
  bool kept = false;  ///< the candidate is used all the same
};

/// Whether a provider records the commands of a prepared run once, as a graph, and replays them from then on.
enum class GraphCapture {
  Off,
  Try,      ///< where the provider can; else plain runs, and an event that says why
  Require,  ///< or an error that says why not
};
/// "off", "try", "require".
std::string_view to_string(GraphCapture capture) noexcept;

/// A weight that the model declares as external data, given in memory: no file is looked for. Type and
/// shape are those that the model states.
struct SuppliedWeight {
  std::string name;
  TensorView value;
};

struct SessionOptions {
  std::optional<Runtime> runtime = {};  ///< unset: Runtime::load()
  ProviderSelection providers = {};
  std::map<std::string, std::int64_t> dimensions = {};                ///< free dimensions, by symbolic name
  std::map<std::string, std::int64_t> dimensions_by_denotation = {};  ///< and by denotation
  ThreadOptions threads = {};
  /// Unset: everything, and a step down where ORT's own optimizer fails on the model.
  std::optional<OptimizationLevel> optimization = {};
  bool memory_pattern = true;
  bool cpu_arena = true;
  /// Take memory from one arena with all sessions that do: what one has freed serves the others.
  bool shared_arena = false;
  /// Providers want to know it when they are opened; infer() is not affected. With Require only providers are
  /// opened that capture graphs.
  GraphCapture graph_capture = GraphCapture::Off;
  /// The option whose "1" turns graph capture on in a plugin provider that Surefoot has no row for.
  std::string plugin_graph_option = {};
  /// Of the profiles that ORT writes, one for each candidate that is opened; empty: no profiling. The time
  /// follows it, and before that, from the second candidate on, its number.
  std::filesystem::path profile_prefix = {};
  /// Where ORT writes the model as it rewrote it, at each candidate that it opens; empty: nowhere. A file
  /// that is there is replaced. It may hold operators of this ORT and this processor alone.
  std::filesystem::path optimized_model = {};
  std::vector<std::filesystem::path> custom_op_libraries = {};
  std::map<std::string, std::string> config =
      {};  ///< raw session entries; "raw:" before a key passes it unchecked
  std::filesystem::path external_data_folder = {};  ///< for a model in memory: where its external data lies
  /// Unset: as the variable SUREFOOT_MODEL_CACHE says; without that, none.
  std::optional<CacheOptions> cache = {};
  /// The least part of the nodes, from 0 to 1, that the providers of a candidate before the CPU must take;
  /// one that takes fewer is given up. 0: any part but none will do. A provider whose part cannot be known
  /// without a run (WebGPU inside ORT; any before ORT 1.24) is kept, with an event that says so.
  double min_placement = 0;
  /// Compares each candidate that comes into use with the CPU, on the inputs of its first call: infer(),
  /// infer_into() or a prepared run's run(), but not its warm_up(). One that computes wrong numbers is given
  /// up with an event, and the next one answers; where it is required, that is the error. Costs a second load
  /// of the model and two runs, once.
  bool verify = false;
  IsolationOptions probes = {};  ///< whether what probes of providers found decides about candidates
  /// Lets the model name external data outside its folder: by an absolute path, by `..`, or by a link
  /// that leads out. All its external data is then mapped and handed to ORT, which copies it.
  bool allow_outside_data = false;
  /// Not copied: memory and shapes must live as long as any copy of the session; see `keep_alive`.
  std::vector<SuppliedWeight> weights = {};
  /// Called before and after each candidate is opened, also when one takes over later: an error ends that
  /// opening. For files beside a model in memory that must be what they were. Called from any thread.
  std::function<Result<void>()> check_files = {};
  std::shared_ptr<const void> keep_alive = {};  ///< kept until the last copy of the session is gone
  /// What ORT logs of this session from which level on; unset: what the runtime's sink listens to. Warnings
  /// are taken in any case, since they explain failures.
  std::optional<LogLevel> log_level = {};
  std::function<void(const FallbackEvent&)> on_event = {};  ///< called after each event, from any
                                                            ///< thread; must not call into that session
};

/// One input of a call: a name, and a view of memory that must live until the call returns.
struct Input {
  Input(std::string_view input_name, const TensorView& view) : name(input_name), tensor(view) {}
  Input(std::string_view input_name, const Tensor& owned) : name(input_name), tensor(owned.view()) {}
  Input(std::string_view input_name, const Value& any) : name(input_name), value(&any) {
    if (const Tensor* held = any.tensor()) tensor = held->view(), value = nullptr;
  }

  std::string_view name;
  TensorView tensor = {};
  const Value* value = nullptr;  ///< set for everything that is not a tensor
};

/// One output of infer_into: a name, and memory of exactly the output's type and shape.
struct Output {
  std::string_view name;
  MutableTensorView tensor;
};

/// Settings of a single call.
struct RunOptions {
  std::vector<std::string> outputs = {};  ///< compute only these; empty: all
  std::stop_token stop = {};              ///< stops the run between two nodes: Cancelled
  std::map<std::string, std::string> config =
      {};                ///< raw run entries; "raw:" before a key passes it unchecked
  std::string tag = {};  ///< stands in ORT's log
};

/// What a run gave: values in the model's order, or in that of RunOptions::outputs.
class Outputs {
 public:
  using Names = std::shared_ptr<const std::vector<std::string>>;
  Outputs(Names names, std::vector<Value> values) : names_(std::move(names)), values_(std::move(values)) {}

  std::size_t size() const noexcept { return values_.size(); }
  const std::string& name(std::size_t i) const { return (*names_)[i]; }
  Value& operator[](std::size_t i) { return values_[i]; }
  const Value& operator[](std::size_t i) const { return values_[i]; }
  /// The output of that name, or null.
  const Value* find(std::string_view name) const noexcept;
  /// Errors: NotFound with the nearest name.
  Result<const Value*> get(std::string_view name) const;
  /// The elements of tensor output `name`. Errors: NotFound, InvalidArgument (another type).
  template <Element T>
  Result<std::span<const T>> as(std::string_view name) const {
    auto value = get(name);
    if (!value) return fail(std::move(value).error());
    return (*value)->as<T>();
  }

 private:
  Names names_;
  std::vector<Value> values_;
};

/// A model that is open and can be run.
///
/// Fallback  in automatic mode a candidate that fails to open or to run is replaced by the next one;
///           the inputs of the call are kept and tried there. A request that every provider refuses
///           costs no session. With `providers.only` it falls back among those alone.
/// Threads   call from any number at once. Replacing a candidate happens once, however many see it fail.
/// Lifetime  a light handle: copies share the session. After fork() a child must open its own.
class Session {
 public:
  /// Opens the file exactly as named. What it is, is seen from its content.
  /// Errors: InvalidArgument (options), those of inspect() and check_external_data(), InvalidModel,
  /// RuntimeUnavailable, ProviderFailed with each candidate's reason.
  static Result<Session> open(const std::filesystem::path& model, SessionOptions options = {});

  /// Opens a model in memory. The bytes must stay unchanged until the last candidate that may be
  /// opened is gone: as long as any copy of this Session lives.
  static Result<Session> open(std::span<const std::byte> model, SessionOptions options = {});

  /// Bytes that die with the call could not be opened again: refused at compile time.
  static Result<Session> open(std::vector<std::byte>&& model, SessionOptions options = {}) = delete;

  /// Runs on inputs given by name, in any order, each once; optional ones may be left out.
  /// Errors: InvalidInput with every problem of the call, before ORT sees anything; RunFailed,
  /// OutOfMemory, ProviderFailed, Cancelled; InvalidState after fork().
  Result<Outputs> infer(std::span<const Input> inputs, const RunOptions& options) const;
  Result<Outputs> infer(std::span<const Input> inputs) const;
  Result<Outputs> infer(std::initializer_list<Input> inputs) const {
    return infer(std::span(inputs.begin(), inputs.size()));
  }
  Result<Outputs> infer(std::initializer_list<Input> inputs, const RunOptions& options) const {
    return infer(std::span(inputs.begin(), inputs.size()), options);
  }

  /// Runs into the caller's memory; only the outputs named are computed. Allocates nothing of ours.
  /// After a failure the memory holds anything.
  Result<void> infer_into(std::span<const Input> inputs, std::span<const Output> outputs) const;
  Result<void> infer_into(std::initializer_list<Input> inputs, std::initializer_list<Output> outputs) const {
    return infer_into(std::span(inputs.begin(), inputs.size()), std::span(outputs.begin(), outputs.size()));
  }

  /// Binds inputs and outputs to memory once, for runs without allocation (surefoot/prepared_run.hpp).
  /// Errors: InvalidArgument with every size that is wrong or not known; Unsupported where an input or
  /// output is no tensor of numbers; OutOfMemory.
  Result<PreparedRun> prepare(PrepareOptions options) const;

  /// What is known of the model; inputs and outputs as ORT infers them, with fixed dimensions filled in.
  const ModelInfo& info() const noexcept;
  /// The short name of the provider that leads now: "cuda", "cpu"; empty when all have failed.
  std::string provider() const;
  /// The names of all providers of the candidate in use, the leading one first.
  std::vector<std::string> providers() const;
  /// Everything that was given up so far, in order.
  std::vector<FallbackEvent> events() const;
  /// What the cache did for this session.
  CacheState cache() const;
  /// That of the candidate in use; retry() may put another in its place. Valid as long as any copy of this
  /// Session lives, also when another has taken its place.
  const Plan& plan() const noexcept;
  const Runtime& runtime() const noexcept;

  /// Plans anew and opens the candidates from the first: after every one has failed, when one that was
  /// given up may work again, or when a plugin was registered since. Libraries installed meanwhile are not
  /// seen: survey() remembers. What is in use stays so, with its plan, until another has opened, and when
  /// none opens; calls of other threads go on meanwhile.
  /// Errors: those of make_plan(); as open(), with the new plan's reasons, when none works now either.
  Result<void> retry();

  /// Which node runs on which provider of the candidate in use, as ORT reported when it was opened. Costs
  /// nothing but copying the names.
  /// Errors: Unsupported before ORT 1.24, and for providers of which ORT's report is incomplete
  /// (measure_placement() tells there); InvalidState after fork(); why each candidate failed.
  Result<Placement> placement() const;

  /// The same from a profiled run, with times, partitions and copies. Opens the model once more, on the
  /// candidate in use, runs it a few times on these inputs and reads the profile; that session is gone
  /// afterwards.
  /// Errors: those of infer() and of opening; IoFailed where the profile cannot be written.
  Result<Placement> measure_placement(std::span<const Input> inputs) const;

  /// Ends profiling and gives the file that was written. Errors: InvalidState when no profile was
  /// asked for, or when it has been ended; IoFailed when ORT wrote none.
  Result<std::filesystem::path> end_profiling();
  /// Every profile written so far, oldest first: that of end_profiling(), and those of candidates that were
  /// given up after they had opened.
  std::vector<std::filesystem::path> profiles() const;

 private:
  explicit Session(std::shared_ptr<session::SessionState> state) : state_(std::move(state)) {}
  static Result<Session> open_source(std::filesystem::path path, std::span<const std::byte> bytes,
                                     SessionOptions options);
  Result<Outputs> run(std::span<const Input> inputs, const Outputs::Names& names,
                      std::span<const ort::Target> targets, const ort::RunSettings* settings) const;
  std::shared_ptr<session::SessionState> state_;
};

}  // namespace surefoot
