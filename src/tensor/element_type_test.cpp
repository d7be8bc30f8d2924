#include "surefoot/element_type.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace surefoot {
namespace {

constexpr int kLastType = static_cast<int>(ElementType::Int2);

TEST(ElementType, IsFoundByTheNameThatItHas) {
  for (int number = 1; number <= kLastType; ++number) {
    const auto type = static_cast<ElementType>(number);
    EXPECT_EQ(element_type_from_name(to_string(type)), type) << to_string(type);
  }
}

TEST(ElementType, IsFoundByOtherCommonSpellings) {
  EXPECT_EQ(element_type_from_name("float"), ElementType::Float32);
  EXPECT_EQ(element_type_from_name("double"), ElementType::Float64);
  EXPECT_EQ(element_type_from_name("half"), ElementType::Float16);
  EXPECT_EQ(element_type_from_name("float8_e4m3fn"), ElementType::Float8E4M3FN);
}

TEST(ElementType, IsNotFoundByAnyOtherName) {
  EXPECT_FALSE(element_type_from_name("float33"));
  EXPECT_FALSE(element_type_from_name(""));
  EXPECT_FALSE(element_type_from_name("undefined"));
}

TEST(ElementType, NamesANumberOutsideTheListUndefined) {
  EXPECT_EQ(to_string(static_cast<ElementType>(kLastType + 1)), "undefined");
  EXPECT_EQ(to_string(static_cast<ElementType>(-1)), "undefined");
  EXPECT_EQ(element_bits(static_cast<ElementType>(-1)), 0);
}

TEST(ElementType, KnowsTheBitsOfAnElement) {
  EXPECT_EQ(element_bits(ElementType::Complex128), 128);
  EXPECT_EQ(element_bits(ElementType::Bool), 8);
  EXPECT_EQ(element_bits(ElementType::Int4), 4);
  EXPECT_EQ(element_bits(ElementType::UInt2), 2);
  EXPECT_EQ(element_bits(ElementType::String), 0);
}

TEST(StorageBytes, RoundsPackedTypesUpToAWholeByte) {
  EXPECT_EQ(storage_bytes(ElementType::Int4, 0), 0U);
  EXPECT_EQ(storage_bytes(ElementType::Int4, 3), 2U);
  EXPECT_EQ(storage_bytes(ElementType::UInt2, 5), 2U);
  EXPECT_EQ(storage_bytes(ElementType::Float4E2M1, 2), 1U);
}

TEST(StorageBytes, MultipliesForWholeBytes) {
  EXPECT_EQ(storage_bytes(ElementType::Float32, 6), 24U);
  EXPECT_EQ(storage_bytes(ElementType::Complex128, 2), 32U);
  EXPECT_EQ(storage_bytes(ElementType::String, 6), 0U);
}

TEST(StorageBytes, IsEmptyWhenTheSizeDoesNotFit) {
  constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
  EXPECT_FALSE(storage_bytes(ElementType::UInt16, kMost / 2 + 1));
  EXPECT_EQ(storage_bytes(ElementType::UInt8, kMost), kMost);
  EXPECT_EQ(storage_bytes(ElementType::Int4, kMost), kMost / 2 + 1);
}

}  // namespace
}  // namespace surefoot
