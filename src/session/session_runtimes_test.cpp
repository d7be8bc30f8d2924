// The core of a session on every ONNX Runtime that tests run on, all of them in one process.
#include "ort/session.hpp"
#include "ort/session_options.hpp"
#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAreArray;
using ::testing::IsEmpty;

struct EachRuntime : ::testing::Test {
  void SetUp() override { NEED_RUNTIME(); }
};

/// A runtime may hold a provider that works here: the CPU's answers are wanted.
SessionOptions on_cpu(const Runtime& runtime) { return {.runtime = runtime, .providers = {.only = {"cpu"}}}; }

/// Runs `check` on every runtime; a failure names the library.
template <class Check>
void on_each(Check check) {
  for (const tests::TestRuntime& installed : tests::test_runtimes()) {
    SCOPED_TRACE(installed.library);
    const auto runtime = Runtime::load({.library = installed.library});
    ASSERT_TRUE(runtime) << to_string(runtime.error());
    EXPECT_EQ(runtime->version(), installed.version);
    check(*runtime);
  }
}

TEST_F(EachRuntime, OpensRunsAndTellsOfAModel) {
  on_each([](const Runtime& runtime) {
    const Session session = tests::open_or_die(tests::dense_model(), on_cpu(runtime));
    EXPECT_EQ(session.provider(), "cpu");
    EXPECT_THAT(session.events(), IsEmpty());
    EXPECT_EQ(to_string(session.info().inputs[0].type), "float32[n,3]");
    const std::vector<float> x = {1, 2, 3, 4, 5, 6};
    const Tensor tensor = Tensor::of<float>(x, {2, 3}).value();
    EXPECT_THAT(session.infer({{"x", tensor}})->as<float>("y").value(),
                ElementsAreArray(tests::dense_answer(x)));
    Tensor y = Tensor::zeros(ElementType::Float32, {2, 2}).value();
    ASSERT_TRUE(
        session.infer_into(std::vector<Input>{{"x", tensor}}, std::vector<Output>{{"y", y.mutable_view()}}));
    EXPECT_THAT(y.as<float>().value(), ElementsAreArray(tests::dense_answer(x)));
  });
}

TEST_F(EachRuntime, RefusesBadDataAndStays) {
  on_each([](const Runtime& runtime) {
    const Session session = tests::open_or_die(tests::lookup_model(), on_cpu(runtime));
    const Tensor bad = Tensor::of<std::int64_t>({9}, {1}).value(),
                 good = Tensor::of<std::int64_t>({2}, {1}).value();
    const auto refused = session.infer({{"index", bad}});
    ASSERT_FALSE(refused);
    EXPECT_TRUE(refused.error().native);
    EXPECT_EQ(session.infer({{"index", good}})->as<float>("y").value()[0], 4);
  });
}

TEST_F(EachRuntime, ExplainsAModelThatIsTooNew) {
  on_each([](const Runtime& runtime) {
    onnx::ModelBuilder model;
    const ValueType vector = onnx::tensor_type(ElementType::Float32, {2});
    model.opset("", 99);
    model.input("x", vector);
    model.output("y", vector);
    model.node({.op = "Relu", .inputs = {"x"}, .outputs = {"y"}});
    const std::string bytes = model.bytes();
    const auto session = Session::open(tests::bytes_of(bytes), on_cpu(runtime));
    ASSERT_FALSE(session);
    EXPECT_EQ(session.error().code, ErrorCode::InvalidModel);
    EXPECT_THAT(session.error().what, ::testing::HasSubstr(runtime.version()));
  });
}

/// Relu on a vector, of that IR version and opset.
std::string relu_of(std::int64_t ir_version, std::int64_t opset) {
  onnx::ModelBuilder model;
  model.ir_version(ir_version);
  model.opset("", opset);
  model.input("x", onnx::tensor_type(ElementType::Float32, {2}));
  model.output("y", onnx::tensor_type(ElementType::Float32, {2}));
  model.node({.op = "Relu", .inputs = {"x"}, .outputs = {"y"}});
  return model.bytes();
}

/// The largest of 1 to 60 that a plan lets pass.
template <class ModelOf>
std::int64_t newest_planned(const MachineFacts& machine, ModelOf model_of) {
  std::int64_t newest = 60;
  while (newest > 0 && !make_plan(machine, model_of(newest), {})) --newest;
  return newest;
}

TEST_F(EachRuntime, ReadsWhatThePlanLetsPassAndNothingNewer) {
  on_each([](const Runtime& runtime) {
    const MachineFacts machine{.runtime_version = runtime.version(), .api_version = runtime.api_version()};
    const auto ir_version = newest_planned(machine, [](auto n) { return ModelInfo{.ir_version = n}; });
    const auto opset = newest_planned(machine, [](auto n) { return ModelInfo{.opsets = {{"", n}}}; });
    if (ir_version == 60) return;  // newer than what was measured: nothing is refused
    const auto opens = [&](std::int64_t ir, std::int64_t set) {
      const std::string model = relu_of(ir, set);
      const auto options = ort::make_options(runtime.environment(), {}).value();
      return ort::Session::open(runtime.environment(), {}, tests::bytes_of(model), options).has_value();
    };
    EXPECT_TRUE(opens(ir_version, 13)) << ir_version;
    EXPECT_FALSE(opens(ir_version + 1, 13)) << ir_version;
    EXPECT_TRUE(opens(8, opset)) << opset;
    EXPECT_FALSE(opens(8, opset + 1)) << opset;
  });
}

TEST_F(EachRuntime, CarriesStringsAndSequences) {
  on_each([](const Runtime& runtime) {
    const Session strings = tests::open_or_die(
        tests::identity_model(onnx::tensor_type(ElementType::String, {"n"})), on_cpu(runtime));
    const Tensor words = Tensor::from_strings({"a", "", "ß"}, {3}).value();
    EXPECT_THAT(strings.infer({{"x", words}})->as<std::string>("y").value(),
                ElementsAreArray(words.strings()));
    const Session sequences = tests::open_or_die(
        tests::identity_model(onnx::sequence_type(onnx::tensor_type(ElementType::Float32, {"n"}))),
        on_cpu(runtime));
    Sequence items;
    items.items.emplace_back(Tensor::of<float>({1, 2}, {2}).value());
    items.items.emplace_back(Tensor::of<float>({3}, {1}).value());
    const Value value(std::move(items));
    const Outputs outputs = sequences.infer({{"x", value}}).value();
    ASSERT_NE(outputs[0].sequence(), nullptr);
    EXPECT_EQ(outputs[0].sequence()->items[1].as<float>().value()[0], 3);
  });
}

}  // namespace
}  // namespace surefoot
