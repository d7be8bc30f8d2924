#include "onnx/graph_outline.hpp"

#include <gmock/gmock.h>

#include "onnx/model_writer.hpp"

namespace surefoot::onnx {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

Tensor integers(const std::vector<std::int64_t>& values) {
  return Tensor::of<std::int64_t>(values, {static_cast<std::int64_t>(values.size())}).value();
}

GraphOutline outline_of(const std::string& model) {
  return read_outline(std::as_bytes(std::span(model))).value();
}

ModelBuilder reshaping() {
  ModelBuilder model;
  model.input("x", tensor_type(ElementType::Float32, {"n", 6}));
  model.output("y", tensor_type(ElementType::Float32, {1, 6}));
  model.initializer("shape", integers({1, 6}).view());
  model.node({.op = "Reshape", .inputs = {"x", "shape"}, .outputs = {"y"}, .name = "flat"});
  return model;
}

TEST(GraphOutline, HasNodesWithWhatTheyReadAndMake) {
  const GraphOutline outline = outline_of(reshaping().bytes());
  ASSERT_EQ(outline.nodes.size(), 1u);
  EXPECT_EQ(outline.nodes[0].op, "Reshape");
  EXPECT_EQ(outline.nodes[0].label(), "flat");
  EXPECT_THAT(outline.nodes[0].inputs, ElementsAre("x", "shape"));
  EXPECT_THAT(outline.inputs, ElementsAre("x"));
  EXPECT_EQ(to_string(outline.types.at("x")), "float32[n,6]");
}

TEST(GraphOutline, KnowsTheIntegersOfAShape) {
  EXPECT_THAT(outline_of(reshaping().bytes()).constants.at("shape").integers, ElementsAre(1, 6));
}

TEST(GraphOutline, KnowsWhatConstantNodesMake) {
  ModelBuilder model;
  const Tensor shape = integers({2, 3});
  model.node({.op = "Constant", .outputs = {"a"}, .attributes = {{"value", shape.view()}}});
  model.node({.op = "Constant", .outputs = {"b"}, .attributes = {{"value_ints", IntList{4, 5}}}});
  const GraphOutline outline = outline_of(model.bytes());
  EXPECT_THAT(outline.constants.at("a").integers, ElementsAre(2, 3));
  EXPECT_THAT(outline.constants.at("b").integers, ElementsAre(4, 5));
}

TEST(GraphOutline, CountsTheConstantsOfEachTypeInSubgraphsToo) {
  GraphBuilder branch("branch");
  branch.initializer("w", Tensor::zeros(ElementType::Float16, {2}).value().view());
  ModelBuilder model;
  model.initializer("v", Tensor::zeros(ElementType::Float16, {2}).value().view());
  model.node({.op = "If", .inputs = {"c"}, .outputs = {"y"}, .attributes = {{"then_branch", branch}}});
  EXPECT_EQ(outline_of(model.bytes()).weights.at(ElementType::Float16), 2u);
}

TEST(GraphOutline, DoesNotKeepTheElementsOfLargeTensors) {
  ModelBuilder model;
  model.initializer("many", integers(std::vector<std::int64_t>(1000, 7)).view());
  const GraphOutline outline = outline_of(model.bytes());
  EXPECT_THAT(outline.constants.at("many").integers, ElementsAre());
  EXPECT_THAT(outline.constants.at("many").shape, ElementsAre(1000));
}

TEST(GraphOutline, TellsSubgraphsFunctionsAndTheirNodesApart) {
  GraphBuilder branch("branch");
  branch.node({.op = "Relu", .inputs = {"x"}, .outputs = {"r"}});
  ModelBuilder model;
  model.node({.op = "If", .inputs = {"c"}, .outputs = {"y"}, .attributes = {{"then_branch", branch}}});
  model.function(
      {.name = "Twice", .domain = "local", .nodes = {{.op = "Add", .inputs = {"a", "a"}, .outputs = {"b"}}}});
  const GraphOutline outline = outline_of(model.bytes());
  std::vector<std::pair<std::string, int>> ops;
  for (const NodeOutline& node : outline.nodes) ops.emplace_back(node.op, node.depth);
  EXPECT_THAT(ops, ElementsAre(Pair("Relu", 1), Pair("If", 0), Pair("Add", 1)));
}

TEST(GraphOutline, AFileThatIsNoModelIsTheErrorOfInspect) {
  const std::string page = "<!DOCTYPE html><html></html>";
  const auto outline = read_outline(std::as_bytes(std::span(page)));
  ASSERT_FALSE(outline);
  EXPECT_EQ(outline.error().code, ErrorCode::InvalidModel);
}

}  // namespace
}  // namespace surefoot::onnx
