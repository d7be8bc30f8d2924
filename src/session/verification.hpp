/// Whether a provider computes what the CPU computes.
#pragma once

#include <atomic>
#include <mutex>
#include <span>
#include <stop_token>

#include "session/chain.hpp"

namespace surefoot::session {

/// The call that a candidate is verified on.
struct VerifiedCall {
  std::span<const ort::Argument> arguments;
  std::span<const ort::Target> outputs;  ///< each in memory of ONNX Runtime's
  std::stop_token stop;                  ///< ends the runs that the comparison makes
};

/// Compares each candidate that comes into use with the CPU, once, on the inputs of its first call.
///
/// Threads  any: calls that come while a candidate is being verified wait for the verdict.
class Verification {
 public:
  /// What could not be compared is told to `note`, and counts as right.
  using Note = std::function<void(FallbackEvent)>;

  /// Whether check() would compare anything, without a lock.
  bool is_due(const Opened& opened) const noexcept {
    return verified_.load(std::memory_order_acquire) != &opened;
  }

  /// Errors: ProviderFailed when an output is farther from the CPU's than reduced precision explains;
  /// Cancelled.
  Result<void> check(const OpenRequest& request, const OpenedPtr& opened, const VerifiedCall& call,
                     const Note& note);

 private:
  void keep(const OpenedPtr& opened);

  std::mutex mutex_;
  std::atomic<const Opened*> verified_ = nullptr;
  OpenedPtr kept_;  ///< so that no other comes to lie where the verified one was
};

}  // namespace surefoot::session
