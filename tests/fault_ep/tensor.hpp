/// Float tensors, row-major.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace surefoot::fault_ep {

using Dimensions = std::vector<std::int64_t>;

/// Number of elements; 1 for a scalar, which has no axes.
inline std::size_t element_count(std::span<const std::int64_t> dims) {
  std::size_t count = 1;
  for (const std::int64_t dim : dims) count *= static_cast<std::size_t>(dim);
  return count;
}

struct Tensor {
  Dimensions dims;
  std::vector<float> values;
};

/// A tensor of someone else's: valid as long as its owner.
struct TensorView {
  std::span<const std::int64_t> dims;
  std::span<const float> values;

  TensorView() = default;
  TensorView(std::span<const std::int64_t> axes, std::span<const float> elements)
      : dims(axes), values(elements) {}
  TensorView(const Tensor& tensor) : dims(tensor.dims), values(tensor.values) {}
};

}  // namespace surefoot::fault_ep
