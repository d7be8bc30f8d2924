#include <gmock/gmock.h>

#include "model/made_up_models.hpp"

namespace surefoot::model {
namespace {

using onnx::ModelBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct ModelInterfaceTest : ::testing::Test {
  Model open(const ModelBuilder& builder) {
    auto model = Model::open(folder.write("model.onnx", builder.bytes()));
    EXPECT_TRUE(model) << to_string(model.error());
    return std::move(model).value();
  }
  ModelInfo saved(const Model& model) {
    const auto done = model.save(folder / "out.onnx");
    EXPECT_TRUE(done) << to_string(done.error());
    return inspect(folder / "out.onnx").value();
  }
  static std::vector<std::string> types(const std::vector<ValueInfo>& infos) {
    std::vector<std::string> texts;
    for (const ValueInfo& info : infos) texts.push_back(info.name + " " + to_string(info.type));
    return texts;
  }
  tests::TestFolder folder;
};

/// An image model: batch by name and denotation, in a sequence too.
ModelBuilder image_builder() {
  ModelBuilder model;
  model.input("x", onnx::tensor_type(ElementType::Float32,
                                     {Dimension{.name = "batch", .denotation = "DATA_BATCH"}, 3, "height"}));
  model.input("list", onnx::sequence_type(onnx::tensor_type(ElementType::Float32, {"batch"})));
  model.node({.op = "Identity", .inputs = {"x"}, .outputs = {"inner"}, .name = "first"});
  model.node({.op = "Identity", .inputs = {"inner"}, .outputs = {"y"}, .name = "second"});
  model.output("y", onnx::tensor_type(ElementType::Float32, {"batch", 3, "height"}));
  return model;
}

TEST_F(ModelInterfaceTest, ADimensionIsFixedByNameEverywhere) {
  const Model model = open(image_builder());
  ASSERT_TRUE(model.interface().fix("batch", 2));
  EXPECT_THAT(types(model.interface().inputs()),
              ElementsAre("x float32[2,3,height]", "list seq(float32[2])"));
  EXPECT_THAT(types(saved(model).outputs), ElementsAre("y float32[2,3,height]"));
  EXPECT_EQ(saved(model).inputs[0].type.shape->at(0).denotation, "DATA_BATCH");
}

TEST_F(ModelInterfaceTest, ADimensionIsFixedByDenotation) {
  const Model model = open(image_builder());
  ASSERT_TRUE(model.interface().fix_denotation("DATA_BATCH", 4));
  EXPECT_THAT(types(saved(model).inputs), ElementsAre("x float32[4,3,height]", "list seq(float32[batch])"));
}

TEST_F(ModelInterfaceTest, AnUnknownDimensionGivesTheNearest) {
  const Model model = open(image_builder());
  const auto fixed = model.interface().fix("bacth", 2);
  ASSERT_FALSE(fixed);
  EXPECT_EQ(fixed.error().code, ErrorCode::NotFound);
  EXPECT_THAT(fixed.error().hint, HasSubstr("`batch`"));
  EXPECT_EQ(model.interface().fix("batch", -1).error().code, ErrorCode::InvalidArgument);
  EXPECT_FALSE(model.is_edited());
}

TEST_F(ModelInterfaceTest, AnAxisIsMadeDynamicNamedOrFixed) {
  const Model model = open(image_builder());
  ASSERT_TRUE(model.interface().set_axis("x", 1, {.name = "channels"}));
  ASSERT_TRUE(model.interface().set_axis("x", 2, {.size = 8}));
  ASSERT_TRUE(model.interface().set_axis("y", 0, {}));
  EXPECT_THAT(types(saved(model).inputs).front(), "x float32[batch,channels,8]");
  EXPECT_THAT(types(saved(model).outputs), ElementsAre("y float32[?,3,height]"));
  EXPECT_EQ(model.interface().set_axis("x", 3, {}).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(model.interface().set_axis("z", 0, {}).error().code, ErrorCode::NotFound);
}

TEST_F(ModelInterfaceTest, InputsOutputsAndInnerValuesAreRenamedEverywhere) {
  const Model model = open(image_builder());
  ASSERT_TRUE(model.interface().rename("x", "pixels"));
  ASSERT_TRUE(model.interface().rename("y", "answer"));
  ASSERT_TRUE(model.interface().rename("inner", "middle"));
  const ModelInfo info = saved(model);
  EXPECT_EQ(info.inputs[0].name, "pixels");
  EXPECT_EQ(info.outputs[0].name, "answer");
  const std::string bytes = content_of(folder / "out.onnx");
  EXPECT_EQ(bytes.find("inner"), std::string::npos);
  EXPECT_EQ(model.interface().rename("pixels", "middle").error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(model.interface().rename("midle", "m").error().code, ErrorCode::NotFound);
}

TEST_F(ModelInterfaceTest, ARenamedValueIsFollowedIntoSubgraphsThatReadIt) {
  onnx::GraphBuilder then_branch("then"), else_branch("else");
  then_branch.node({.op = "Identity", .inputs = {"outer"}, .outputs = {"t"}});
  then_branch.output("t");
  else_branch.node({.op = "Identity", .inputs = {"outer"}, .outputs = {"e"}});
  else_branch.output("e");
  ModelBuilder builder;
  builder.input("c", onnx::tensor_type(ElementType::Bool, {}));
  builder.initializer("outer", floats({1}, {1}).view());
  builder.node({.op = "If",
                .inputs = {"c"},
                .outputs = {"y"},
                .attributes = {{"then_branch", then_branch}, {"else_branch", else_branch}}});
  builder.output("y");
  const Model model = open(builder);
  EXPECT_THAT(model.weights().erase("outer").error().what,
              HasSubstr("`If#0>then_branch>Identity#0` reads it"));
  ASSERT_TRUE(model.interface().rename("outer", "weight"));
  EXPECT_TRUE(model.weights().contains("weight"));
  (void)saved(model);
  EXPECT_EQ(content_of(folder / "out.onnx").find("outer"), std::string::npos);
}

TEST_F(ModelInterfaceTest, AnInnerValueBecomesAnOutput) {
  const Model model = open(image_builder());
  ASSERT_TRUE(model.interface().add_output("inner", onnx::tensor_type(ElementType::Float32)));
  EXPECT_THAT(types(saved(model).outputs), ElementsAre("y float32[batch,3,height]", "inner float32[...]"));
  EXPECT_EQ(model.interface().add_output("inner").error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(model.interface().add_output("iner").error().hint, HasSubstr("`inner`"));
  ASSERT_TRUE(model.interface().remove_output("y"));
  EXPECT_EQ(model.interface().remove_output("inner").error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(types(saved(model).outputs), ElementsAre("inner float32[...]"));
}

TEST_F(ModelInterfaceTest, AWeightThatBecomesAnOutputBringsItsType) {
  const Model model = open(dense_builder());
  ASSERT_TRUE(model.interface().add_output("w"));
  EXPECT_THAT(types(saved(model).outputs).back(), "w float32[3,2]");
}

}  // namespace
}  // namespace surefoot::model
