/// One ORT session.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ort/run_options.hpp"
#include "ort/session_options.hpp"
#include "surefoot/model_info.hpp"
#include "surefoot/value.hpp"

namespace surefoot::ort {

/// What goes in under a name: a view, a value when `value` is set, or what ORT made itself when `ready`
/// is. The name ends in a zero byte.
struct Argument {
  const char* name;
  TensorView tensor;
  const Value* value = nullptr;
  const OrtValue* ready = nullptr;
};

/// Where an output goes: the caller's memory, or, for an Undefined type, memory of ORT's.
struct Target {
  const char* name;
  MutableTensorView tensor = {};
  bool plain = false;  ///< the model says that it is a tensor, never absent: nothing is asked of ORT then
};

/// Nodes that one provider took.
struct Assignment {
  std::string provider;
  std::vector<std::pair<std::string, std::string>> nodes;  ///< {name, domain:op}
};

/// Where a session takes an input or leaves an output: in the host's memory, on a device, or not known to us
/// (an input that may be left out; any before ORT 1.23).
struct Place {
  bool on_host = false;
  const OrtMemoryInfo* device = nullptr;
};

/// What a run answered, as a failure of the model's: a kernel that finds an index out of range answers
/// "invalid argument" too, but names, types and shapes have been checked before.
Error failure_of_run(Error error);

/// Threads  run from several at once, as ORT allows; everything else is constant.
class Session {
 public:
  /// Opens the file exactly as named, or the bytes where the path is empty. ORT copies the bytes.
  /// Errors: what ORT said, with its warnings.
  static Result<std::shared_ptr<const Session>> open(Environment& environment,
                                                     const std::filesystem::path& path,
                                                     std::span<const std::byte> bytes,
                                                     const Handle<OrtSessionOptions>& options);
  /// The same for a session whose provider captures graphs: run() neither captures nor replays one.
  static Result<std::shared_ptr<const Session>> open_capturing(Environment& environment,
                                                               const std::filesystem::path& path,
                                                               std::span<const std::byte> bytes,
                                                               const Handle<OrtSessionOptions>& options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::vector<ValueInfo>& inputs() const noexcept {
    return inputs_;
  }  ///< overridable initializers last
  const std::vector<ValueInfo>& outputs() const noexcept { return outputs_; }
  /// Whether a scalar and a rank that is not known are told apart: from ORT 1.24 on.
  bool knows_ranks() const noexcept;
  /// Warnings that ORT logged while the session was made.
  const std::vector<std::string>& warnings() const noexcept { return warnings_; }

  /// Runs and gives one value for each target: empty (None) where the target is the caller's memory.
  /// Errors: what ORT said, with its warnings. Allocates nothing but the values up to 16 inputs and outputs.
  Result<std::vector<Value>> run(std::span<const Argument> arguments, std::span<const Target> targets,
                                 const RunSettings* settings) const;
  /// The same with every output in the caller's memory.
  Result<void> run_into(std::span<const Argument> arguments, std::span<const Target> targets,
                        const RunSettings* settings) const;

  /// Runs a model that wants no input and gives its first output as ORT made it.
  Result<Handle<OrtValue>> constant() const;

  /// Which provider took which nodes; needs the session entry `session.record_ep_graph_assignment_info`.
  /// Errors: Unsupported before ORT 1.24.
  Result<std::vector<Assignment>> assignments() const;

  /// Metadata as ORT has it: for formats that we do not read ourselves.
  Result<void> fill(ModelInfo& info) const;

  /// Ends profiling and gives the file's name. Errors: what ORT said.
  Result<std::string> end_profiling() const;

  Place place_of_input(std::string_view name) const noexcept;
  Place place_of_output(std::string_view name) const noexcept;

  /// Lets go of the graph that runs of this `gpu_graph_id` captured. Errors: Unsupported before ORT 1.27.
  Result<void> release_graph(int id) const;

  Environment& environment() const noexcept { return environment_; }
  OrtSession* handle() const noexcept { return handle_.get(); }

 private:
  Session(Environment& environment, Handle<OrtSession> handle);
  static Result<std::shared_ptr<Session>> make(Environment& environment, const std::filesystem::path& path,
                                               std::span<const std::byte> bytes,
                                               const Handle<OrtSessionOptions>& options);
  const OrtRunOptions* plain_options() const noexcept {
    return without_graph_ ? without_graph_->raw() : nullptr;
  }
  Result<void> read_interface();
  void read_places();
  Place place(const OrtMemoryInfo* memory) const noexcept;

  Environment& environment_;
  LiveSession live_;  ///< outlives the handle
  Handle<OrtSession> handle_;
  std::vector<ValueInfo> inputs_, outputs_;
  std::vector<const OrtMemoryInfo*> input_places_;   ///< ORT's, one for each of its first inputs_
  std::vector<const OrtMemoryInfo*> output_places_;  ///< and for outputs_
  std::optional<RunOptions> without_graph_;          ///< of plain runs where the provider captures graphs
  std::vector<std::string> warnings_;
};

}  // namespace surefoot::ort
