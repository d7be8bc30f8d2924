#include "kernels.hpp"

#include <fmt/format.h>

#include <functional>
#include <stdexcept>

#include "broadcast.hpp"
#include "comma_list.hpp"
#include "matmul.hpp"

namespace surefoot::fault_ep {
namespace {

Tensor add(std::span<const TensorView> in, const Attributes&) {
  return broadcast(in[0], in[1], std::plus<>{});
}
Tensor sub(std::span<const TensorView> in, const Attributes&) {
  return broadcast(in[0], in[1], std::minus<>{});
}
Tensor mul(std::span<const TensorView> in, const Attributes&) {
  return broadcast(in[0], in[1], std::multiplies<>{});
}

Tensor identity(std::span<const TensorView> in, const Attributes&) {
  return {{in[0].dims.begin(), in[0].dims.end()}, {in[0].values.begin(), in[0].values.end()}};
}

Tensor relu(std::span<const TensorView> in, const Attributes& attributes) {
  Tensor y = identity(in, attributes);
  for (float& value : y.values) value = value < 0 ? 0 : value;
  return y;
}

Tensor matmul(std::span<const TensorView> in, const Attributes&) { return matrix_product(in[0], in[1]); }

bool is_present(std::span<const TensorView> in, std::size_t index) {
  return index < in.size() && (!in[index].values.empty() || !in[index].dims.empty());
}

Tensor gemm(std::span<const TensorView> in, const Attributes& attributes) {
  const Tensor a = attributes.transpose_a ? transposed(in[0]) : Tensor{};
  const Tensor b = attributes.transpose_b ? transposed(in[1]) : Tensor{};
  Tensor product = matrix_product(attributes.transpose_a ? a : in[0], attributes.transpose_b ? b : in[1]);
  for (float& value : product.values) value *= attributes.alpha;
  if (!is_present(in, 2)) return product;
  return broadcast(product, in[2], [&](float ab, float c) { return ab + attributes.beta * c; });
}

struct Row {
  std::string_view op;
  Kernel kernel;
};
constexpr Row kKernels[] = {{"Add", add},       {"Sub", sub},   {"Mul", mul},          {"Relu", relu},
                            {"MatMul", matmul}, {"Gemm", gemm}, {"Identity", identity}};

}  // namespace

Kernel find_kernel(std::string_view op) {
  for (const auto& [name, kernel] : kKernels)
    if (name == op) return kernel;
  return nullptr;
}

std::string kernel_names() {
  std::string names;
  for (const auto& [name, kernel] : kKernels) names.append(names.empty() ? "" : ",").append(name);
  return names;
}

std::set<std::string> ops_from(std::string_view list) {
  std::set<std::string> ops;
  for (const std::string_view op : split_list(list)) {
    if (find_kernel(op) == nullptr)
      throw std::invalid_argument(fmt::format("ops: no kernel for `{}`, there are: {}", op, kernel_names()));
    ops.emplace(op);
  }
  return ops;
}

}  // namespace surefoot::fault_ep
