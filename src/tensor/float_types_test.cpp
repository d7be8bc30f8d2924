#include "surefoot/float_types.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

namespace surefoot {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kQuietNan = std::numeric_limits<float>::quiet_NaN();

/// What a type promises, stated independently of the code under test.
template <class T>
struct Facts;
struct WithInfinity {
  static constexpr bool kInfinite = true;
};
struct WithoutInfinity {
  static constexpr bool kInfinite = false;
};
template <>
struct Facts<Float16> : WithInfinity {
  static constexpr int kMantissa = 10, kBias = 15, kBits = 16;
  static constexpr unsigned kLargest = 0x7bff;
  static constexpr float kOverflow = kInf;
  static constexpr bool kNegativeZero = true;
};
template <>
struct Facts<BFloat16> : WithInfinity {
  static constexpr int kMantissa = 7, kBias = 127, kBits = 16;
  static constexpr unsigned kLargest = 0x7f7f;
  static constexpr float kOverflow = kInf;
  static constexpr bool kNegativeZero = true;
};
template <>
struct Facts<Float8E4M3FN> : WithoutInfinity {
  static constexpr int kMantissa = 3, kBias = 7, kBits = 8;
  static constexpr unsigned kLargest = 0x7e;
  static constexpr float kOverflow = 448;
  static constexpr bool kNegativeZero = true;
};
template <>
struct Facts<Float8E4M3FNUZ> : WithoutInfinity {
  static constexpr int kMantissa = 3, kBias = 8, kBits = 8;
  static constexpr unsigned kLargest = 0x7f;
  static constexpr float kOverflow = 240;
  static constexpr bool kNegativeZero = false;
};
template <>
struct Facts<Float8E5M2> : WithInfinity {
  static constexpr int kMantissa = 2, kBias = 15, kBits = 8;
  static constexpr unsigned kLargest = 0x7b;
  static constexpr float kOverflow = 57344;
  static constexpr bool kNegativeZero = true;
};
template <>
struct Facts<Float8E5M2FNUZ> : WithoutInfinity {
  static constexpr int kMantissa = 2, kBias = 16, kBits = 8;
  static constexpr unsigned kLargest = 0x7f;
  static constexpr float kOverflow = 57344;
  static constexpr bool kNegativeZero = false;
};

template <class T>
class SmallFloat : public testing::Test {
 protected:
  using F = Facts<T>;
  using Bits = decltype(T::bits);
  static constexpr unsigned kSign = 1U << (F::kBits - 1);

  static float value_of(unsigned bits) { return static_cast<float>(T::from_bits(static_cast<Bits>(bits))); }
  static unsigned bits_of(float value) { return T(value).bits; }

  /// The definition of a binary float, by ldexp.
  static float by_formula(unsigned magnitude) {
    const int exponent = static_cast<int>(magnitude >> F::kMantissa);
    const int mantissa = static_cast<int>(magnitude & ((1U << F::kMantissa) - 1));
    if (exponent == 0) return std::ldexp(static_cast<float>(mantissa), 1 - F::kBias - F::kMantissa);
    return std::ldexp(static_cast<float>(mantissa + (1 << F::kMantissa)), exponent - F::kBias - F::kMantissa);
  }
};

using Types = testing::Types<Float16, BFloat16, Float8E4M3FN, Float8E4M3FNUZ, Float8E5M2, Float8E5M2FNUZ>;
TYPED_TEST_SUITE(SmallFloat, Types);

TYPED_TEST(SmallFloat, IsTriviallyCopyableAndAsSmallAsItsBits) {
  static_assert(std::is_trivially_copyable_v<TypeParam>);
  static_assert(sizeof(TypeParam) * 8 == Facts<TypeParam>::kBits);
  EXPECT_EQ(TypeParam().bits, 0);
}

TYPED_TEST(SmallFloat, DecodesEveryFinitePatternByTheFormula) {
  for (unsigned magnitude = 0; magnitude <= TestFixture::F::kLargest; ++magnitude) {
    EXPECT_EQ(this->value_of(magnitude), this->by_formula(magnitude)) << magnitude;
    if (magnitude > 0) {
      EXPECT_EQ(this->value_of(magnitude | this->kSign), -this->by_formula(magnitude)) << magnitude;
    }
  }
}

TYPED_TEST(SmallFloat, DecodesEveryPatternAboveTheLargestAsInfinityOrNan) {
  for (unsigned magnitude = TestFixture::F::kLargest + 1; magnitude < this->kSign; ++magnitude) {
    const bool infinite = TestFixture::F::kInfinite && magnitude == TestFixture::F::kLargest + 1;
    for (unsigned sign : {0U, this->kSign}) {
      const float value = this->value_of(magnitude | sign);
      EXPECT_EQ(std::isinf(value), infinite) << magnitude;
      EXPECT_EQ(std::isnan(value), !infinite) << magnitude;
      EXPECT_EQ(std::signbit(value), sign != 0) << magnitude;
    }
  }
}

TYPED_TEST(SmallFloat, RoundTripsEveryPatternThatIsNotNan) {
  for (unsigned bits = 0; bits < 2 * this->kSign; ++bits) {
    const float value = this->value_of(bits);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(this->value_of(this->bits_of(value)))) << bits;
    } else if (std::isinf(value)) {
      EXPECT_EQ(this->value_of(this->bits_of(value)), std::copysign(TestFixture::F::kOverflow, value))
          << bits;
    } else {
      EXPECT_EQ(this->bits_of(value), bits);
    }
  }
}

