/// Whether two pieces of memory share a byte.
#pragma once

#include <cstddef>
#include <span>

namespace surefoot::session {

inline bool overlap(std::span<const std::byte> a, std::span<const std::byte> b) noexcept {
  return a.data() < b.data() + b.size() && b.data() < a.data() + a.size();
}

}  // namespace surefoot::session
