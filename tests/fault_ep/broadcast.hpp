/// Two shapes made one, as NumPy and ONNX do it.
#pragma once

#include <string>

#include "tensor.hpp"

namespace surefoot::fault_ep {

/// The common shape of two operands, and where an element of it comes from in each.
struct Broadcast {
  Dimensions dims;
  Dimensions a_strides;  // in elements, per axis of `dims`; 0 where the axis is stretched
  Dimensions b_strides;

  std::size_t a_offset(std::size_t flat_index) const;
  std::size_t b_offset(std::size_t flat_index) const;
};

/// Throws std::runtime_error, naming both shapes, when they do not go together.
Broadcast broadcast_of(std::span<const std::int64_t> a, std::span<const std::int64_t> b);

/// Applies `op(float, float)` to each pair of elements.
template <class Op>
Tensor broadcast(TensorView a, TensorView b, Op op) {
  const Broadcast shape = broadcast_of(a.dims, b.dims);
  Tensor y{shape.dims, std::vector<float>(element_count(shape.dims))};
  for (std::size_t i = 0; i < y.values.size(); ++i)
    y.values[i] = op(a.values[shape.a_offset(i)], b.values[shape.b_offset(i)]);
  return y;
}

/// "[2,3]", for messages.
std::string to_string(std::span<const std::int64_t> dims);

}  // namespace surefoot::fault_ep
