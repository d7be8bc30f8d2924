/// What one session holds.
#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "file/mapped_file.hpp"
#include "session/chain.hpp"
#include "session/fork_guard.hpp"
#include "session/interface.hpp"
#include "session/verification.hpp"
#include "session/worker.hpp"

namespace surefoot::session {

struct SessionState {
  SessionState(Runtime loaded, Source from, SessionOptions wanted, ModelInfo read, Plan made)
      : runtime(std::move(loaded)),
        source(std::move(from)),
        options(std::move(wanted)),
        info(std::move(read)),
        chain(
            std::move(made),
            [this](const Plan& plan, const Candidate& candidate) {
              return open_candidate(request(plan), candidate);
            },
            options.on_event) {}

  /// Opens the first candidate that opens. Errors: as Chain::start().
  Result<void> start();
  /// Errors: InvalidState after fork().
  Result<void> check_process() const;
  CacheState cache_state() const;
  /// Whether the options ask for verify(), and nobody has done it yet; without a lock.
  bool is_to_verify(const Opened& opened) const noexcept {
    return options.verify && verification.is_due(opened);
  }
  /// Compares a candidate for which is_to_verify() with the CPU before its first answer. `stage` is
  /// Stage::Verify after a failure, else as it was.
  /// Errors: ProviderFailed when it computes wrong numbers; Cancelled.
  Result<void> verify(const OpenedPtr& opened, std::span<const ort::Argument> arguments, Stage& stage,
                      std::stop_token stop = {});

  Runtime runtime;
  Source source;
  std::optional<file::MappedFile> content = {};  ///< OpenRequest::content; only until it has started
  SessionOptions options;
  ModelInfo info;
  Interface interface;
  Outputs::Names output_names;
  std::vector<ort::Target> all_outputs;  ///< what a plain call asks for; refers to `interface`
  std::optional<ModelCache> cache;
  /// Outlives the chain: each candidate's session adds its file when it goes.
  std::shared_ptr<ProfileFiles> profiles = std::make_shared<ProfileFiles>();
  Chain chain;
  Verification verification;
  unsigned opened_in = fork_generation();
  std::atomic<bool> profile_ended = false;

  /// For a candidate of that plan; both live as long as this.
  OpenRequest request(const Plan& plan) const {
    return {source,   options,
            plan,     runtime,
            info,     cache ? &*cache : nullptr,
            profiles, content ? content->bytes() : std::span<const std::byte>()};
  }

 private:
  void look_for_cache();
  void fill_cache();
  void set_cache_state(CacheState state);

  mutable std::mutex cache_mutex_;
  CacheState cache_state_;
  Worker filling_;  ///< last, so that it ends first
};

/// The outputs of these names, in memory of ONNX Runtime's; refers to `model`.
std::vector<ort::Target> targets_for(const Interface& model, const std::vector<std::string>& names);

/// The outputs that a call asks for, checked. Errors: InvalidArgument with the nearest name.
Result<Outputs::Names> names_of(const Interface& model, const std::vector<std::string>& asked);

}  // namespace surefoot::session