TYPED_TEST(SmallFloat, RoundsToTheNearestAndTiesToTheEvenPatternBetweenAllNeighbours) {
  for (unsigned low = 0; low < TestFixture::F::kLargest; ++low) {
    const float a = this->value_of(low);
    const float b = this->value_of(low + 1);
    const auto middle = static_cast<float>((static_cast<double>(a) + static_cast<double>(b)) / 2);
    EXPECT_EQ(this->bits_of(middle), low + (low & 1U)) << low;
    EXPECT_EQ(this->bits_of(std::nextafter(middle, kInf)), low + 1) << low;
    EXPECT_EQ(this->bits_of(std::nextafter(middle, 0.0F)), low) << low;
    if (low > 0) {
      EXPECT_EQ(this->bits_of(-middle), (low + (low & 1U)) | this->kSign) << low;
    }
  }
}

TYPED_TEST(SmallFloat, TreatsWhatIsTooLargeAsCastDoes) {
  const float overflow = TestFixture::F::kOverflow;
  for (float value : {kInf, std::numeric_limits<float>::max()}) {
    EXPECT_EQ(this->value_of(this->bits_of(value)), overflow);
    EXPECT_EQ(this->value_of(this->bits_of(-value)), -overflow);
  }
}

TYPED_TEST(SmallFloat, KeepsTheLargestFiniteValueUpToHalfAStepAbove) {
  const unsigned largest = TestFixture::F::kLargest;
  const float step = this->value_of(largest) - this->value_of(largest - 1);
  const float below_half = std::nextafter(this->value_of(largest) + step / 2, 0.0F);
  EXPECT_EQ(this->bits_of(below_half), largest);
}

TYPED_TEST(SmallFloat, KeepsNanAndItsSignWhereThereIsOne) {
  const unsigned positive = this->bits_of(kQuietNan);
  EXPECT_TRUE(std::isnan(this->value_of(positive)));
  const unsigned negative = this->bits_of(-kQuietNan);
  EXPECT_TRUE(std::isnan(this->value_of(negative)));
  EXPECT_EQ(negative, TestFixture::F::kNegativeZero ? positive | this->kSign : positive);
}

TYPED_TEST(SmallFloat, HasANegativeZeroUnlessTheTypeIsUnsignedZero) {
  const unsigned zero = TestFixture::F::kNegativeZero ? this->kSign : 0;
  EXPECT_EQ(this->bits_of(-0.0F), zero);
  EXPECT_EQ(this->bits_of(-std::numeric_limits<float>::denorm_min()), zero);
  EXPECT_EQ(this->bits_of(0.0F), 0U);
}

TYPED_TEST(SmallFloat, ComparesValues) {
  EXPECT_EQ(TypeParam(1.0F), TypeParam(1.0F));
  EXPECT_FALSE(TypeParam(1.0F) == TypeParam(2.0F));
  EXPECT_EQ(TypeParam(0.0F), TypeParam(-0.0F));
  EXPECT_FALSE(TypeParam(kQuietNan) == TypeParam(kQuietNan));
}

TEST(Float8E8M0, RoundTripsEveryPowerOfTwo) {
  for (unsigned bits = 0; bits < 255; ++bits) {
    const auto scale = Float8E8M0::from_bits(static_cast<std::uint8_t>(bits));
    EXPECT_EQ(static_cast<float>(scale), std::ldexp(1.0F, static_cast<int>(bits) - 127));
    EXPECT_EQ(Float8E8M0(static_cast<float>(scale)).bits, bits);
  }
  EXPECT_TRUE(std::isnan(static_cast<float>(Float8E8M0::from_bits(255))));
}

TEST(Float8E8M0, RoundsUpToTheNextPowerOfTwo) {
  for (int exponent = -127; exponent < 127; ++exponent) {
    const float low = std::ldexp(1.0F, exponent);
    EXPECT_EQ(static_cast<float>(Float8E8M0(std::nextafter(low, kInf))), 2 * low) << exponent;
    EXPECT_EQ(static_cast<float>(Float8E8M0(std::nextafter(2 * low, 0.0F))), 2 * low) << exponent;
  }
}

TEST(Float8E8M0, SaturatesAtBothEnds) {
  EXPECT_EQ(Float8E8M0(kInf).bits, 0xfe);
  EXPECT_EQ(Float8E8M0(std::numeric_limits<float>::max()).bits, 0xfe);
  EXPECT_EQ(Float8E8M0(0.0F).bits, 0);
  EXPECT_EQ(Float8E8M0(-0.0F).bits, 0);
  EXPECT_EQ(Float8E8M0(std::numeric_limits<float>::denorm_min()).bits, 0);
}

TEST(Float8E8M0, HasNoNegativeValues) {
  EXPECT_EQ(Float8E8M0(-1.0F).bits, 0xff);
  EXPECT_EQ(Float8E8M0(-kInf).bits, 0xff);
  EXPECT_EQ(Float8E8M0(kQuietNan).bits, 0xff);
}

TEST(SmallFloatConstants, CanBeMadeAtCompileTime) {
  static_assert(Float16(1.0F).bits == 0x3c00);
  static_assert(static_cast<float>(Float16::from_bits(0x0001)) == 0x1p-24F);
  static_assert(BFloat16(3.140625F).bits == 0x4049);
  static_assert(Float8E4M3FN(448.0F).bits == 0x7e);
  SUCCEED();
}

}  // namespace
}  // namespace surefoot
