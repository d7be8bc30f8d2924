#include "surefoot/difference.hpp"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>

#include "surefoot/float_types.hpp"

namespace surefoot {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

Tensor floats(std::initializer_list<float> numbers) {
  return Tensor::of<float>(numbers, {static_cast<std::int64_t>(numbers.size())}).value();
}

TensorDifference between(const Tensor& one, const Tensor& other, const Tolerance& tolerance = {}) {
  return difference_of(one.view(), other.view(), tolerance);
}

TEST(TensorDifferenceOf, EqualTensorsIsNone) {
  const auto difference = between(floats({1, -2, 0}), floats({1, -2, 0}));
  EXPECT_TRUE(difference.within());
  EXPECT_EQ(difference.max_absolute, 0);
  EXPECT_EQ(difference.ulps[0], 3U);
  EXPECT_NEAR(*difference.cosine, 1, 1e-12);
}

TEST(TensorDifferenceOf, NumbersNamesTheWorstElement) {
  const auto difference = between(floats({1, 2, 3}), floats({1, 4, 3.1F}), {.absolute = 0.01});
  EXPECT_EQ(difference.beyond, 2U);
  EXPECT_EQ(difference.worst, 1U);
  EXPECT_EQ(difference.max_absolute, 2);
  EXPECT_EQ(difference.max_relative, 0.5);
  EXPECT_THAT(to_string(difference), HasSubstr("at element 1 (2, not 4), 2 of 3 elements beyond"));
}

TEST(TensorDifferenceOf, NumbersCountsStepsOfTheLastPlace) {
  const float next = std::nextafter(1.0F, 2.0F);
  const auto difference = between(floats({1, 1, 1, 0}), floats({next, 1, -1, -0.0F}), {.absolute = 3});
  EXPECT_EQ(difference.ulps[0], 2U);
  EXPECT_EQ(difference.ulps[1], 1U);
  EXPECT_EQ(difference.ulps[kUlpBins - 1], 1U);
}

TEST(TensorDifferenceOf, HalvesCountsTheirOwnSteps) {
  const Tensor one = Tensor::of<Float16>({Float16(1.0F), Float16(2.0F)}, {2}).value();
  const Tensor other = Tensor::of<Float16>({Float16(1.0F + 1.0F / 1024), Float16(2.0F)}, {2}).value();
  EXPECT_EQ(between(one, other).ulps[1], 1U);
}

TEST(TensorDifferenceOf, ANanPassesOnlyBesideANan) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
  const auto difference =
      between(floats({nan, nan, inf, inf, 1}), floats({nan, 1, inf, -inf, 1}), {.absolute = 9});
  EXPECT_EQ(difference.beyond, 2U);
  EXPECT_EQ(difference.nan_one, 2U);
  EXPECT_EQ(difference.nan_other, 1U);
  EXPECT_EQ(difference.infinite_other, 2U);
}

TEST(TensorDifferenceOf, OtherShapesOrTypesIsAMismatch) {
  const Tensor row = Tensor::of<float>({1, 2}, {1, 2}).value();
  EXPECT_THAT(between(row, floats({1, 2})).mismatch, HasSubstr("float32[1,2], not float32[2]"));
  EXPECT_FALSE(between(row, floats({1, 2})).within());
}

TEST(TensorDifferenceOf, StringsCountsThoseThatDiffer) {
  const Tensor one = Tensor::from_strings({"a", "b", "c"}, {3}).value();
  const Tensor other = Tensor::from_strings({"a", "c", "d"}, {3}).value();
  EXPECT_TRUE(between(one, one).within());
  const auto difference = between(one, other);
  EXPECT_EQ(difference.elements, 3U);
  EXPECT_EQ(difference.beyond, 2U);
  EXPECT_EQ(difference.worst, 1U);
}

TEST(TensorDifferenceOf, ComplexNumbersIsThatOfTheirParts) {
  const auto number = [](float real, float imaginary) {
    const float parts[] = {real, imaginary};
    return Tensor::from_bytes(ElementType::Complex64, {1}, std::as_bytes(std::span(parts))).value();
  };
  const Tolerance usual = usual_tolerance(ElementType::Complex64);
  EXPECT_TRUE(between(number(1, 2), number(1, 2.0005F), usual).within());
  const auto difference = between(number(1, 2), number(1, 3), usual);
  EXPECT_FALSE(difference.within());
  EXPECT_EQ(difference.worst, 1U);
  EXPECT_EQ(difference.max_absolute, 1);
}

TEST(TensorDifferenceOf, NumbersKnowsTheLargestFiniteMagnitudeOfTheOther) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(between(floats({9, 1, inf}), floats({-4, 1, inf})).largest, 4);
}

TEST(TensorDifferenceOf, QuantisedNumbersMayBeOneStepApart) {
  const Tensor one = Tensor::of<std::uint8_t>({1, 2}, {2}).value();
  const Tensor other = Tensor::of<std::uint8_t>({2, 2}, {2}).value();
  EXPECT_TRUE(between(one, other, usual_tolerance(ElementType::UInt8)).within());
  EXPECT_FALSE(between(one, other).within());
}

TEST(ValueDifferenceOf, SequencesGoesItemByItem) {
  const auto sequence = [](float last) {
    Sequence items;
    items.items.emplace_back(floats({1}));
    items.items.emplace_back(floats({last}));
    return Value(std::move(items));
  };
  const auto differences = difference_of("y", sequence(1), sequence(2));
  ASSERT_THAT(differences, SizeIs(2));
  EXPECT_EQ(differences[1].name, "y[1]");
  EXPECT_TRUE(differences[0].difference.within());
  EXPECT_FALSE(differences[1].difference.within());
}

TEST(ValueDifferenceOf, AnotherKindIsAMismatch) {
  const auto differences = difference_of("y", Value(), Value(floats({1})));
  ASSERT_THAT(differences, SizeIs(1));
  EXPECT_FALSE(differences[0].difference.mismatch.empty());
}

}  // namespace
}  // namespace surefoot
