#include <gmock/gmock.h>

#include "model/made_up_models.hpp"
#include "surefoot/model_diff.hpp"

namespace surefoot::model {
namespace {

using onnx::ModelBuilder;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Area = Difference::Area;
using Kind = Difference::Kind;

struct Differences : ::testing::Test {
  Model open(const ModelBuilder& builder) {
    const std::string name = "model" + std::to_string(count_++) + ".onnx";
    auto model = Model::open(folder.write(name, builder.bytes()));
    EXPECT_TRUE(model) << to_string(model.error());
    return std::move(model).value();
  }
  static std::vector<Difference> between(const Model& from, const Model& to) {
    auto found = differences(from, to);
    EXPECT_TRUE(found) << to_string(found.error());
    return std::move(found).value();
  }
  tests::TestFolder folder;
  int count_ = 0;
};

TEST_F(Differences, AModelIsTheSameAsItself) {
  EXPECT_THAT(between(open(dense_builder()), open(dense_builder())), IsEmpty());
}

TEST_F(Differences, HowAWeightIsStoredIsNone) {
  const Model model = open(dense_builder());
  const auto saved = folder / "outside.onnx";
  ASSERT_TRUE(model.save(saved, {.placement = WeightPlacement::External, .external_from_bytes = 0}));
  EXPECT_THAT(between(model, Model::open(saved).value()), IsEmpty());
}

TEST_F(Differences, OrderAndNamesOfNodesAreNone) {
  ModelBuilder one, other;
  for (ModelBuilder* builder : {&one, &other}) {
    const bool first = builder == &one;
    builder->input("x", onnx::tensor_type(ElementType::Float32, {1}));
    builder->node({.op = first ? "Neg" : "Abs", .inputs = {"x"}, .outputs = {first ? "n" : "a"}});
    builder->node(
        {.op = first ? "Abs" : "Neg", .inputs = {"x"}, .outputs = {first ? "a" : "n"}, .name = "named"});
    builder->output("n");
  }
  EXPECT_THAT(between(open(one), open(other)), IsEmpty());
}

TEST_F(Differences, ElementsAreCountedWithTheLargestDistance) {
  const Model from = open(dense_builder()), to = open(dense_builder());
  ASSERT_TRUE(to.weights().set("w", floats({1, 2, 3, 4, 5.5f, 4}, {3, 2})));
  EXPECT_THAT(between(from, to), ElementsAre(Difference{Area::Weight, Kind::Changed, "w", "elements", "",
                                                        "2 of 6 differ, by at most 2"}));
}

TEST_F(Differences, ZerosOfAnotherSignDifferInTheirBits) {
  const Model from = open(dense_builder()), to = open(dense_builder());
  ASSERT_TRUE(from.weights().set("b", floats({0, 1}, {2})));
  ASSERT_TRUE(to.weights().set("b", floats({-0.0f, 1}, {2})));
  EXPECT_THAT(between(from, to), ElementsAre(Difference{Area::Weight, Kind::Changed, "b", "elements", "",
                                                        "elements differ in their bits alone"}));
}

TEST_F(Differences, TextAndPackedElementsAreCompared) {
  ModelBuilder builder = dense_builder();
  builder.initializer("text", Tensor::from_strings({"a", "b"}, {2}).value().view());
  builder.initializer("nibbles", Tensor::zeros(ElementType::Int4, {4}).value().view());
  const Model from = open(builder), to = open(builder);
  ASSERT_TRUE(to.weights().set("text", Tensor::from_strings({"a", "c"}, {2}).value()));
  const std::byte bytes[] = {std::byte{1}, std::byte{0}};
  ASSERT_TRUE(to.weights().set("nibbles", Tensor::from_bytes(ElementType::Int4, {4}, bytes).value()));
  EXPECT_THAT(
      between(from, to),
      ElementsAre(Difference{Area::Weight, Kind::Changed, "text", "elements", "", "1 of 2 differ"},
                  Difference{Area::Weight, Kind::Changed, "nibbles", "elements", "", "elements differ"}));
}

TEST_F(Differences, WeightsThatCameWentAndChangedTheirType) {
  ModelBuilder builder = dense_builder();
  builder.initializer("old", floats({1}, {1}).view());
  const Model from = open(builder), to = open(builder);
  ASSERT_TRUE(to.weights().erase("old"));
  ASSERT_TRUE(to.weights().insert("new", floats({1}, {1})));
  ASSERT_TRUE(to.weights().replace("b", Tensor::of<std::int64_t>({1}, {1}).value()));
  EXPECT_THAT(between(from, to),
              ElementsAre(Difference{Area::Weight, Kind::Changed, "b", "type", "float32[2]", "int64[1]"},
                          Difference{Area::Weight, Kind::Removed, "old", "", "float32[1]"},
                          Difference{Area::Weight, Kind::Added, "new", "", "", "float32[1]"}));
}

TEST_F(Differences, InputsAndOutputsByNameWithTheirTypes) {
  const Model from = open(dense_builder()), to = open(dense_builder());
  ASSERT_TRUE(to.interface().fix("n", 2));
  ASSERT_TRUE(to.interface().add_output("xw"));
  EXPECT_THAT(
      between(from, to),
      ElementsAre(Difference{Area::Input, Kind::Changed, "x", "type", "float32[n,3]", "float32[2,3]"},
                  Difference{Area::Output, Kind::Changed, "y", "type", "float32[n,2]", "float32[2,2]"},
                  Difference{Area::Output, Kind::Added, "xw", "", "", "unknown"}));
}

TEST_F(Differences, TheOrderOfInputsIsOne) {
  ModelBuilder one, other;
  for (ModelBuilder* builder : {&one, &other}) {
    builder->input(builder == &one ? "a" : "b", onnx::tensor_type(ElementType::Float32, {1}));
    builder->input(builder == &one ? "b" : "a", onnx::tensor_type(ElementType::Float32, {1}));
  }
  EXPECT_THAT(between(open(one), open(other)),
              ElementsAre(Difference{Area::Model, Kind::Changed, "inputs", "order", "a, b", "b, a"}));
}

TEST_F(Differences, NodesByWhatTheyGiveAndThenByName) {
  const Model from = open(dense_builder()), to = open(dense_builder());
  Node multiply = to.nodes().get("multiply").value();
  multiply.outputs = {"product"};  // found by its name
  ASSERT_TRUE(to.nodes().set("multiply", multiply));
  Node add = to.nodes().get("Add#1").value();
  add.op = "Sub";  // found by what it gives
  add.inputs = {"product", "b"};
  add.attributes.push_back({.name = "axis", .value = std::int64_t{1}});
  ASSERT_TRUE(to.nodes().set("Add#1", add));
  ASSERT_TRUE(to.nodes().insert({.op = "Neg", .inputs = {"x"}, .outputs = {"z"}, .name = "extra"}));
  EXPECT_THAT(between(from, to),
              ElementsAre(Difference{Area::Node, Kind::Changed, "multiply", "outputs", "xw", "product"},
                          Difference{Area::Node, Kind::Changed, "Add#1", "op", "Add", "Sub"},
                          Difference{Area::Node, Kind::Changed, "Add#1", "inputs", "xw, b", "product, b"},
                          Difference{Area::Node, Kind::Changed, "Add#1", "attribute `axis`", "none", "1"},
                          Difference{Area::Node, Kind::Added, "extra", "", "", "Neg(x) -> z"}));
}

/// An If without a name, behind `before` nodes, with a weight in its branch.
ModelBuilder branching(int before, float weight, float alpha) {
  onnx::GraphBuilder branch("branch");
  branch.initializer("inner", floats({weight}, {1}).view());
  branch.node({.op = "Elu", .inputs = {"inner"}, .outputs = {"t"}, .attributes = {{"alpha", alpha}}});
  branch.output("t");
  ModelBuilder model;
  model.input("c", onnx::tensor_type(ElementType::Bool, {}));
  for (int i = 0; i < before; ++i)
    model.node({.op = "Not", .inputs = {"c"}, .outputs = {"n" + std::to_string(i)}});
  model.node({.op = "If",
              .inputs = {"c"},
              .outputs = {"y"},
              .attributes = {{"then_branch", branch}, {"else_branch", branch}}});
  model.output("y", onnx::tensor_type(ElementType::Float32, {1}));
  return model;
}

TEST_F(Differences, SubgraphsOfNodesWithoutANameAreFoundWhereverTheyStand) {
  EXPECT_THAT(between(open(branching(1, 1, 0.5f)), open(branching(2, 1, 0.5f))),
              ElementsAre(Difference{Area::Node, Kind::Added, "Not#1", "", "", "Not(c) -> n1"}));
}

TEST_F(Differences, WhatIsInsideSubgraphsIsCompared) {
  const auto found = between(open(branching(0, 1, 0.5f)), open(branching(0, 2, 0.25f)));
  ASSERT_EQ(found.size(), 4u);  // both branches
  EXPECT_EQ(found[0], (Difference{Area::Node, Kind::Changed, "If#0>then_branch>Elu#0", "attribute `alpha`",
                                  "0.5", "0.25"}));
  EXPECT_EQ(found[2], (Difference{Area::Weight, Kind::Changed, "If#0>then_branch>inner", "elements", "",
                                  "1 of 1 differ, by at most 1"}));
}

TEST_F(Differences, TensorAttributesAreComparedByTheirElements) {
  ModelBuilder one, other;
  for (ModelBuilder* builder : {&one, &other}) {
    const Tensor value = floats({builder == &one ? 1.0f : 2.0f}, {1});
    builder->node({.op = "Constant", .outputs = {"c"}, .attributes = {{"value", value.view()}}});
  }
  EXPECT_THAT(between(open(one), open(other)),
              ElementsAre(Difference{Area::Node, Kind::Changed, "Constant#0", "attribute `value`",
                                     "float32[1]", "float32[1] with other content"}));
}

TEST_F(Differences, OpsetsMetadataAndFunctions) {
  ModelBuilder one, other;
  one.metadata("labels", "a");
  other.metadata("labels", "b");
  other.opset("", 18);
  other.opset("d", 1);
  for (ModelBuilder* builder : {&one, &other})
    builder->function(
        {.name = "F",
         .domain = "d",
         .inputs = {"i"},
         .outputs = builder == &one ? std::vector<std::string>{"o"} : std::vector<std::string>{"o", "p"},
         .nodes = {{.op = "Neg", .inputs = {"i"}, .outputs = {"o"}}}});
  EXPECT_THAT(
      between(open(one), open(other)),
      ElementsAre(Difference{Area::Model, Kind::Changed, "metadata `labels`", "", "a", "b"},
                  Difference{Area::Model, Kind::Changed, "opset `ai.onnx`", "", "17", "18"},
                  Difference{Area::Model, Kind::Added, "opset `d`", "", "", "1"},
                  Difference{Area::Function, Kind::Changed, "d:F", "signature", "(i) -> o", "(i) -> o, p"}));
}

TEST_F(Differences, AWeightThatCannotBeReadIsAnError) {
  ModelBuilder builder;
  builder.initializer(
      {.name = "far", .type = ElementType::Float32, .shape = {1}, .location = "far", .bytes = 4});
  const auto path = folder.write("far.onnx", builder.bytes());
  const Model model = Model::open(path, {.check_external_data = false}).value();
  EXPECT_FALSE(differences(model, model));
}

}  // namespace
}  // namespace surefoot::model
