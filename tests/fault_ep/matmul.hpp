/// The matrix product, which MatMul and Gemm share.
#pragma once

#include "tensor.hpp"

namespace surefoot::fault_ep {

/// As numpy.matmul: leading axes broadcast, a vector stands for one row (left) or one column (right).
/// Throws std::runtime_error, naming both shapes, when they do not go together.
Tensor matrix_product(TensorView a, TensorView b);

/// Throws std::runtime_error when `matrix` has not two axes.
Tensor transposed(TensorView matrix);

}  // namespace surefoot::fault_ep
