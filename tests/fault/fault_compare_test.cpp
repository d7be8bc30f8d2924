// Where two providers begin to differ.
#include "surefoot/compare.hpp"
#include "tests/fault/fault_fixture.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot {
namespace {

using ::testing::SizeIs;

struct FaultCompare : tests::FaultTest {
  SessionOptions on_cpu() const {
    SessionOptions options{.runtime = runtime};
    options.providers.only = {"cpu"};
    return options;
  }
  /// On the provider, which takes these operators and computes them wrongly.
  SessionOptions on_faulty(const std::string& ops) const {
    SessionOptions options = tests::faulty_options(*runtime, "run=wrong");
    options.providers.options["faulty"]["ops"] = ops;
    options.optimization = OptimizationLevel::Disabled;
    return options;
  }
  std::vector<float> row{1, 2, 3};
  Shape shape{1, 3};
  std::vector<Input> inputs{{"x", TensorView::of<float>(row, shape)}};
  tests::TestFolder folder;
};

TEST_F(FaultCompare, FindsNothingBetweenTheCpuAndItself) {
  const auto model = folder.write("m.onnx", dense);
  const Session one = Session::open(model, on_cpu()).value(), other = Session::open(model, on_cpu()).value();
  const auto comparison = compare_sessions(one, other, inputs);
  ASSERT_TRUE(comparison) << to_string(comparison.error());
  EXPECT_TRUE(comparison->within());
  ASSERT_THAT(comparison->outputs, SizeIs(1));
}

TEST_F(FaultCompare, SeesWrongNumbers) {
  const auto model = folder.write("m.onnx", dense);
  const Session one = Session::open(model, on_faulty("Relu")).value();
  const Session other = Session::open(model, on_cpu()).value();
  const auto comparison = compare_sessions(one, other, inputs);
  ASSERT_TRUE(comparison);
  EXPECT_FALSE(comparison->within());
  EXPECT_EQ(comparison->outputs[0].difference.max_absolute, 1);
  EXPECT_EQ(comparison->outputs[0].difference.beyond, 1U);
}

TEST_F(FaultCompare, LocatesTheNodeThatIsWrongAndWhatItWasGiven) {
  const auto model = folder.write("m.onnx", dense);
  for (const char* op : {"MatMul", "Add", "Relu"}) {
    const auto location = locate_departure({model, on_faulty(op), on_cpu(), inputs});
    ASSERT_TRUE(location) << to_string(location.error());
    ASSERT_TRUE(location->departure);
    EXPECT_EQ(location->departure->op, op);
    EXPECT_EQ(location->departure->difference.worst, 0U);
    ASSERT_FALSE(location->departure->inputs.empty());
    EXPECT_TRUE(location->departure->inputs[0].least);
  }
}

TEST_F(FaultCompare, LocatesInALongChain) {
  onnx::ModelBuilder builder("chain");
  const ValueType type = onnx::tensor_type(ElementType::Float32, {2});
  builder.input("v0", type);
  for (int i = 1; i <= 100; ++i)
    builder.node({.op = i == 71 ? "Relu" : "Abs",
                  .inputs = {"v" + std::to_string(i - 1)},
                  .outputs = {"v" + std::to_string(i)}});
  builder.output("v100", type);
  const auto model = folder.write("chain.onnx", builder.bytes());
  const std::vector<float> numbers{1, 2};
  const Shape two{2};
  const std::vector<Input> given{{"v0", TensorView::of<float>(numbers, two)}};
  const auto location = locate_departure({model, on_faulty("Relu"), on_cpu(), given});
  ASSERT_TRUE(location) << to_string(location.error());
  ASSERT_TRUE(location->departure);
  EXPECT_EQ(location->departure->value, "v71");
  EXPECT_LT(location->looked_at, 40U);
}

TEST_F(FaultCompare, LocatesNothingWhereNothingDiffers) {
  const auto model = folder.write("m.onnx", dense);
  const auto location = locate_departure({model, on_cpu(), on_cpu(), inputs});
  ASSERT_TRUE(location);
  EXPECT_FALSE(location->departure);
}

}  // namespace
}  // namespace surefoot
