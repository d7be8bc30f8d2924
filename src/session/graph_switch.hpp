/// What makes a candidate's leading provider capture graphs, and whether it is told to.
#pragma once

#include <memory>
#include <mutex>

#include "ort/session_options.hpp"
#include "surefoot/session.hpp"

namespace surefoot::session {

class GraphSwitch {
 public:
  /// Of a candidate's leading provider.
  static GraphSwitch of(const Candidate& candidate, const SessionOptions& options);

  bool exists() const noexcept { return !option_.empty() || !entry_.empty(); }
  /// Whether the caller turned it on by the provider's own option.
  bool is_on(const ort::SessionSettings& settings) const;
  void turn_on(ort::SessionSettings& settings) const;
  /// A graph can be replayed by no other thread than the one that captured it.
  bool is_by_thread() const noexcept { return by_thread_; }
  /// Why there is none. Code Unsupported.
  Error absent(const Candidate& candidate) const;
  /// Adds to what a provider said when it refused to open with it what it needs of a model.
  Error refused(Error error) const;

 private:
  std::string option_, entry_;
  std::string_view needs_ = {};
  bool by_thread_ = false;
};

/// Capturing forbids others to allocate and free on that device: who captures, or ends a session or a graph
/// there, holds the lock of the device. One for all sessions of the process; replaying takes none.
using DeviceLock = std::shared_ptr<std::mutex>;
DeviceLock device_lock(const Candidate& candidate, const ort::SessionSettings& settings);

/// A session that ends under the lock. It must not end while its thread holds it.
template <class T>
std::shared_ptr<T> ended_under(DeviceLock lock, std::shared_ptr<T> owned) {
  T* const raw = owned.get();
  return std::shared_ptr<T>(raw, [held = std::move(owned), lock = std::move(lock)](T*) mutable {
    const std::lock_guard guard(*lock);
    held.reset();
  });
}

}  // namespace surefoot::session
