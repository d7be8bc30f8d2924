/// Compiling a model for one provider ahead of time, into a file that opens faster.
///
/// CPU, CUDA and others that run ONNX Runtime's own operators: the model as ONNX Runtime optimised it, in
/// ONNX or in ORT's format. TensorRT, OpenVINO, QNN and others that compile themselves: their compiled parts,
/// as EPContext nodes. Both are made for this ONNX Runtime, provider and hardware, and are opened by
/// Session::open() as every model is.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "surefoot/session.hpp"

namespace surefoot {

/// What is written.
enum class CompiledForm {
  Onnx,       ///< optimised, as ONNX
  OrtFormat,  ///< optimised, in ORT's own format: up to 2 GiB
  EpContext,  ///< ONNX with the provider's compiled parts
};

/// "onnx", "ort", "ep-context".
std::string_view to_string(CompiledForm form) noexcept;

/// What compile() is at; in this order.
enum class CompileStep { OpenSource, RunSource, Compile, OpenCompiled, Compare, Publish };

/// "opening the source", "running the source", "compiling", …
std::string_view to_string(CompileStep step) noexcept;

struct CompileOptions {
  /// How source and artifact are opened: runtime, provider options, dimensions, threads, optimisation, … Of
  /// `providers` only the options count: the target is the provider. Not for `cache`, `weights`,
  /// `optimized_model`, `profile_prefix`, `external_data_folder`: refused.
  SessionOptions session = {};
  /// Inputs that the model is used with, to compare what comes out; must live until compile() returns.
  /// Empty: made-up ones, which some models refuse.
  std::vector<Input> inputs = {};
  /// Unset: the one for the target; ORT's format where the destination ends in `.ort`.
  std::optional<CompiledForm> form = {};
  /// EPContext: compiled parts inside the model. Beside it they load faster, many times for large ones.
  bool embed = false;
  /// Weights in a file beside the artifact. Unset: where the source has external data, or more than 1 GiB.
  std::optional<bool> external_weights = {};
  /// The most that floating-point outputs may differ, as a fraction of the largest magnitude in the output.
  /// Unset: by element type, see default_tolerance().
  std::optional<double> tolerance = {};
  /// Called before each step, from the thread of compile(); must not throw.
  std::function<void(CompileStep)> on_step = {};
};

/// How the artifact was compared with the source.
struct CompileValidation {
  bool made_up_inputs = false;
  std::string reference;  ///< what ran the source: the target, or "cpu" where opening it there builds engines
  std::size_t outputs = 0;
  double difference = 0;    ///< the greatest, as a fraction of the largest magnitude in its output
  double tolerance = 0;     ///< what that output was allowed; 0: bit for bit
  std::string output = {};  ///< which output that was; empty where nothing differs
};

struct CompileReport {
  std::vector<std::filesystem::path> files;  ///< what was written, the model first
  CompiledForm form = CompiledForm::Onnx;
  std::string provider;                                ///< short name
  std::string onnxruntime;                             ///< version
  std::uint64_t source_bytes = 0, compiled_bytes = 0;  ///< files of external data and compiled parts included
  std::uint64_t compiled_parts = 0;                    ///< EPContext nodes
  std::chrono::microseconds compile_time = {};
  /// Of a session on the source and on the artifact: the median of a few, where they are quick. For a
  /// provider that builds engines the source's is the time of compiling, which is not done twice.
  std::chrono::microseconds load_before = {}, load_after = {};
  CompileValidation validation = {};
  std::string compatibility = {};  ///< what the provider left in the artifact to know it by; empty: nothing
  std::vector<FallbackEvent> notes = {};  ///< what could not be found out, such as placement before ORT 1.24
};

/// The most that outputs of the type may differ, as a fraction of the largest magnitude: 0 for everything
/// that is no floating-point number.
double default_tolerance(ElementType type) noexcept;

/// Compiles `source` for the provider `target` into `destination`, which appears only when it has been opened
/// again, run, and compared with the source; its mode is that of any new file.
///
/// Never     a fallback to another provider; an existing file replaced; a partial destination, also not after
///           a crash or on a full disk.
/// Errors    InvalidArgument (unknown target, an option, the destination exists), IoFailed (its folder, the
///           disk), Unsupported (the source is compiled already, this ONNX Runtime cannot compile), those of
///           Session::open() and infer(); RunFailed where outputs differ; ProviderFailed where the target
///           compiled nothing, or what it compiled cannot be opened again.
Result<CompileReport> compile(const std::filesystem::path& source, const std::filesystem::path& destination,
                              const std::string& target, const CompileOptions& options = {});

}  // namespace surefoot
