/// The options of a run, and the flag that ends it.
#pragma once

#include <map>
#include <stop_token>
#include <string>

#include "ort/environment.hpp"

namespace surefoot::ort {

/// The run config entry that names the graph which a run captures or replays; kNoGraph: neither.
inline constexpr const char* kGraphId = "gpu_graph_id";
inline constexpr const char* kNoGraph = "-1";

struct RunSettings {
  std::stop_token stop = {};
  std::map<std::string, std::string> entries = {};  ///< run config entries
  std::string tag = {};
};

/// ORT's options of a run, for one run at a time.
///
/// Threads  terminate() from any while a run is under way; the rest from the thread that runs.
class RunOptions {
 public:
  /// `settings.stop` is not looked at. Errors: what ORT said of an entry.
  static Result<RunOptions> make(const Api& api, const RunSettings& settings);

  const OrtRunOptions* raw() const noexcept { return handle_.get(); }
  /// Ends the run that uses these options between two of its nodes, and each one after it, until resume().
  void terminate() const { (void)api_->call(fn::RunOptionsSetTerminate, handle_.get()); }
  void resume() const { (void)api_->call(fn::RunOptionsUnsetTerminate, handle_.get()); }

 private:
  RunOptions(const Api& api, Handle<OrtRunOptions> handle) : api_(&api), handle_(std::move(handle)) {}
  const Api* api_;
  Handle<OrtRunOptions> handle_;
};

}  // namespace surefoot::ort
