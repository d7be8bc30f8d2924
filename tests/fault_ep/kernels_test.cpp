#include "kernels.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

namespace surefoot::fault_ep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Tensor run(std::string_view op, const std::vector<Tensor>& inputs, const Attributes& attributes = {}) {
  const std::vector<TensorView> views(inputs.begin(), inputs.end());
  return find_kernel(op)(views, attributes);
}

std::string refusal(std::string_view op, const std::vector<Tensor>& inputs) {
  try {
    run(op, inputs);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "accepted";
}

const Tensor kRow{{3}, {1, 2, 3}};
const Tensor kColumn{{2, 1}, {10, 20}};
const Tensor kMatrix{{2, 3}, {1, 2, 3, 4, 5, 6}};

TEST(Kernels, AddElements) { EXPECT_THAT(run("Add", {kRow, kRow}).values, ElementsAre(2, 4, 6)); }
TEST(Kernels, SubtractTheSecondFromTheFirst) {
  EXPECT_THAT(run("Sub", {kRow, {{1}, {1}}}).values, ElementsAre(0, 1, 2));
}
TEST(Kernels, MultiplyElements) { EXPECT_THAT(run("Mul", {kRow, kRow}).values, ElementsAre(1, 4, 9)); }

TEST(Kernels, StretchBothOperandsWhereOneHasASingleElement) {
  const Tensor y = run("Add", {kColumn, kRow});
  EXPECT_THAT(y.dims, ElementsAre(2, 3));
  EXPECT_THAT(y.values, ElementsAre(11, 12, 13, 21, 22, 23));
}

TEST(Kernels, StretchAScalar) {
  EXPECT_THAT(run("Mul", {{{}, {2}}, kMatrix}).values, ElementsAre(2, 4, 6, 8, 10, 12));
}

TEST(Kernels, KeepAnAxisWithoutElements) {
  const Tensor y = run("Add", {{{0, 3}, {}}, kRow});
  EXPECT_THAT(y.dims, ElementsAre(0, 3));
  EXPECT_TRUE(y.values.empty());
}

TEST(Kernels, RefuseShapesThatDoNotBroadcastAndNameBoth) {
  EXPECT_THAT(refusal("Add", {kRow, {{2}, {1, 2}}}), AllOf(HasSubstr("[3]"), HasSubstr("[2]")));
}

TEST(Kernels, PassValuesThroughIdentity) {
  const Tensor y = run("Identity", {kMatrix});
  EXPECT_EQ(y.dims, kMatrix.dims);
  EXPECT_EQ(y.values, kMatrix.values);
}

TEST(Kernels, CutNegativesOffInRelu) {
  EXPECT_THAT(run("Relu", {{{3}, {-1, 0, 2}}}).values, ElementsAre(0, 0, 2));
}

TEST(Kernels, MultiplyMatrices) {
  const Tensor y = run("MatMul", {kMatrix, {{3, 2}, {1, 0, 0, 1, 1, 1}}});
  EXPECT_THAT(y.dims, ElementsAre(2, 2));
  EXPECT_THAT(y.values, ElementsAre(4, 5, 10, 11));
}

TEST(Kernels, TakeAVectorForARowOnTheLeftAndAColumnOnTheRight) {
  EXPECT_THAT(run("MatMul", {kRow, {{3, 1}, {1, 1, 1}}}).dims, ElementsAre(1));
  EXPECT_THAT(run("MatMul", {kMatrix, kRow}).dims, ElementsAre(2));
  const Tensor dot = run("MatMul", {kRow, kRow});
  EXPECT_TRUE(dot.dims.empty());
  EXPECT_THAT(dot.values, ElementsAre(14));
}

TEST(Kernels, StretchLeadingAxesOfMatrixProducts) {
  const Tensor y = run("MatMul", {{{2, 1, 2}, {1, 2, 3, 4}}, {{2, 1}, {1, 10}}});
  EXPECT_THAT(y.dims, ElementsAre(2, 1, 1));
  EXPECT_THAT(y.values, ElementsAre(21, 43));
}

TEST(Kernels, FillAProductOverNothingWithZeros) {
  EXPECT_THAT(run("MatMul", {{{1, 0}, {}}, {{0, 2}, {}}}).values, ElementsAre(0, 0));
}

TEST(Kernels, RefuseMatricesThatDoNotMultiplyAndNameBoth) {
  EXPECT_THAT(refusal("MatMul", {kMatrix, kMatrix}), HasSubstr("[2,3] and [2,3]"));
  EXPECT_THAT(refusal("MatMul", {kMatrix, {{}, {1}}}), HasSubstr("do not multiply"));
}

TEST(Kernels, TransposeScaleAndAddInGemm) {
  const Attributes attributes{.alpha = 2, .beta = 10, .transpose_a = true, .transpose_b = true};
  const Tensor y = run("Gemm", {{{2, 1}, {1, 2}}, {{3, 2}, {1, 0, 0, 1, 1, 1}}, {{1}, {1}}}, attributes);
  EXPECT_THAT(y.dims, ElementsAre(1, 3));
  EXPECT_THAT(y.values, ElementsAre(12, 14, 16));
}

TEST(Kernels, RunGemmWithoutABias) {
  EXPECT_THAT(run("Gemm", {kMatrix, {{3, 1}, {1, 1, 1}}}).values, ElementsAre(6, 15));
  EXPECT_THAT(run("Gemm", {kMatrix, {{3, 1}, {1, 1, 1}}, {}}).values, ElementsAre(6, 15));
}

TEST(Kernels, AreFoundByTheirOperatorAlone) {
  EXPECT_EQ(find_kernel("Conv"), nullptr);
  EXPECT_EQ(kernel_names(), "Add,Sub,Mul,Relu,MatMul,Gemm,Identity");
}

TEST(OpsOption, TakesTheListedOperators) { EXPECT_THAT(ops_from("Relu,Add"), ElementsAre("Add", "Relu")); }

TEST(OpsOption, RefusesAnOperatorWithoutAKernelAndListsTheOthers) {
  try {
    ops_from("Relu,Conv");
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("`Conv`"), HasSubstr("Add,Sub,Mul")));
  }
}

}  // namespace
}  // namespace surefoot::fault_ep
