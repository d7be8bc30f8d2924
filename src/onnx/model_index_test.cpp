#include <gmock/gmock.h>

#include <memory>

#include "onnx/model_reader.hpp"
#include "onnx/model_writer.hpp"

namespace surefoot::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Weights of two forms, nodes with attributes, and a function.
ModelBuilder flat_model() {
  const Tensor weight = Tensor::of<float>({1, 2, 3}, {3}).value();
  const Tensor index = Tensor::of<std::int64_t>({0, 4, 7}, {3}).value();
  ModelBuilder model;
  model.producer("p", "1");
  model.metadata("key", "value");
  model.input("x", tensor_type(ElementType::Float32, {"n", 3}));
  model.input("w", tensor_type(ElementType::Float32, {3}));
  model.initializer("w", weight.view());
  model.sparse_initializer("z", weight.view(), index.view(), {9});
  model.initializer(
      {.name = "far", .type = ElementType::Float32, .shape = {3}, .location = "data", .bytes = 12});
  model.node({.op = "Add", .inputs = {"x", "w"}, .outputs = {"a"}, .name = "add"});
  model.node({.op = "F", .inputs = {"a"}, .outputs = {"y"}, .attributes = {{"axis", 1}}, .domain = "d"});
  model.output("y", tensor_type(ElementType::Float32, {"n", 3}));
  model.function(
      {.name = "F", .domain = "d", .inputs = {"i"}, .nodes = {{.op = "Relu"}}, .opsets = {{"", 17}}});
  return model;
}

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

TEST(ModelIndex, IsMadeInThePassThatReadsTheFacts) {
  const std::string bytes = flat_model().bytes();
  Source once(bytes_of(bytes)), indexed(bytes_of(bytes));
  ASSERT_TRUE(read_model(once, "it"));
  ASSERT_TRUE(index_model(indexed, "it"));
  EXPECT_GT(once.fields(), 50U);
  EXPECT_EQ(indexed.fields(), once.fields());
}

TEST(ModelIndex, HasTheFactsThatAreReadWithoutIt) {
  const std::string bytes = flat_model().bytes();
  Source source(bytes_of(bytes)), other(bytes_of(bytes));
  const ModelInfo info = read_model(source, "it").value();
  const ModelIndex index = index_model(other, "it").value();
  EXPECT_EQ(index.info.node_count, info.node_count);
  EXPECT_EQ(index.info.initializer_count, info.initializer_count);
  EXPECT_EQ(index.info.initializer_bytes, info.initializer_bytes);
  EXPECT_EQ(index.info.metadata, info.metadata);
  EXPECT_EQ(index.info.external_data.at(0).location, info.external_data.at(0).location);
  EXPECT_EQ(index.info.inputs.at(1).name, "w");
  EXPECT_FALSE(index.info.inputs.at(1).required);
  ASSERT_EQ(index.info.ops.size(), info.ops.size());
  for (std::size_t i = 0; i < info.ops.size(); ++i) {
    EXPECT_EQ(index.info.ops[i].op, info.ops[i].op);
    EXPECT_EQ(index.info.ops[i].defined_here, info.ops[i].defined_here);
  }
}

TEST(ModelIndex, FindsNodesAndWeightsInTheFilesOrder) {
  const std::string bytes = flat_model().bytes();
  Source source(bytes_of(bytes));
  const ModelIndex index = index_model(source, "it").value();
  std::vector<std::string> nodes, weights;
  for (const TreeNode& node : index.tree.nodes) nodes.push_back(node.name);
  for (const TreeWeight& weight : index.tree.weights) weights.push_back(weight.name);
  EXPECT_THAT(nodes, ElementsAre("add", "F#1", "d:F()>Relu#0"));
  EXPECT_THAT(weights, ElementsAre("w", "z", "far"));
}

TEST(ModelIndex, OfAGraphInPiecesIsRefused) {
  const std::string bytes = flat_model().bytes() + flat_model().bytes();
  Source source(bytes_of(bytes));
  const auto index = index_model(source, "it");
  ASSERT_FALSE(index);
  EXPECT_THAT(index.error().what, HasSubstr("holds its graph in several pieces"));
}

TEST(ModelIndex, WithoutAGraphIsRefusedAsByInspect) {
  const std::string bytes = "\x08\x08";  // an IR version alone
  Source source(bytes_of(bytes));
  const auto index = index_model(source, "it");
  ASSERT_FALSE(index);
  EXPECT_THAT(index.error().what, HasSubstr("holds no graph in its 2 bytes"));
}

TEST(ModelIndex, OfSubgraphsWithoutEndIsRefused) {
  std::vector<std::unique_ptr<GraphBuilder>> graphs;
  graphs.push_back(std::make_unique<GraphBuilder>("0"));
  for (int depth = 0; depth < 80; ++depth) {
    auto outer = std::make_unique<GraphBuilder>("outer");
    outer->node({.op = "If", .attributes = {{"then_branch", *graphs.back()}}});
    graphs.push_back(std::move(outer));
  }
  ModelBuilder model;
  model.node({.op = "If", .attributes = {{"then_branch", *graphs.back()}}});
  const std::string bytes = model.bytes();
  Source source(bytes_of(bytes));
  const auto index = index_model(source, "it");
  ASSERT_FALSE(index);
  EXPECT_THAT(index.error().what, HasSubstr("subgraphs are nested too deep"));
}

}  // namespace
}  // namespace surefoot::onnx
