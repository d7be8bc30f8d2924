/// Something that may end the process, marked for as long as it is being tried.
#pragma once

#include <filesystem>
#include <utility>

#include "cache/digest.hpp"

namespace surefoot::cache {

/// ONNX Runtime has crashed on models that it wrote itself. A process that ends in a trial leaves its mark,
/// and nobody tries the same again while that stands: a crash is met once, not at each start.
///
/// Lifetime  the mark goes with the trial.
class Trial {
 public:
  /// Marks, in `folder`, that `key` is being tried. Errors: InvalidState where an earlier process ended in
  /// the midst of it, or another one is at it now; IoFailed.
  static Result<Trial> begin(const std::filesystem::path& folder, const Digest& key);

  Trial(Trial&& other) noexcept
      : mark_(std::exchange(other.mark_, {})), lock_(std::exchange(other.lock_, -1)) {}
  Trial& operator=(Trial&&) = delete;
  ~Trial();

 private:
  Trial(std::filesystem::path mark, int lock) : mark_(std::move(mark)), lock_(lock) {}

  std::filesystem::path mark_;
  int lock_;  ///< held by the process that tries
};

}  // namespace surefoot::cache
