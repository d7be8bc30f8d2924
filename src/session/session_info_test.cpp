// What a session tells of its model.
#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

std::string described_model() {
  onnx::ModelBuilder model("net");
  model.ir_version(9);
  model.opset("", 18);
  model.opset("com.microsoft", 1);
  model.producer("trainer", "2.1");
  model.domain("org.example");
  model.model_version(7);
  model.doc_string("adds");
  model.metadata("author", "Ann");
  model.metadata("labels", "[\"a\", \"b\"]");
  model.input("x", onnx::tensor_type(ElementType::Float32, {"batch", 3}));
  model.input("bias", onnx::tensor_type(ElementType::Float32, {3}));
  model.output("y", onnx::tensor_type(ElementType::Float32, {"batch", 3}));
  const Tensor bias = Tensor::zeros(ElementType::Float32, {3}).value();
  model.initializer("bias", bias.view());
  model.node({.op = "Add", .inputs = {"x", "bias"}, .outputs = {"y"}});
  return model.bytes();
}

struct SessionInfo : tests::SessionTest {};

TEST_F(SessionInfo, HoldsWhatTheFileSays) {
  const Session session = open(described_model()).value();
  const ModelInfo& info = session.info();
  EXPECT_EQ(info.format, ModelFormat::Onnx);
  EXPECT_EQ(info.ir_version, 9);
  EXPECT_EQ(info.producer_name, "trainer");
  EXPECT_EQ(info.producer_version, "2.1");
  EXPECT_EQ(info.domain, "org.example");
  EXPECT_EQ(info.graph_name, "net");
  EXPECT_EQ(info.doc_string, "adds");
  EXPECT_EQ(info.model_version, 7);
  EXPECT_THAT(info.metadata, ElementsAre(Pair("author", "Ann"), Pair("labels", "[\"a\", \"b\"]")));
  ASSERT_EQ(info.opsets.size(), 2u);
  EXPECT_EQ(info.opsets[0].version, 18);
  EXPECT_EQ(info.opsets[1].domain, "com.microsoft");
}

TEST_F(SessionInfo, ListsInputsWithOverridableInitializersLast) {
  const Session session = open(described_model()).value();
  const ModelInfo& info = session.info();
  ASSERT_EQ(info.inputs.size(), 2u);
  EXPECT_EQ(info.inputs[0].name, "x");
  EXPECT_TRUE(info.inputs[0].required);
  EXPECT_EQ(to_string(info.inputs[0].type), "float32[batch,3]");
  EXPECT_EQ(info.inputs[1].name, "bias");
  EXPECT_FALSE(info.inputs[1].required);
  ASSERT_NE(info.inputs[1].default_value, nullptr);
  EXPECT_EQ(info.inputs[1].default_value->shape(), Shape{3});
  EXPECT_EQ(info.outputs[0].name, "y");
}

TEST_F(SessionInfo, TellsAScalarFromAnUnstatedRank) {
  onnx::ModelBuilder model;
  model.input("scalar", onnx::tensor_type(ElementType::Int64, {}));
  model.input("anything", onnx::tensor_type(ElementType::Int64));
  model.output("a");
  model.output("b");
  model.node({.op = "Identity", .inputs = {"scalar"}, .outputs = {"a"}});
  model.node({.op = "Identity", .inputs = {"anything"}, .outputs = {"b"}});
  const Session session = open(model.bytes()).value();
  EXPECT_EQ(to_string(session.info().inputs[0].type), "int64");
  EXPECT_EQ(to_string(session.info().inputs[1].type), "int64[...]");
}

TEST_F(SessionInfo, HoldsShapesThatOrtInfers) {
  onnx::ModelBuilder model;
  model.input("x", onnx::tensor_type(ElementType::Float32, {"n", 4}));
  model.output("y", onnx::tensor_type(ElementType::Float32, {"rows", "columns"}));
  model.node({.op = "Transpose", .inputs = {"x"}, .outputs = {"y"}});
  const Session session = open(model.bytes(), {.dimensions = {{"n", 2}}}).value();
  EXPECT_EQ(to_string(session.info().outputs[0].type), "float32[4,2]");
}

TEST_F(SessionInfo, ASessionOnCpuHasNothingToTellOfFallback) {
  const Session session = open(described_model()).value();
  EXPECT_EQ(session.provider(), "cpu");
  EXPECT_THAT(session.providers(), ElementsAre("cpu"));
  EXPECT_THAT(session.events(), IsEmpty());
  EXPECT_EQ(session.runtime().path(), runtime->path());
  EXPECT_EQ(session.plan().candidates().back().name, "cpu");
}

}  // namespace
}  // namespace surefoot
