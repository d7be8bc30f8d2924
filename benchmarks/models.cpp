#include "benchmarks/models.hpp"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "benchmarks/by_hand.hpp"
#include "onnx/model_writer.hpp"

namespace surefoot::benchmarks {
namespace {

/// Other values for each name: equal weights are kept once by ORT.
std::vector<float> noise(const std::string& name, const Shape& shape) {
  std::seed_seq seed(name.begin(), name.end());
  std::mt19937 generator(seed);
  std::vector<float> values(*element_count(shape));
  const float scale = 1.0F / std::sqrt(static_cast<float>(shape.back()));
  for (float& value : values) value = scale * (static_cast<float>(generator() % 2001) / 1000.0F - 1.0F);
  return values;
}

void add_weight(onnx::ModelBuilder& model, const std::string& name, const Shape& shape) {
  const std::vector<float> values = noise(name, shape);
  model.initializer(name, TensorView::of<float>(values, shape));
}

/// x → (MatMul, Relu) × depth → y.
BenchmarkModel dense(const std::filesystem::path& path, std::int64_t width, int depth) {
  onnx::ModelBuilder model;
  const ValueType type = onnx::tensor_type(ElementType::Float32, {1, width});
  model.input("x", type);
  model.output("y", type);
  std::string from = "x";
  for (int i = 0; i < depth; ++i) {
    const std::string weight = fmt::format("w{}", i), product = fmt::format("m{}", i),
                      to = i + 1 == depth ? "y" : fmt::format("r{}", i);
    add_weight(model, weight, {width, width});
    model.node({.op = "MatMul", .inputs = {from, weight}, .outputs = {product}});
    model.node({.op = "Relu", .inputs = {product}, .outputs = {to}});
    from = to;
  }
  must(model.save(path));
  return {path, {1, width}, {1, width}};
}

}  // namespace

BenchmarkModel tiny_mlp(const std::filesystem::path& folder) {
  return dense(folder / "tiny_mlp.onnx", 64, 2);
}

BenchmarkModel layers(const std::filesystem::path& folder, int megabytes) {
  const auto path = folder / fmt::format("layers_{}.onnx", megabytes);
  if (megabytes < 4) return dense(path, static_cast<std::int64_t>(512 * std::sqrt(megabytes)), 1);
  return dense(path, 1024, megabytes / 4);
}

BenchmarkModel small_cnn(const std::filesystem::path& folder) {
  onnx::ModelBuilder model;
  const Shape shape = {1, 16, 64, 64};
  const ValueType type = onnx::tensor_type(ElementType::Float32, {1, 16, 64, 64});
  model.input("x", type);
  model.output("y", type);
  std::string from = "x";
  constexpr int kDepth = 4;
  for (int i = 0; i < kDepth; ++i) {
    const std::string weight = fmt::format("w{}", i), sum = fmt::format("c{}", i),
                      to = i + 1 == kDepth ? "y" : fmt::format("r{}", i);
    add_weight(model, weight, {16, 16, 3, 3});
    model.node({.op = "Conv",
                .inputs = {from, weight},
                .outputs = {sum},
                .attributes = {{"pads", onnx::IntList{1, 1, 1, 1}}}});
    model.node({.op = "Relu", .inputs = {sum}, .outputs = {to}});
    from = to;
  }
  must(model.save(folder / "small_cnn.onnx"));
  return {folder / "small_cnn.onnx", shape, shape};
}

BenchmarkModel megabyte_relu(const std::filesystem::path& folder) {
  constexpr std::int64_t kCount = 262'144;
  onnx::ModelBuilder model;
  const ValueType type = onnx::tensor_type(ElementType::Float32, {kCount});
  model.input("x", type);
  model.output("y", type);
  model.node({.op = "Relu", .inputs = {"x"}, .outputs = {"y"}});
  must(model.save(folder / "megabyte_relu.onnx"));
  return {folder / "megabyte_relu.onnx", {kCount}, {kCount}};
}

}  // namespace surefoot::benchmarks
