/// What the inputs were before runs that write over them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "session/buffers.hpp"

namespace surefoot::session {

/// Copies of the inputs that lie where an output of the same turn does, for as long as other candidates are
/// tried. Refers to the buffers' memory, not to the Buffers.
class InputsBefore {
 public:
  /// Whether a run may write over its own inputs.
  static bool is_needed(const Buffers& buffers);
  /// Whatever no run writes over is not copied.
  explicit InputsBefore(const Buffers& buffers);
  /// Writes them back to where they were.
  void restore() const;

 private:
  struct Kept {
    std::span<std::byte> place;
    std::vector<std::byte> bytes;
  };
  std::vector<Kept> kept_;
};

}  // namespace surefoot::session
