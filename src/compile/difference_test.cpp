#include "compile/difference.hpp"

#include <gmock/gmock.h>

#include <limits>

#include "surefoot/compile.hpp"

namespace surefoot::compilation {
namespace {

using ::testing::HasSubstr;

constexpr double kByType = -1;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();

template <class T>
Value vector(std::initializer_list<T> elements) {
  return Tensor::of<T>(elements, {static_cast<std::int64_t>(elements.size())}).value();
}

template <class T>
Difference between(std::initializer_list<T> got, std::initializer_list<T> wanted,
                   double tolerance = kByType) {
  return difference(vector<T>(got), vector<T>(wanted), tolerance).value();
}

TEST(DifferenceTest, IsMeasuredByTheLargestMagnitudeOfTheOutput) {
  EXPECT_NEAR(between<float>({100, 1.5F}, {100, 1}).relative, 0.005, 1e-9);
}

TEST(DifferenceTest, IsNoneBetweenEqualNumbersInfinitiesAndNotNumbersIncluded) {
  EXPECT_EQ(between<float>({1, kInf, kNan}, {1, kInf, kNan}).relative, 0);
}

TEST(DifferenceTest, IsInfiniteBetweenANumberAndNone) {
  EXPECT_FALSE(between<float>({1, kNan}, {1, 2}, 1e6).is_within());
  EXPECT_FALSE(between<float>({1, 2}, {1, kNan}, 1e6).is_within());
  EXPECT_FALSE(between<float>({kInf}, {-kInf}, 1e6).is_within());
}

TEST(DifferenceTest, FromZerosMayBeRoundingAndNoMore) {
  EXPECT_TRUE(between<float>({1e-7F}, {0}).is_within());
  EXPECT_FALSE(between<float>({1e-5F}, {0}).is_within());
}

TEST(DifferenceTest, IsAllowedByElementType) {
  EXPECT_TRUE(between<float>({1.0005F}, {1}).is_within());
  EXPECT_FALSE(between<float>({1.005F}, {1}).is_within());
  EXPECT_TRUE(between<Float16>({Float16(1.005F)}, {Float16(1)}).is_within());
  EXPECT_FALSE(between<double>({1.0005}, {1}).is_within());
}

TEST(DifferenceTest, IsAllowedByTheCallerForFloatingPointNumbersAlone) {
  EXPECT_TRUE(between<float>({1.3F}, {1}, 0.5).is_within());
  EXPECT_FALSE(between<std::int32_t>({101}, {100}, 0.5).is_within());
}

TEST(DifferenceTest, OfIntegersAndStringsIsNoneOrTooMuch) {
  EXPECT_TRUE(between<std::int64_t>({1, 2}, {1, 2}).is_within());
  EXPECT_FALSE(between<std::int64_t>({1, 3}, {1, 2}).is_within());
  EXPECT_FALSE(between<std::string>({"a"}, {"b"}).is_within());
}

TEST(DifferenceTest, OfShapesIsAnErrorThatNamesBoth) {
  const auto compared = difference(vector<float>({1, 2}), vector<float>({1}), kByType);
  ASSERT_FALSE(compared);
  EXPECT_THAT(compared.error().what, HasSubstr("it is float32[2], not float32[1]"));
}

TEST(DifferenceTest, OfKindsIsAnError) { EXPECT_FALSE(difference(Value(), vector<float>({1}), kByType)); }

TEST(DifferenceTest, OfSequencesIsThatOfTheirWorstItem) {
  Sequence got, wanted;
  for (const float last : {1.0F, 1.5F}) got.items.push_back(vector<float>({last}));
  for (int i = 0; i < 2; ++i) wanted.items.push_back(vector<float>({1}));
  EXPECT_FALSE(difference(Value(std::move(got)), Value(std::move(wanted)), kByType).value().is_within());
}

}  // namespace
}  // namespace surefoot::compilation
