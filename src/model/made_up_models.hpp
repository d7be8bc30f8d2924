/// Models that the tests of this part edit.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "onnx/model_writer.hpp"
#include "onnx/onnx_proto.hpp"
#include "onnx/part.hpp"
#include "onnx/part_writer.hpp"
#include "surefoot/model.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot::model {

inline std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline Tensor floats(std::initializer_list<float> values, Shape shape) {
  return Tensor::of<float>(values, std::move(shape)).value();
}

/// y[n,2] = x[n,3] · w + b, and an If whose branches have a weight `inner` each.
inline onnx::ModelBuilder dense_builder() {
  onnx::ModelBuilder model;
  model.input("x", onnx::tensor_type(ElementType::Float32, {"n", 3}));
  model.initializer("w", floats({1, 2, 3, 4, 5, 6}, {3, 2}).view());
  model.initializer("b", floats({0.5f, -0.5f}, {2}).view());
  model.node({.op = "MatMul", .inputs = {"x", "w"}, .outputs = {"xw"}, .name = "multiply"});
  model.node({.op = "Add", .inputs = {"xw", "b"}, .outputs = {"y"}});
  model.output("y", onnx::tensor_type(ElementType::Float32, {"n", 2}));
  return model;
}

/// A float32 model of `bytes` bytes of weights in its own file, which is a hole where they lie.
inline std::filesystem::path write_hollow(const tests::TestFolder& folder, std::uint64_t bytes) {
  std::string head;
  {
    onnx::Builder<onnx::TensorField> tensor(head);
    onnx::write_tensor_header(tensor, "big", ElementType::UInt8, Shape{static_cast<std::int64_t>(bytes)});
  }
  head += onnx::chunk_header(static_cast<std::uint32_t>(onnx::TensorField::RawData), bytes);
  onnx::GraphBuilder rest("rest");
  rest.node({.op = "Identity", .inputs = {"big"}, .outputs = {"y"}});
  rest.output("y", onnx::tensor_type(ElementType::UInt8, {"n"}));
  const std::string initializer =
      onnx::chunk_header(static_cast<std::uint32_t>(onnx::GraphField::Initializer), head.size() + bytes);
  const std::uint64_t graph = initializer.size() + head.size() + bytes + rest.graph_bytes().size();
  onnx::ModelBuilder model;
  const std::string frame = model.bytes();  // IR version, an empty graph, opset
  const std::string begin = frame.substr(0, 2) +
                            onnx::chunk_header(static_cast<std::uint32_t>(onnx::ModelField::Graph), graph) +
                            initializer + head;
  const auto path = folder.write("hollow.onnx", begin);
  std::filesystem::resize_file(path, begin.size() + bytes);
  std::ofstream tail(path, std::ios::binary | std::ios::app);
  std::string opset;
  {
    onnx::Builder<onnx::ModelField> fields(opset);
    onnx::Builder<onnx::OpsetField> inner(fields, onnx::ModelField::OpsetImport);
    onnx::write_opset(inner, {.domain = "", .version = 17});
  }
  tail << rest.graph_bytes() << opset;
  return path;
}

}  // namespace surefoot::model
