#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "surefoot/float_types.hpp"

namespace surefoot {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> made;
  for (int value : values) made.push_back(static_cast<std::byte>(value));
  return made;
}

TEST(Packed, PutsTheFirstElementIntoTheLowBits) {
  EXPECT_EQ(pack_uint4(std::vector<std::uint8_t>{1, 2, 3}), bytes({0x21, 0x03}));
  EXPECT_EQ(pack_uint2(std::vector<std::uint8_t>{1, 2, 3, 0, 2}), bytes({0x39, 0x02}));
}

TEST(Packed, ExtendsTheSignOfSignedTypes) {
  EXPECT_THAT(unpack_int4(bytes({0x8f, 0x07}), 3), ElementsAre(-1, -8, 7));
  EXPECT_THAT(unpack_int2(bytes({0b11100100}), 4), ElementsAre(0, 1, -2, -1));
}

TEST(Packed, RoundTripsAllValuesOfEachType) {
  std::vector<std::int8_t> int4(16), int2(4);
  std::iota(int4.begin(), int4.end(), std::int8_t{-8});
  std::iota(int2.begin(), int2.end(), std::int8_t{-2});
  std::vector<std::uint8_t> uint4(16), uint2(4);
  std::iota(uint4.begin(), uint4.end(), std::uint8_t{0});
  std::iota(uint2.begin(), uint2.end(), std::uint8_t{0});
  EXPECT_EQ(unpack_int4(pack_int4(int4), 16), int4);
  EXPECT_EQ(unpack_uint4(pack_uint4(uint4), 16), uint4);
  EXPECT_EQ(unpack_int2(pack_int2(int2), 4), int2);
  EXPECT_EQ(unpack_uint2(pack_uint2(uint2), 4), uint2);
}

TEST(Packed, KeepsTheLowBitsOfAValueOutOfRange) {
  EXPECT_EQ(pack_int4(std::vector<std::int8_t>{-9}), bytes({0x07}));
  EXPECT_EQ(pack_uint2(std::vector<std::uint8_t>{0xff}), bytes({0x03}));
}

TEST(Packed, GivesWhatThereIsWhenTheBytesEndEarly) {
  EXPECT_THAT(unpack_uint4(bytes({0x21}), 5), ElementsAre(1, 2));
  EXPECT_THAT(unpack_uint4({}, std::numeric_limits<std::size_t>::max()), IsEmpty());
  EXPECT_THAT(pack_int4({}), IsEmpty());
}

TEST(Float4E2M1, HasTheSixteenValuesOfItsDefinition) {
  const auto all = bytes({0x10, 0x32, 0x54, 0x76, 0x98, 0xba, 0xdc, 0xfe});
  const std::vector<float> values{0,     0.5F,  1,  1.5F,  2,  3,  4,  6,  //
                                  -0.0F, -0.5F, -1, -1.5F, -2, -3, -4, -6};
  EXPECT_THAT(unpack_float4e2m1(all, 16), ElementsAreArray(values));
  EXPECT_EQ(pack_float4e2m1(values), all);
}

TEST(Float4E2M1, RoundsTiesToEvenAndSaturates) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> given{0.25F, 0.75F, 1.25F, 2.5F, 3.5F, 5, 7, inf, -inf, nan, -nan, -0.2F};
  EXPECT_THAT(unpack_float4e2m1(pack_float4e2m1(given), given.size()),
              ElementsAre(0, 1, 1, 2, 4, 4, 6, 6, -6, 6, 6, -0.0F));
}

}  // namespace
}  // namespace surefoot
