#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "model/made_up_models.hpp"
#include "tests/support/runtimes.hpp"

namespace surefoot::model {
namespace {

using onnx::ModelBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr HalfOptions kAll{.from_bytes = 0};

struct HalfWeights : ::testing::Test {
  Model open(const ModelBuilder& builder, ModelOptions options = {}) {
    auto model = Model::open(folder.write("model.onnx", builder.bytes()), std::move(options));
    EXPECT_TRUE(model) << to_string(model.error());
    return std::move(model).value();
  }
  static HalfReport convert(const Model& model, const HalfOptions& options = kAll) {
    auto report = model.weights().to_float16(options);
    EXPECT_TRUE(report) << to_string(report.error());
    return std::move(report).value();
  }
  static std::vector<float> wide(const Model& model, std::string_view name) {
    auto data = model.weights().get(name);
    EXPECT_TRUE(data) << to_string(data.error());
    std::vector<float> values;
    const auto halves = data->as<Float16>().value();
    for (const Float16 value : halves) values.push_back(static_cast<float>(value));
    return values;
  }
  tests::TestFolder folder;
};

TEST_F(HalfWeights, KeepTheirNamesAndAreReadThroughACast) {
  const Model model = open(dense_builder());
  const HalfReport report = convert(model);
  EXPECT_THAT(report.converted, ElementsAre("w", "b"));
  EXPECT_EQ(report.bytes_saved, 16u);
  EXPECT_EQ(model.weights().info("w")->type, ElementType::Float16);
  EXPECT_THAT(wide(model, "b"), ElementsAre(0.5f, -0.5f));
  EXPECT_THAT(model.nodes().get("multiply")->inputs, ElementsAre("x", "w.float32"));
  EXPECT_THAT(model.nodes().get("w.to_float32")->inputs, ElementsAre("w"));
  EXPECT_THAT(model.nodes().check(), IsEmpty());
}

TEST_F(HalfWeights, ASmallOneStays) {
  const Model model = open(dense_builder());
  EXPECT_THAT(convert(model, {.from_bytes = 24}).converted, ElementsAre("w"));
  EXPECT_EQ(model.weights().info("b")->type, ElementType::Float32);
  EXPECT_THAT(convert(open(dense_builder()), {}).converted, IsEmpty());
}

TEST_F(HalfWeights, OneThatWouldOverflowStaysAndTheReportNamesTheElement) {
  ModelBuilder builder = dense_builder();
  builder.initializer("large", floats({1, -65520}, {2}).view());
  builder.initializer("largest", floats({65519, -65504}, {2}).view());
  const Model model = open(builder);
  const HalfReport report = convert(model);
  ASSERT_EQ(report.kept.size(), 1u);
  EXPECT_EQ(report.kept[0].name, "large");
  EXPECT_EQ(report.kept[0].reason, "element 1 is -65520, beyond float16's 65504");
  EXPECT_THAT(wide(model, "largest"), ElementsAre(65504, -65504));
  EXPECT_EQ(report.largest_error, 15);
}

TEST_F(HalfWeights, InfinityAndNotANumberStayWhatTheyAre) {
  ModelBuilder builder;
  const float infinity = std::numeric_limits<float>::infinity();
  builder.initializer("odd", floats({infinity, -infinity, std::nanf("")}, {3}).view());
  const Model model = open(builder);
  EXPECT_THAT(convert(model).kept, IsEmpty());
  const auto values = wide(model, "odd");
  EXPECT_EQ(values[0], infinity);
  EXPECT_EQ(values[1], -infinity);
  EXPECT_TRUE(std::isnan(values[2]));
}

TEST_F(HalfWeights, WhatBecomesZeroIsCounted) {
  ModelBuilder builder;
  builder.initializer("tiny", floats({1e-9f, 6e-8f, 0, -1e-30f}, {4}).view());
  EXPECT_EQ(convert(open(builder)).flushed_count, 2u);
}

TEST_F(HalfWeights, InputsOutputsSparseAndPatchedOnesStay) {
  ModelBuilder builder = dense_builder();
  builder.input("w", onnx::tensor_type(ElementType::Float32, {3, 2}));
  builder.output("b", onnx::tensor_type(ElementType::Float32, {2}));
  builder.initializer("p", floats({1}, {1}).view());
  builder.sparse_initializer("z", floats({5}, {1}).view(), Tensor::of<std::int64_t>({1}, {1}).value().view(),
                             {3});
  Model model = open(builder);
  std::vector<WeightPatch> patches;
  patches.push_back({"p", floats({2}, {1})});
  const auto patch = model.patch(std::move(patches));
  ASSERT_TRUE(patch);
  std::vector<std::string> kept;
  for (const HalfReport::Kept& one : convert(model).kept) kept.push_back(one.name + ": " + one.reason);
  EXPECT_THAT(kept, ElementsAre("w: it is an input's default, and callers give float32", "b: it is an output",
                                HasSubstr("p: it is patched"), "z: it is sparse"));
  EXPECT_FALSE(model.nodes().contains("w.to_float32"));
}

TEST_F(HalfWeights, SubgraphsReadTheCastsOfTheGraphsAroundThem) {
  onnx::GraphBuilder branch("branch");
  branch.initializer("inner", floats({1, 2}, {2}).view());
  branch.node({.op = "Add", .inputs = {"outer", "inner"}, .outputs = {"t"}, .name = "add"});
  branch.output("t");
  onnx::GraphBuilder other("other");
  other.initializer("outer", floats({3, 4}, {2}).view());
  other.node({.op = "Neg", .inputs = {"outer"}, .outputs = {"u"}, .name = "negate"});
  other.output("u");
  ModelBuilder builder;
  builder.input("c", onnx::tensor_type(ElementType::Bool, {}));
  builder.initializer("outer", floats({1, 2}, {2}).view());
  builder.node({.op = "If",
                .inputs = {"c"},
                .outputs = {"y"},
                .attributes = {{"then_branch", branch}, {"else_branch", other}},
                .name = "if"});
  builder.output("y", onnx::tensor_type(ElementType::Float32, {2}));
  const Model model = open(builder);
  EXPECT_EQ(convert(model).converted.size(), 3u);
  EXPECT_THAT(model.nodes().get("if>then_branch>add")->inputs, ElementsAre("outer.float32", "inner.float32"));
  EXPECT_THAT(model.nodes().get("if>else_branch>negate")->inputs, ElementsAre("outer.float32_2"));
  EXPECT_THAT(model.nodes().check(), IsEmpty());
}

TEST_F(HalfWeights, AModelWithoutCastIsRefusedAndStaysAsItWas) {
  ModelBuilder builder;
  builder.opset("", 5);
  builder.initializer("w", floats({1}, {1}).view());
  const Model model = open(builder);
  const auto report = model.weights().to_float16(kAll);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(report.error().what, HasSubstr("is of opset 5"));
  EXPECT_FALSE(model.is_edited());
}

TEST_F(HalfWeights, EveryRuntimeComputesWithThem) {
  NEED_RUNTIME();
  for (const tests::TestRuntime& found : tests::test_runtimes()) {
    SCOPED_TRACE(found.library);
    auto runtime = Runtime::load({.library = found.library});
    ASSERT_TRUE(runtime) << to_string(runtime.error());
    Model model = open(dense_builder(), {.session = {.runtime = *runtime}});
    convert(model);
    const auto created = model.create_session();
    ASSERT_TRUE(created) << to_string(created.error());
    auto outputs = model.infer({{"x", floats({1, 1, 1}, {1, 3})}});
    ASSERT_TRUE(outputs) << to_string(outputs.error());
    EXPECT_THAT(outputs->as<float>("y").value(), ElementsAre(9.5f, 11.5f));
  }
}

}  // namespace
}  // namespace surefoot::model
