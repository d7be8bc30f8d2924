#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "surefoot/weights.hpp"

namespace surefoot {
namespace {

TEST(Statistics, OfFloatsLeaveOutWhatIsNoNumber) {
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                  kInfinity = std::numeric_limits<float>::infinity();
  const auto result = statistics(Tensor::of<float>({1, kNan, -3, kInfinity}, {4}).value().view());
  ASSERT_TRUE(result);
  EXPECT_EQ(result->count, 4u);
  EXPECT_EQ(result->least, -3);
  EXPECT_EQ(result->most, kInfinity);
  EXPECT_EQ(result->mean, -1);
  EXPECT_EQ(result->nan_count, 1u);
  EXPECT_EQ(result->infinite_count, 1u);
}

TEST(Statistics, OfHalvesAndPackedIntegersAreThoseOfTheirValues) {
  const Float16 halves[] = {Float16(0.5f), Float16(-2.0f)};
  EXPECT_EQ(statistics(Tensor::of<Float16>(halves, {2}).value().view())->mean, -0.75);
  const auto packed = pack_int4(std::vector<std::int8_t>{-8, 7, 1});
  const auto result = statistics(Tensor::from_bytes(ElementType::Int4, {3}, packed).value().view());
  EXPECT_EQ(result->least, -8);
  EXPECT_EQ(result->most, 7);
  EXPECT_EQ(result->mean, 0);
}

TEST(Statistics, OfNothingAreNotANumber) {
  const auto result = statistics(Tensor::zeros(ElementType::Float32, {0}).value().view());
  ASSERT_TRUE(result);
  EXPECT_TRUE(std::isnan(result->least) && std::isnan(result->mean));
}

TEST(Statistics, OfTextAreRefused) {
  EXPECT_EQ(statistics(Tensor::from_strings({"a"}, {1}).value().view()).error().code, ErrorCode::Unsupported);
}

}  // namespace
}  // namespace surefoot
