#include "surefoot/bisect.hpp"

#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// x→Identity→mid, 1/1→one, mid·one→w, w+0→y: valid, and no ONNX Runtime from 1.24 to 1.32 opens it
/// optimised.
std::string model_that_optimisation_breaks() {
  onnx::ModelBuilder model("broken");
  const ValueType vector = onnx::tensor_type(ElementType::Float32, {4});
  model.input("x", vector);
  for (const char* name : {"a", "b"}) model.initializer(name, Tensor::of<float>({1}, {1}).value().view());
  model.initializer("zero", Tensor::of<float>({0}, {1}).value().view());
  model.output("y", vector);
  model.node({.op = "Identity", .inputs = {"x"}, .outputs = {"mid"}});
  model.node({.op = "Div", .inputs = {"a", "b"}, .outputs = {"one"}});
  model.node({.op = "Mul", .inputs = {"mid", "one"}, .outputs = {"w"}});
  model.node({.op = "Add", .inputs = {"w", "zero"}, .outputs = {"y"}});
  return model.bytes();
}

struct Bisect : tests::SessionTest {
  Result<Bisection> bisect(const std::string& model, std::string name, Shape shape) {
    row.assign(4, 1.0F);
    axes = std::move(shape);
    const std::vector<Input> inputs{
        {name, TensorView::of<float>(std::span(row).first(static_cast<std::size_t>(axes.back())), axes)}};
    return bisect_optimizer({.model = folder.write("m.onnx", model), .options = options(), .inputs = inputs});
  }
  std::vector<float> row;
  Shape axes;
};

TEST_F(Bisect, FindsTheRuleThatBreaksAModel) {
  if (runtime->api_version() < 24) GTEST_SKIP() << "ONNX Runtime before 1.24 opens the model";
  const auto found = bisect(model_that_optimisation_breaks(), "x", {4});
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_EQ(found->symptom, Bisection::Symptom::DoesNotOpen);
  EXPECT_EQ(found->fails_at, OptimizationLevel::Basic);
  EXPECT_EQ(found->works_at, OptimizationLevel::Disabled);
  EXPECT_THAT(found->rules, ElementsAre(::testing::AnyOf("EliminateIdentity", "DivMulFusion")));
  ASSERT_TRUE(found->entry());
  SessionOptions with = options();
  with.config.insert(*found->entry());
  with.optimization = OptimizationLevel::All;
  EXPECT_TRUE(Session::open(folder / "m.onnx", with));
}

TEST_F(Bisect, FindsNothingInAHealthyModel) {
  const auto found = bisect(tests::dense_model(), "x", {1, 3});
  ASSERT_TRUE(found) << to_string(found.error());
  EXPECT_EQ(found->symptom, Bisection::Symptom::None);
  EXPECT_EQ(found->works_at, OptimizationLevel::All);
  EXPECT_THAT(found->rules, IsEmpty());
  EXPECT_FALSE(found->entry());
}

TEST_F(Bisect, DoesNotBlameTheOptimizerForAModelThatIsWrongInItself) {
  const auto found = bisect(tests::dense_model(), "z", {1, 3});
  ASSERT_FALSE(found);
  EXPECT_THAT(to_string(found.error()), HasSubstr("without optimisation"));
}

}  // namespace
}  // namespace surefoot
