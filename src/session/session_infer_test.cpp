// Calls: inputs by name, outputs asked for, the caller's buffers, stopping.
#include <thread>

#include "tests/support/allocations.hpp"
#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// sum = a + b, difference = a - b, all float32[n]; b has the default {1, 1}.
std::string two_outputs() {
  onnx::ModelBuilder model;
  const ValueType vector = onnx::tensor_type(ElementType::Float32, {"n"});
  model.input("a", vector);
  model.input("b", onnx::tensor_type(ElementType::Float32, {2}));
  model.output("sum", vector);
  model.output("difference", vector);
  const Tensor ones = Tensor::of<float>({1, 1}, {2}).value();
  model.initializer("b", ones.view());
  model.node({.op = "Add", .inputs = {"a", "b"}, .outputs = {"sum"}});
  model.node({.op = "Sub", .inputs = {"a", "b"}, .outputs = {"difference"}});
  return model.bytes();
}

struct SessionInfer : tests::SessionTest {
  void SetUp() override {
    SessionTest::SetUp();
    if (runtime) session = open(two_outputs()).value();
  }
  std::optional<Session> session;
  Tensor a = Tensor::of<float>({5, 7}, {2}).value(), b = Tensor::of<float>({2, 3}, {2}).value();
};

TEST_F(SessionInfer, GivesOutputsInTheModelsOrderAndByName) {
  const Outputs outputs = session->infer({{"b", b}, {"a", a}}).value();
  ASSERT_EQ(outputs.size(), 2u);
  EXPECT_EQ(outputs.name(0), "sum");
  EXPECT_THAT(outputs[0].as<float>().value(), ElementsAre(7, 10));
  EXPECT_THAT(outputs.as<float>("difference").value(), ElementsAre(3, 4));
}

TEST_F(SessionInfer, AnInputThatIsPassedThroughIsCopied) {
  onnx::ModelBuilder model;
  const ValueType vector = onnx::tensor_type(ElementType::Float32, {2});
  model.input("x", vector);
  model.output("x", vector);
  model.output("y", vector);
  model.node({.op = "Relu", .inputs = {"x"}, .outputs = {"y"}});
  const std::string bytes = model.bytes();
  const Session through = open(bytes).value();
  std::vector<float> mine = {1, -2};
  const Shape shape = {2};
  const Outputs outputs = through.infer({{"x", TensorView::of<float>(mine, shape)}}).value();
  mine = {7, 7};
  EXPECT_THAT(outputs.as<float>("x").value(), ElementsAre(1, -2));
}

TEST_F(SessionInfer, AnOutputAskedForTwiceIsAnError) {
  const auto outputs = session->infer({{"a", a}}, {.outputs = {"sum", "sum"}});
  ASSERT_FALSE(outputs);
  EXPECT_EQ(outputs.error().code, ErrorCode::InvalidArgument);
}

TEST_F(SessionInfer, AnUnknownOutputIsAnErrorWithTheNearest) {
  const Outputs outputs = session->infer({{"a", a}}).value();
  EXPECT_EQ(outputs.find("summ"), nullptr);
  const auto got = outputs.get("summ");
  ASSERT_FALSE(got);
  EXPECT_EQ(got.error().code, ErrorCode::NotFound);
  EXPECT_THAT(got.error().hint, HasSubstr("`sum`"));
}

TEST_F(SessionInfer, AnOutputOfAnotherTypeIsAnError) {
  const Outputs outputs = session->infer({{"a", a}}).value();
  EXPECT_EQ(outputs.as<double>("sum").error().code, ErrorCode::InvalidArgument);
}

TEST_F(SessionInfer, AnOverridableInitializerKeepsItsDefaultWhenItIsLeftOut) {
  EXPECT_THAT(session->infer({{"a", a}})->as<float>("sum").value(), ElementsAre(6, 8));
  EXPECT_THAT(session->infer({{"a", a}, {"b", b}})->as<float>("sum").value(), ElementsAre(7, 10));
  EXPECT_THAT(session->infer({{"a", a}})->as<float>("sum").value(), ElementsAre(6, 8));
}

TEST_F(SessionInfer, ComputesOnlyTheOutputsThatAreAskedFor) {
  const Outputs outputs = session->infer({{"a", a}}, {.outputs = {"difference"}}).value();
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs.name(0), "difference");
  EXPECT_THAT(outputs[0].as<float>().value(), ElementsAre(4, 6));
}

TEST_F(SessionInfer, OutputsStandInTheOrderAskedFor) {
  const Outputs outputs = session->infer({{"a", a}}, {.outputs = {"difference", "sum"}}).value();
  EXPECT_EQ(outputs.name(0), "difference");
  EXPECT_THAT(outputs.as<float>("sum").value(), ElementsAre(6, 8));
}

