#include "tests/support/models.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <list>
#include <mutex>

namespace surefoot::tests {
namespace {

constexpr std::array kWeights = {1.0f, -2.0f, 0.5f, 3.0f, -1.5f, 0.25f};  // [3,2]
constexpr std::array kBias = {0.5f, -0.5f};

Tensor tensor(std::span<const float> values, Shape shape) {
  return Tensor::of<float>(values, std::move(shape)).value();
}

}  // namespace

std::span<const std::byte> bytes_of(const std::string& model) { return std::as_bytes(std::span(model)); }

Session open_or_die(const std::string& model, SessionOptions options) {
  static std::list<std::string> kept;
  static std::mutex mutex;
  const std::string* bytes = nullptr;
  {
    std::lock_guard lock(mutex);
    bytes = &kept.emplace_back(model);
  }
  auto session = Session::open(bytes_of(*bytes), std::move(options));
  if (!session) {
    std::fprintf(stderr, "%s\n", to_string(session.error()).c_str());
    std::abort();
  }
  return *std::move(session);
}

std::string dense_model() {
  onnx::ModelBuilder model("dense");
  model.input("x", onnx::tensor_type(ElementType::Float32, {"n", 3}));
  model.output("y", onnx::tensor_type(ElementType::Float32, {"n", 2}));
  model.initializer("w", tensor(kWeights, {3, 2}).view());
  model.initializer("b", tensor(kBias, {2}).view());
  model.node({.op = "MatMul", .inputs = {"x", "w"}, .outputs = {"xw"}, .name = "product"});
  model.node({.op = "Add", .inputs = {"xw", "b"}, .outputs = {"sum"}, .name = "sum"});
  model.node({.op = "Relu", .inputs = {"sum"}, .outputs = {"y"}, .name = "relu"});
  return model.bytes();
}

std::string accumulating_model() {
  onnx::ModelBuilder model("accumulating");
  model.input("x", onnx::tensor_type(ElementType::Float32, {4}));
  model.input("sum", onnx::tensor_type(ElementType::Float32, {4}));
  model.output("total", onnx::tensor_type(ElementType::Float32, {4}));
  model.node({.op = "Add", .inputs = {"x", "sum"}, .outputs = {"total"}, .name = "total"});
  return model.bytes();
}

std::vector<float> dense_answer(const std::vector<float>& x) {
  std::vector<float> y;
  for (std::size_t row = 0; row + 2 < x.size(); row += 3)
    for (std::size_t column = 0; column < 2; ++column) {
      float sum = 0;
      for (std::size_t i = 0; i < 3; ++i) sum += x[row + i] * kWeights[i * 2 + column];
      y.push_back(std::max(0.0f, sum + kBias[column]));
    }
  return y;
}

std::string lookup_model() {
  onnx::ModelBuilder model("lookup");
  model.input("index", onnx::tensor_type(ElementType::Int64, {"k"}));
  model.output("y", onnx::tensor_type(ElementType::Float32, {"k"}));
  constexpr std::array kTable = {0.0f, 1.0f, 2.0f, 3.0f, 4.0f};
  model.initializer("table", tensor(kTable, {5}).view());
  model.node({.op = "Gather", .inputs = {"table", "index"}, .outputs = {"row"}});
  model.node({.op = "Add", .inputs = {"row", "row"}, .outputs = {"y"}});
  return model.bytes();
}

std::string one_node_model(const onnx::Node& node, const ValueType& x, const ValueType& y, std::int64_t opset,
                           std::int64_t ir) {
  onnx::ModelBuilder model;
  model.opset("", opset);
  if (!node.domain.empty()) model.opset(node.domain, 1);
  model.ir_version(ir);
  model.input("x", x);
  model.output("y", y);
  model.node(node);
  return model.bytes();
}

std::string identity_model(const ValueType& type, std::int64_t opset, std::int64_t ir) {
  return one_node_model({.op = "Identity", .inputs = {"x"}, .outputs = {"y"}}, type, type, opset, ir);
}

}  // namespace surefoot::tests
