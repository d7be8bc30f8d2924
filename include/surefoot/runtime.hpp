/// Finding an ONNX Runtime on this machine, judging it, and loading it.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "surefoot/log.hpp"
#include "surefoot/result.hpp"

namespace surefoot {

/// Where a library was looked for, in the order of the search.
enum class RuntimeOrigin {
  Explicit,           ///< RuntimeOptions::library
  SurefootVariable,   ///< the environment variable SUREFOOT_ONNXRUNTIME
  OrtVariable,        ///< the environment variable ORT_DYLIB_PATH
  Mapped,             ///< already in the process, e.g. by a host that links it
  Host,               ///< RuntimeOptions::host_folders
  BesideLibrary,      ///< the folder of Surefoot's own library or program, and `lib` beside it
  PythonEnvironment,  ///< the active Python environment's onnxruntime package
  SystemLoader,       ///< the system loader's folders
  WellKnown,          ///< other Pythons, npm's global packages, /opt
};

/// "explicit path", "SUREFOOT_ONNXRUNTIME", "already loaded", …
std::string_view to_string(RuntimeOrigin origin) noexcept;

/// One place that was looked at.
struct RuntimeFound {
  std::filesystem::path path;
  RuntimeOrigin origin = RuntimeOrigin::Explicit;
  std::string version = {};                 ///< ORT's own text, empty when it could not be read
  int api_version = 0;                      ///< minor version, which is its newest API
  std::vector<std::string> providers = {};  ///< compiled in, ORT's names
  bool chosen = false;
  std::optional<Error> refused = {};  ///< why it cannot be used; empty when it can
};

/// Threads that sessions can share, one pool in a process for each ORT in it. 0: as many as ORT would
/// give one session.
struct SharedThreads {
  int intra_op = 0;      ///< for one operator
  int inter_op = 0;      ///< for independent operators
  bool spinning = true;  ///< idle ones spin for a while
};

struct RuntimeOptions {
  std::filesystem::path library = {};  ///< the file to load; empty: search
  /// Folders that the embedding program knows of, such as its interpreter's packages; they are searched
  /// before all that is not in the process yet.
  std::vector<std::filesystem::path> host_folders = {};
  bool allow_telemetry = false;  ///< leave ORT's telemetry as ORT has it: on, in official builds from 1.30
  /// Made with ORT's environment, which is one in a process: asked for at the first load, or not to be had.
  std::optional<SharedThreads> shared_threads = {};
  LogSink log = {};  ///< receives ORT's log, process-wide; empty: as before, silent at first
  LogLevel log_level = LogLevel::Warning;
};

/// A device on which a registered plugin provider, or ORT's CPU, can run.
struct DeviceInfo {
  std::string provider;
  std::string vendor;
  std::string kind;  ///< "cpu", "gpu", "npu"
};

namespace ort {
class Environment;
}
namespace runtime {
struct Surroundings;
}

/// A loaded ONNX Runtime with its process-wide environment.
///
/// Lifetime  the library and its environment stay until the process ends; a Runtime is a light handle.
/// Threads   safe from any.
/// Limits    a Python process that imported onnxruntime holds a second ORT, statically inside its
///           extension module. CPU and plugin providers work beside it; bridge providers (CUDA,
///           OpenVINO built in) must not be used from both.
class Runtime {
 public:
  /// Finds and loads. With a path or a variable set, only that is tried: what a user names is never
  /// replaced in silence. Otherwise the first usable library in the order of RuntimeOrigin.
  /// The second call with the same library gives the same environment.
  /// Errors: RuntimeUnavailable, which lists each place with its reason.
  static Result<Runtime> load(const RuntimeOptions& options = {});

  /// Every ORT on this machine, in search order, the one that load() would choose marked.
  /// Loads what it lists for a moment; writes nothing.
  static std::vector<RuntimeFound> discover(const RuntimeOptions& options = {});

  /// Replaces the sink of ORT's log for the whole process; an empty one silences it. No call of the
  /// sink before begins after this returns; one that had begun in another thread may still be running.
  static void set_log(LogSink sink, LogLevel level = LogLevel::Warning);

  const std::filesystem::path& path() const noexcept;
  const std::string& version() const noexcept;
  int api_version() const noexcept;  ///< the library's own
  /// Providers compiled in, ORT's names: *not* those that work.
  const std::vector<std::string>& providers() const noexcept;
  /// The places that were looked at before this one was chosen.
  const std::vector<RuntimeFound>& searched() const noexcept;
  bool telemetry_allowed() const noexcept;

  /// Registers a plugin provider's library under a name of the caller's; it then is a provider of
  /// that name or of the names that its devices report, for every session.
  /// Errors: NotFound, InvalidArgument (name taken), ProviderFailed (ORT's reason), Unsupported
  /// (before 1.22).
  Result<void> register_plugin(const std::string& name, const std::filesystem::path& library);
  /// Outputs whose memory the plugin placed must be gone too. Errors: NotFound; InvalidState while any
  /// session lives.
  Result<void> unregister_plugin(const std::string& name);
  std::vector<std::string> plugins() const;
  std::vector<DeviceInfo> devices() const;

  /// For Surefoot's own parts.
  ort::Environment& environment() const noexcept;

 private:
  struct State;
  static Result<Runtime> search(const RuntimeOptions& options, const runtime::Surroundings& around);
  explicit Runtime(std::shared_ptr<const State> state) : state_(std::move(state)) {}
  std::shared_ptr<const State> state_;
};

}  // namespace surefoot