TEST_F(SessionInfer, AskingForAnUnknownOutputIsAnError) {
  const auto outputs = session->infer({{"a", a}}, {.outputs = {"sun"}});
  ASSERT_FALSE(outputs);
  EXPECT_EQ(outputs.error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(outputs.error().hint, HasSubstr("`sum`"));
}

TEST_F(SessionInfer, TellsEveryProblemOfTheInputsAtOnce) {
  const Tensor wrong = Tensor::zeros(ElementType::Int64, {2}).value();
  const auto outputs = session->infer({{"c", a}, {"b", wrong}});
  ASSERT_FALSE(outputs);
  EXPECT_EQ(outputs.error().code, ErrorCode::InvalidInput);
  EXPECT_FALSE(outputs.error().native);
  EXPECT_THAT(outputs.error().what, HasSubstr("3 problems"));
}

TEST_F(SessionInfer, RunSettingsAreTaken) {
  EXPECT_TRUE(session->infer(
      {{"a", a}}, {.config = {{"memory.enable_memory_arena_shrinkage", "cpu:0"}}, .tag = "first"}));
}

TEST_F(SessionInfer, OutputsOutliveTheSession) {
  const Outputs outputs = session->infer({{"a", a}}).value();
  session.reset();
  EXPECT_THAT(outputs.as<float>("sum").value(), ElementsAre(6, 8));
}

TEST_F(SessionInfer, IntoBuffersWritesAndComputesOnlyThose) {
  Tensor sum = Tensor::zeros(ElementType::Float32, {2}).value();
  ASSERT_TRUE(
      session->infer_into(std::vector<Input>{{"a", a}}, std::vector<Output>{{"sum", sum.mutable_view()}}));
  EXPECT_THAT(sum.as<float>().value(), ElementsAre(6, 8));
}

TEST_F(SessionInfer, IntoSeveralBuffersInAnyOrder) {
  Tensor sum = Tensor::zeros(ElementType::Float32, {2}).value(), difference = sum.clone().value();
  ASSERT_TRUE(session->infer_into(
      std::vector<Input>{{"b", b}, {"a", a}},
      std::vector<Output>{{"difference", difference.mutable_view()}, {"sum", sum.mutable_view()}}));
  EXPECT_THAT(sum.as<float>().value(), ElementsAre(7, 10));
  EXPECT_THAT(difference.as<float>().value(), ElementsAre(3, 4));
}

TEST_F(SessionInfer, IntoABufferOfTheWrongTypeIsRefused) {
  Tensor wrong = Tensor::zeros(ElementType::Int64, {2}).value();
  const auto done =
      session->infer_into(std::vector<Input>{{"a", a}}, std::vector<Output>{{"sum", wrong.mutable_view()}});
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::InvalidInput);
  EXPECT_THAT(done.error().what, HasSubstr("output `sum` is int64[2], model wants float32[2]"));
}

TEST_F(SessionInfer, IntoABufferOfTheWrongSizeIsRefused) {
  Tensor three = Tensor::zeros(ElementType::Float32, {3}).value();
  const auto done =
      session->infer_into(std::vector<Input>{{"a", a}}, std::vector<Output>{{"sum", three.mutable_view()}});
  ASSERT_FALSE(done) << "a free size of an output is bound to that of the input of the same name";
  EXPECT_THAT(to_string(done.error()), HasSubstr("sum"));
}

TEST_F(SessionInfer, IntoABufferWhoseFreeSizeIsWrongIsRefused) {
  const Session dense = open(tests::dense_model()).value();
  const Tensor x = Tensor::zeros(ElementType::Float32, {1, 3}).value();
  Tensor three = Tensor::zeros(ElementType::Float32, {3, 2}).value();
  const auto done =
      dense.infer_into(std::vector<Input>{{"x", x}}, std::vector<Output>{{"y", three.mutable_view()}});
  ASSERT_FALSE(done);
  EXPECT_THAT(to_string(done.error()),
              ::testing::AllOf(HasSubstr("'y'"), HasSubstr("{3,2}"), HasSubstr("{1,2}")));
}

TEST_F(SessionInfer, AValueIsTakenWhereATensorIs) {
  const Value value(a.clone().value());
  EXPECT_THAT(session->infer({{"a", value}})->as<float>("sum").value(), ElementsAre(6, 8));
}

/// Adds 1 to a scalar, `count` times.
std::string loop_model() {
  onnx::GraphBuilder body("body");
  const ValueType number = onnx::tensor_type(ElementType::Float32, {});
  body.input("i", onnx::tensor_type(ElementType::Int64, {}));
  body.input("go", onnx::tensor_type(ElementType::Bool, {}));
  body.input("held", number);
  body.output("go_on", onnx::tensor_type(ElementType::Bool, {}));
  body.output("next", number);
  const Tensor one = Tensor::of<float>({1}, {}).value();
  body.initializer("one", one.view());
  body.node({.op = "Identity", .inputs = {"go"}, .outputs = {"go_on"}});
  body.node({.op = "Add", .inputs = {"held", "one"}, .outputs = {"next"}});
  onnx::ModelBuilder model;
  model.input("count", onnx::tensor_type(ElementType::Int64, {}));
  model.input("x", number);
  model.output("y", number);
  model.node({.op = "Loop", .inputs = {"count", "", "x"}, .outputs = {"y"}, .attributes = {{"body", body}}});
  return model.bytes();
}

struct StoppedRun : tests::SessionTest {
  Result<Outputs> loop(const Session& session, std::int64_t count, std::stop_token stop) const {
    const Tensor times = Tensor::of<std::int64_t>({count}, {}).value(),
                 x = Tensor::of<float>({0}, {}).value();
    return session.infer({{"count", times}, {"x", x}}, {.stop = std::move(stop)});
  }
};

TEST_F(StoppedRun, EndsSoonAndSaysSo) {
  const Session session = open(loop_model()).value();
  std::stop_source source;
  const std::jthread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.request_stop();
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto outputs = loop(session, std::int64_t{1} << 40, source.get_token());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
  ASSERT_FALSE(outputs);
  EXPECT_EQ(outputs.error().code, ErrorCode::Cancelled);
  EXPECT_THAT(session.events(), IsEmpty());
}

TEST_F(StoppedRun, LeavesTheSessionUsable) {
  const Session session = open(loop_model()).value();
  std::stop_source source;
  source.request_stop();
  EXPECT_EQ(loop(session, 10, source.get_token()).error().code, ErrorCode::Cancelled);
  EXPECT_THAT(loop(session, 10, {})->as<float>("y").value(), ElementsAre(10));
  EXPECT_THAT(loop(session, 3, std::stop_source().get_token())->as<float>("y").value(), ElementsAre(3));
}

}  // namespace
}  // namespace surefoot
