#include "surefoot/sample_inputs.hpp"

#include <gmock/gmock.h>

namespace surefoot {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;

ValueInfo input(std::string name, ElementType type, std::vector<Dimension> shape) {
  return {.name = std::move(name), .type = {.element = type, .shape = std::move(shape)}};
}

Tensor made(const ValueInfo& info, const SampleOptions& options = {}) {
  return std::move(sample_inputs(std::vector{info}, options).value().front().tensor);
}

TEST(SampleInputs, AreTheSameForOneSeedAndOthersForAnother) {
  const ValueInfo x = input("x", ElementType::Float32, {{.size = 8}});
  const Tensor one = made(x), same = made(x), other = made(x, {.seed = 1});
  EXPECT_TRUE(std::ranges::equal(one.bytes(), same.bytes()));
  EXPECT_FALSE(std::ranges::equal(one.bytes(), other.bytes()));
}

TEST(SampleInputs, FitTheNamesOfTheirInputs) {
  const auto whole = [](const char* name) {
    const Tensor tensor = made(input(name, ElementType::Int64, {{.size = 1}, {.name = "sequence"}}));
    const auto numbers = tensor.as<std::int64_t>().value();
    return std::vector<std::int64_t>(numbers.begin(), numbers.end());
  };
  EXPECT_THAT(whole("attention_mask"), Each(1));
  EXPECT_THAT(whole("input_lengths"), Each(32));
  EXPECT_THAT(whole("token_type_ids"), Each(::testing::AllOf(::testing::Ge(0), ::testing::Le(1))));
  EXPECT_THAT(whole("sr"), Each(16000));
  const Tensor image = made(input("image", ElementType::Float32, {{.size = 100}}));
  EXPECT_THAT(image.as<float>().value(), Each(::testing::AllOf(::testing::Ge(0.0F), ::testing::Le(1.0F))));
}

TEST(SampleInputs, SizeFreeAxesByNameAndPlace) {
  const ValueInfo x = input("x", ElementType::Float32, {{.name = "n"}, {}, {.name = "h"}, {.size = 5}});
  EXPECT_EQ(made(x).shape(), (Shape{1, 1, 32, 5}));
  EXPECT_EQ(made(input("x", ElementType::Float32, {{}, {}})).shape(), (Shape{1, 32}));
  EXPECT_EQ(made(x, {.dimensions = {{"h", 7}}}).shape(), (Shape{1, 1, 7, 5}));
  EXPECT_EQ(made(x, {.dimensions = {{"h", 7}}, .scale = 3}).shape(), (Shape{3, 3, 7, 5}));
  EXPECT_EQ(made(x, {.scale = 2}).shape(), (Shape{2, 2, 64, 5}));
}

TEST(SampleInputs, NameTheInputThatCannotBeMadeUp) {
  ValueInfo list = input("list", ElementType::Undefined, {});
  list.type.kind = ValueKind::Sequence;
  const auto samples = sample_inputs(std::vector{list});
  ASSERT_FALSE(samples);
  EXPECT_EQ(samples.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(samples.error().what, HasSubstr("`list`"));
}

TEST(SampleInputs, AreRefusedAtAScaleThatCannotBe) {
  const std::vector<ValueInfo> inputs{input("x", ElementType::Float32, {{.name = "time"}})};
  for (const std::int64_t scale : {std::int64_t{0}, std::int64_t{-2}, std::int64_t{1} << 62}) {
    const auto refused = sample_inputs(inputs, {.scale = scale});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::InvalidArgument);
    EXPECT_THAT(refused.error().what, HasSubstr(std::to_string(scale) + " times"));
  }
}

TEST(SampleInputs, LeaveOutWhatMayBeLeftOut) {
  ValueInfo x = input("x", ElementType::Float32, {{.size = 1}});
  x.required = false;
  EXPECT_TRUE(sample_inputs(std::vector{x}).value().empty());
}

}  // namespace
}  // namespace surefoot
