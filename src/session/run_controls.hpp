/// The options of a prepared run's runs, and the flag that ends one.
#pragma once

#include <array>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "ort/run_options.hpp"

namespace surefoot::session {

/// Threads  terminate() from any while a run is under way; the rest from the thread that runs.
class RunControls {
 public:
  using Entries = std::map<std::string, std::string>;
  /// The numbers of the graphs that runs of each turn capture and replay.
  using GraphIds = std::array<int, 2>;

  explicit RunControls(const ort::Api& api, Entries entries) : api_(&api), entries_(std::move(entries)) {}
  RunControls(RunControls&& other) noexcept
      : api_(other.api_), entries_(std::move(other.entries_)), made_(std::move(other.made_)) {}

  /// Options for runs that capture no graph, and with `graphs` those that do. Errors: what ORT said of an
  /// entry.
  Result<void> set(bool captures, std::optional<GraphIds> graphs = {}) {
    std::vector<ort::RunOptions> made;
    Result<void> done = add(made, captures ? ort::kNoGraph : "");
    if (graphs)
      for (const int id : *graphs)
        if (done) done = add(made, std::to_string(id));
    if (!done) return done;
    const std::lock_guard lock(mutex_);
    if (ended_)
      for (const ort::RunOptions& options : made) options.terminate();
    made_ = std::move(made);
    return {};
  }

  const ort::RunOptions& without_graph() const noexcept { return made_.front(); }
  const ort::RunOptions& with_graph(std::size_t turn) const noexcept { return made_[1 + turn]; }

  /// For what is run beside these options, which terminate() is to end likewise. One at a time.
  std::stop_token stop_beside() {
    const std::lock_guard lock(mutex_);
    beside_ = std::stop_source();
    if (ended_) beside_.request_stop();
    return beside_.get_token();
  }

  void terminate() noexcept {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    beside_.request_stop();
    for (const ort::RunOptions& options : made_) options.terminate();
  }
  void resume() noexcept {
    const std::lock_guard lock(mutex_);
    ended_ = false;
    for (const ort::RunOptions& options : made_) options.resume();
  }

 private:
  Result<void> add(std::vector<ort::RunOptions>& to, std::string graph) const {
    ort::RunSettings settings{.entries = entries_};
    if (!graph.empty()) settings.entries.try_emplace(ort::kGraphId, std::move(graph));
    auto made = ort::RunOptions::make(*api_, settings);
    if (!made) return fail(std::move(made).error());
    to.push_back(std::move(*made));
    return {};
  }

  const ort::Api* api_;
  Entries entries_;
  std::mutex mutex_;  ///< taken where options change, or a run is ended: never on the way of a run
  std::vector<ort::RunOptions> made_;
  std::stop_source beside_{std::nostopstate};
  bool ended_ = false;
};

}  // namespace surefoot::session
