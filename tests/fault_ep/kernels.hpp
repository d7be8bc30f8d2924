/// The few float operators that the provider computes by itself, as ONNX defines them.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "tensor.hpp"

namespace surefoot::fault_ep {

/// Attributes of Gemm; every other operator leaves them alone.
struct Attributes {
  float alpha = 1;
  float beta = 1;
  bool transpose_a = false;
  bool transpose_b = false;
};

/// `inputs` in ONNX's order; an optional one that is absent has no values at its place or is left off.
using Kernel = Tensor (*)(std::span<const TensorView> inputs, const Attributes& attributes);

/// The kernel of an operator of the default ONNX domain, or null.
/// A kernel throws std::runtime_error when the shapes do not fit the operator.
Kernel find_kernel(std::string_view op);

/// All operators with a kernel, comma separated.
std::string kernel_names();

/// Reads a comma list of operators. Throws std::invalid_argument, naming one that has no kernel.
std::set<std::string> ops_from(std::string_view list);

}  // namespace surefoot::fault_ep
