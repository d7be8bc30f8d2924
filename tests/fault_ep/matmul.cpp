#include "matmul.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "broadcast.hpp"

namespace surefoot::fault_ep {
namespace {

struct Sizes {
  std::size_t rows, inner, columns;
};

/// y += a · b for one matrix each; y starts as zeros.
void multiply(const float* a, const float* b, float* y, const Sizes& sizes) {
  for (std::size_t row = 0; row < sizes.rows; ++row, y += sizes.columns)
    for (std::size_t k = 0; k < sizes.inner; ++k) {
      const float factor = a[row * sizes.inner + k];
      for (std::size_t column = 0; column < sizes.columns; ++column)
        y[column] += factor * b[k * sizes.columns + column];
    }
}

Dimensions as_matrix(std::span<const std::int64_t> dims, bool vector_is_row) {
  if (dims.size() != 1) return {dims.begin(), dims.end()};
  return vector_is_row ? Dimensions{1, dims[0]} : Dimensions{dims[0], 1};
}

std::span<const std::int64_t> batch_of(const Dimensions& dims) {
  return std::span(dims).first(dims.size() - 2);
}

Dimensions product_dims(Dimensions dims, TensorView a, TensorView b, const Sizes& sizes) {
  if (a.dims.size() != 1) dims.push_back(static_cast<std::int64_t>(sizes.rows));
  if (b.dims.size() != 1) dims.push_back(static_cast<std::int64_t>(sizes.columns));
  return dims;
}

Sizes sizes_of(const Dimensions& a, const Dimensions& b) {
  const auto size = [](std::int64_t dim) { return static_cast<std::size_t>(dim); };
  return {size(a.end()[-2]), size(a.back()), size(b.back())};
}

}  // namespace

Tensor matrix_product(TensorView a, TensorView b) {
  const Dimensions left = as_matrix(a.dims, true);
  const Dimensions right = as_matrix(b.dims, false);
  if (left.size() < 2 || right.size() < 2 || left.back() != right.end()[-2])
    throw std::runtime_error(
        fmt::format("shapes {} and {} do not multiply", to_string(a.dims), to_string(b.dims)));
  const Sizes sizes = sizes_of(left, right);
  const Broadcast batch = broadcast_of(batch_of(left), batch_of(right));
  const std::size_t matrix = sizes.rows * sizes.columns;
  Tensor y{product_dims(batch.dims, a, b, sizes), std::vector<float>(element_count(batch.dims) * matrix)};
  for (std::size_t i = 0; i < element_count(batch.dims); ++i)
    multiply(a.values.data() + batch.a_offset(i) * sizes.rows * sizes.inner,
             b.values.data() + batch.b_offset(i) * sizes.inner * sizes.columns, y.values.data() + i * matrix,
             sizes);
  return y;
}

Tensor transposed(TensorView matrix) {
  if (matrix.dims.size() != 2)
    throw std::runtime_error(fmt::format("shape {} is not a matrix", to_string(matrix.dims)));
  const auto rows = static_cast<std::size_t>(matrix.dims[0]);
  const auto columns = static_cast<std::size_t>(matrix.dims[1]);
  Tensor y{{matrix.dims[1], matrix.dims[0]}, std::vector<float>(matrix.values.size())};
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < columns; ++column)
      y.values[column * rows + row] = matrix.values[row * columns + column];
  return y;
}

}  // namespace surefoot::fault_ep
