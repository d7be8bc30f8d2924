#include "apps/cli/input/numbers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace surefoot::cli {
namespace {

using testing::ElementsAre;

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();

TEST(NumberFromText, ReadsIntegersExactlyAndTheRestAsDouble) {
  EXPECT_EQ(number_from_text("-9223372036854775808"), Number(kLeast));
  EXPECT_EQ(number_from_text("18446744073709551615"), Number(kMost));
  EXPECT_EQ(number_from_text("+7"), Number(std::int64_t{7}));
  EXPECT_EQ(number_from_text("1e3"), Number(1000.0));
  EXPECT_EQ(number_from_text("-inf"), Number(-kInf));
  EXPECT_TRUE(std::isnan(to_double(*number_from_text("nan"))));
}

TEST(NumberFromText, RefusesAnythingElse) {
  for (const char* text : {"", "-", "+", "1x", "0x10", "1 ", "cat", "1,2"})
    EXPECT_FALSE(number_from_text(text)) << text;
}

struct Case {
  ElementType type;
  Number number;
  bool fits;
};

TEST(CheckNumber, HoldsIntegersToTheirRangeAndToWholeNumbers) {
  const Case cases[] = {
      {ElementType::Int64, kLeast, true},
      {ElementType::Int64, kMost, false},
      {ElementType::Int64, 1.5, false},
      {ElementType::Int64, 3.0, true},
      {ElementType::Int64, 0x1p63, false},
      {ElementType::Int64, kInf, false},
      {ElementType::UInt64, kMost, true},
      {ElementType::UInt64, 0x1p63, true},
      {ElementType::UInt64, std::int64_t{-1}, false},
      {ElementType::UInt8, std::int64_t{255}, true},
      {ElementType::UInt8, std::int64_t{300}, false},
      {ElementType::Int8, std::int64_t{-128}, true},
      {ElementType::Int8, std::int64_t{128}, false},
      {ElementType::Int4, std::int64_t{-8}, true},
      {ElementType::Int4, std::int64_t{8}, false},
      {ElementType::UInt2, std::int64_t{3}, true},
      {ElementType::UInt2, std::int64_t{4}, false},
      {ElementType::Bool, std::int64_t{1}, true},
      {ElementType::Bool, std::int64_t{2}, false},
      {ElementType::String, std::int64_t{1}, false},
  };
  for (const Case& c : cases)
    EXPECT_EQ(check_number(c.type, c.number).has_value(), c.fits)
        << to_string(c.type) << " " << number_text(c.number);
}

TEST(CheckNumber, HoldsFloatsToTheirLargestValue) {
  const Case cases[] = {
      {ElementType::Float32, 0.1, true},         {ElementType::Float32, 1e39, false},
      {ElementType::Float32, kInf, true},        {ElementType::Float16, 65504.0, true},
      {ElementType::Float16, 70000.0, false},    {ElementType::BFloat16, 3.3e38, true},
      {ElementType::Float8E4M3FN, 449.0, false}, {ElementType::Float8E4M3FN, kInf, false},
      {ElementType::Float8E5M2, kInf, true},     {ElementType::Float8E4M3FNUZ, 240.0, true},
      {ElementType::Float8E8M0, 3.0, false},     {ElementType::Float8E8M0, 4.0, true},
      {ElementType::Float8E8M0, 0.0, false},     {ElementType::Float4E2M1, 6.0, true},
      {ElementType::Float4E2M1, 7.0, false},     {ElementType::Float4E2M1, std::nan(""), false},
  };
  for (const Case& c : cases)
    EXPECT_EQ(check_number(c.type, c.number).has_value(), c.fits)
        << to_string(c.type) << " " << number_text(c.number);
}

TEST(CheckNumber, SaysWhatTheTypeHolds) {
  EXPECT_EQ(check_number(ElementType::UInt8, std::int64_t{300}).error().what,
            "300 does not fit uint8: it holds whole numbers from 0 to 255");
}

TEST(TensorOfNumbers, GivesBackItsNumbersInEveryType) {
  for (int i = 1; i <= static_cast<int>(ElementType::Int2); ++i) {
    const auto type = static_cast<ElementType>(i);
    if (type == ElementType::String) continue;
    const std::int64_t elements = is_complex(type) ? 1 : 2;
    const std::vector<Number> numbers{std::int64_t{1}, std::int64_t{1}};
    const auto tensor = tensor_of_numbers(type, {elements}, numbers);
    ASSERT_TRUE(tensor) << to_string(type) << tensor.error().what;
    std::vector<double> back;
    for (const Number& number : numbers_of(*tensor)) back.push_back(to_double(number));
    EXPECT_THAT(back, ElementsAre(1, 1)) << to_string(type);
  }
}

TEST(TensorOfNumbers, KeepsLargeIntegersExact) {
  const std::vector<Number> numbers{kMost};
  EXPECT_THAT(numbers_of(*tensor_of_numbers(ElementType::UInt64, {1}, numbers)), ElementsAre(Number(kMost)));
}

TEST(TensorOfNumbers, RoundsADoubleOnlyOnceOnItsWayToASmallFloat) {
  // Just above the middle of two halves: float rounds it onto the middle, which ties to even.
  const double value = 1 + 0x1p-11 + 0x1p-40;
  const std::vector<Number> numbers{value};
  const auto tensor = tensor_of_numbers(ElementType::Float16, {1}, numbers);
  EXPECT_EQ((*tensor->as<Float16>())[0].bits, 0x3c01);
}

TEST(TensorOfNumbers, ChecksTheCount) {
  const std::vector<Number> numbers{std::int64_t{1}};
  EXPECT_FALSE(tensor_of_numbers(ElementType::Float32, {2}, numbers));
  EXPECT_FALSE(tensor_of_numbers(ElementType::Complex64, {1}, numbers));
}

}  // namespace
}  // namespace surefoot::cli
