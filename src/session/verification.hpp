/// Whether a provider computes what the CPU computes.
#pragma once

#include <atomic>
#include <mutex>
#include <span>

#include "session/chain.hpp"

namespace surefoot::session {

/// Compares each candidate that comes into use with the CPU, once, on the inputs of its first call.
///
/// Threads  any: calls that come while a candidate is being verified wait for the verdict.
class Verification {
 public:
  /// What could not be compared is told to `note`, and counts as right.
  using Note = std::function<void(FallbackEvent)>;

  /// Errors: ProviderFailed when an output is farther from the CPU's than reduced precision explains.
  Result<void> check(const OpenRequest& request, const OpenedPtr& opened,
                     std::span<const ort::Argument> arguments, std::span<const ort::Target> outputs,
                     const Note& note);

 private:
  std::mutex mutex_;
  std::atomic<const Opened*> verified_ = nullptr;
  OpenedPtr kept_;  ///< so that no other comes to lie where the verified one was
};

}  // namespace surefoot::session
