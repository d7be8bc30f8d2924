/// Weights changed for a while, and put back bit for bit.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "surefoot/tensor.hpp"

namespace surefoot {

namespace model {
struct State;
}

/// What is added to a weight W: `scale` · A · B, as in LoRA. With the sizes of W after the first multiplied
/// together, W is [m,n], A [m,r] and B [r,n]; A and B may be stated with more axes likewise, as those of
/// convolutions are. Sums are taken in float32 (float64 for a float64 weight), and each element of W is
/// rounded to its own type once a delta.
struct LowRankDelta {
  Tensor a;
  Tensor b;
  double scale = 1;
};

/// One weight's change: another value of its type and shape, or a delta of floating-point numbers.
struct WeightPatch {
  std::string name;
  std::variant<Tensor, LowRankDelta> change;
};

/// A patch in force. Whatever was patched before and after it, in whatever order they end, each weight holds
/// what the patches still in force make of it, in the order in which they were made; without any, exactly
/// what it held before.
///
/// Lifetime  ends with release() or the object; shares in the model.
class Patch {
 public:
  Patch(Patch&& other) noexcept : state_(std::move(other.state_)), id_(std::exchange(other.id_, 0)) {}
  Patch& operator=(Patch&& other) noexcept;
  ~Patch();

  bool is_active() const noexcept { return id_ != 0; }
  /// Ends it; twice is fine. Errors: what computing the weights anew failed with, where other patches
  /// are in force on them (OutOfMemory, IoFailed); the patch then stays in force.
  Result<void> release();

 private:
  friend class Model;
  Patch(std::shared_ptr<model::State> state, std::uint64_t id) : state_(std::move(state)), id_(id) {}

  std::shared_ptr<model::State> state_;
  std::uint64_t id_ = 0;
};

}  // namespace surefoot
