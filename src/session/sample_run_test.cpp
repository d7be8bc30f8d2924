#include "session/sample_run.hpp"

#include "tests/support/session_fixture.hpp"

namespace surefoot::session {
namespace {

using onnx::tensor_type;
using ::testing::HasSubstr;

struct CompareOnSamples : tests::SessionTest {
  std::shared_ptr<const ort::Session> open_ort(const std::string& model) {
    ort::Environment& environment = runtime->environment();
    const auto options = ort::make_options(environment, {}).value();
    return ort::Session::open(environment, "", tests::bytes_of(kept.emplace_back(model)), options).value();
  }
  std::shared_ptr<const ort::Session> one_node(const char* op, ElementType element = ElementType::Float32) {
    const ValueType type = tensor_type(element, {"n", 4});
    return open_ort(tests::one_node_model({.op = op, .inputs = {"x"}, .outputs = {"y"}}, type, type));
  }
};

TEST_F(CompareOnSamples, FindsTwoOfAKindTheSame) {
  EXPECT_TRUE(compare_on_samples(*one_node("Neg"), *one_node("Neg")));
  EXPECT_TRUE(compare_on_samples(*one_node("Identity", ElementType::String),
                                 *one_node("Identity", ElementType::String)));
}

TEST_F(CompareOnSamples, NamesTheOutputThatDiffers) {
  const auto same = compare_on_samples(*one_node("Identity"), *one_node("Neg"));
  ASSERT_FALSE(same);
  EXPECT_EQ(same.error().code, ErrorCode::RunFailed);
  EXPECT_EQ(same.error().what, "output `y` differs");
}

TEST_F(CompareOnSamples, SaysThatOnlyOneRuns) {
  const auto adding = [this](std::vector<float> added) {
    onnx::ModelBuilder model;
    model.input("x", tensor_type(ElementType::Float32, {"rows", "columns"}));
    model.output("y", tensor_type(ElementType::Float32, {"rows", "columns"}));
    const auto columns = static_cast<std::int64_t>(added.size()) / 2;
    model.initializer("b", Tensor::of<float>(added, {2, columns}).value().view());
    model.node({.op = "MatMul", .inputs = {"b", "x"}, .outputs = {"y"}});
    return open_ort(model.bytes());
  };
  const auto same = compare_on_samples(*adding({1, 2}), *adding({1, 2, 3, 4}));
  ASSERT_FALSE(same);
  EXPECT_THAT(same.error().what, HasSubstr("only one of them runs"));
}

TEST_F(CompareOnSamples, MakesNoSampleOfASequence) {
  const ValueType list = onnx::sequence_type(tensor_type(ElementType::Float32, {1}));
  const auto session = open_ort(tests::identity_model(list));
  const auto same = compare_on_samples(*session, *session);
  ASSERT_FALSE(same);
  EXPECT_EQ(same.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(same.error().what, HasSubstr("no sample can be made for input `x`: seq(float32[1])"));
}

}  // namespace
}  // namespace surefoot::session
