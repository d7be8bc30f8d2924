#include "broadcast.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

namespace surefoot::fault_ep {
namespace {

/// Shapes are aligned at their last axis.
Dimensions padded(std::span<const std::int64_t> dims, std::size_t rank) {
  Dimensions longer(rank - dims.size(), 1);
  longer.insert(longer.end(), dims.begin(), dims.end());
  return longer;
}

Dimensions strides_of(const Dimensions& dims) {
  Dimensions strides(dims.size());
  std::int64_t step = 1;
  for (std::size_t axis = dims.size(); axis-- > 0; step *= dims[axis])
    strides[axis] = dims[axis] == 1 ? 0 : step;
  return strides;
}

std::size_t offset(const Dimensions& dims, const Dimensions& strides, std::size_t flat_index) {
  std::size_t offset = 0;
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    const auto size = static_cast<std::size_t>(dims[axis]);
    offset += flat_index % size * static_cast<std::size_t>(strides[axis]);
    flat_index /= size;
  }
  return offset;
}

}  // namespace

Broadcast broadcast_of(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  const std::size_t rank = std::max(a.size(), b.size());
  const Dimensions left = padded(a, rank);
  const Dimensions right = padded(b, rank);
  Broadcast shape{left, strides_of(left), strides_of(right)};
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (left[axis] == 1)
      shape.dims[axis] = right[axis];
    else if (right[axis] != 1 && right[axis] != left[axis])
      throw std::runtime_error(fmt::format("shapes {} and {} do not broadcast", to_string(a), to_string(b)));
  }
  return shape;
}

std::size_t Broadcast::a_offset(std::size_t flat_index) const { return offset(dims, a_strides, flat_index); }
std::size_t Broadcast::b_offset(std::size_t flat_index) const { return offset(dims, b_strides, flat_index); }

std::string to_string(std::span<const std::int64_t> dims) {
  return fmt::format("[{}]", fmt::join(dims, ","));
}

}  // namespace surefoot::fault_ep
