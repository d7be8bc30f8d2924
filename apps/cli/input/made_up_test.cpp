// Inputs that are not files with a format: literals, filled tensors, raw bytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/cli/input/filled.hpp"
#include "apps/cli/input/literal.hpp"
#include "apps/cli/input/numbers.hpp"
#include "apps/cli/input/raw.hpp"

namespace surefoot::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ValueType type_of(ElementType element, std::vector<Dimension> shape) {
  return {.element = element, .shape = std::move(shape)};
}

SpecOptions options(const std::string& text) {
  std::string target;
  return *SpecOptions::split("x" + text, target);
}

TEST(Literal, IsToldFromAFileName) {
  for (const char* text :
       {"1", "-0.5", "1e-3", "nan", "[1]", "{\"a\":1}", "\"a\"", "true", "null", "[broken"})
    EXPECT_TRUE(is_literal(text)) << text;
  for (const char* text : {"", "1.npy", "cat.png", "./1", "zeros", "-", "truely"})
    EXPECT_FALSE(is_literal(text)) << text;
}

TEST(Literal, TakesTheShapeOfDeclaredOnes) {
  EXPECT_EQ(read_literal("3", type_of(ElementType::Int64, {}))->tensor()->shape(), Shape{});
  EXPECT_EQ(read_literal("3", type_of(ElementType::Int64, {{1}}))->tensor()->shape(), Shape{1});
  EXPECT_EQ(read_literal("3", type_of(ElementType::Int64, {{-1, "n"}, {1}}))->tensor()->shape(),
            (Shape{1, 1}));
  EXPECT_EQ(read_literal("3", type_of(ElementType::Int64, {{2}}))->tensor()->shape(), Shape{});
  EXPECT_EQ(read_literal("\"a\"", type_of(ElementType::String, {{1}}))->tensor()->shape(), Shape{1});
}

TEST(Literal, KeepsItsOwnShapeWhenItHasOne) {
  const auto value = read_literal("[[1,2],[3,4]]", type_of(ElementType::Float32, {{-1}, {2}}));
  EXPECT_EQ(value->tensor()->shape(), (Shape{2, 2}));
  EXPECT_THAT(*value->as<float>(), ElementsAre(1, 2, 3, 4));
}

TEST(Literal, TakesNumbersThatJsonDoesNotKnow) {
  const float infinite = (*read_literal("-inf", type_of(ElementType::Float32, {}))->as<float>())[0];
  EXPECT_LT(infinite, -1e38F);
  EXPECT_EQ((*read_literal("+2", type_of(ElementType::Int8, {}))->as<std::int8_t>())[0], 2);
}

TEST(Literal, NamesTheMistake) {
  EXPECT_THAT(read_literal("[1,1.5]", type_of(ElementType::Int64, {{2}})).error().what,
              HasSubstr("at [1]: 1.5"));
  EXPECT_THAT(read_literal("[1,", type_of(ElementType::Int64, {{2}})).error().what, HasSubstr("not JSON"));
}

ValueInfo input(ElementType element, std::vector<Dimension> shape) {
  return {.name = "x", .type = type_of(element, std::move(shape))};
}

TEST(Filled, IsRecognisedByItsWord) {
  EXPECT_TRUE(is_filled("zeros"));
  EXPECT_TRUE(is_filled("random:1x2"));
  EXPECT_FALSE(is_filled("zeros.npy"));
  EXPECT_FALSE(is_filled("random1"));
}

TEST(Filled, TakesTheDeclaredShapeWhenItIsFixed) {
  const auto tensor = read_filled("ones", options(""), input(ElementType::Int64, {{2}, {2}}));
  EXPECT_EQ(tensor->shape(), (Shape{2, 2}));
  EXPECT_THAT(*tensor->as<std::int64_t>(), ElementsAre(1, 1, 1, 1));
}

TEST(Filled, NamesTheFreeAxesAndAnExampleWhenTheShapeIsMissing) {
  const auto refused =
      read_filled("random", options(""), input(ElementType::Float32, {{-1, "batch"}, {3}, {-1}, {-1, "w"}}));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(refused.error().what, HasSubstr("`batch`, axis 2, `w`"));
  EXPECT_EQ(refused.error().hint, "give one: --input x=random:1x3x224x224");
}

TEST(Filled, IsTheSameForTheSameSeed) {
  const auto bytes = [](const std::string& given) {
    const auto tensor = read_filled("random:100", options(given), input(ElementType::Float32, {{-1}}));
    return std::vector<std::byte>(tensor->bytes().begin(), tensor->bytes().end());
  };
  EXPECT_EQ(bytes(""), bytes(",seed=0"));
  EXPECT_NE(bytes(""), bytes(",seed=1"));
}

TEST(Filled, IsTheSameOnEveryMachine) {
  const auto tensor = read_filled("random:3", options(",max=99"), input(ElementType::Int64, {{-1}}));
  // The first words of MT19937-64 seeded with 0, as the published algorithm gives them.
  const double words[] = {2947667278772165694.0, 18301848765998365067.0, 729919693006235833.0};
  std::vector<std::int64_t> wanted;
  for (double word : words) wanted.push_back(static_cast<std::int64_t>(word / 0x1p64 * 100));
  EXPECT_THAT(*tensor->as<std::int64_t>(), testing::ElementsAreArray(wanted));
}

TEST(Filled, StaysInItsRange) {
  const auto tensor = read_filled("random:1000", options(",min=3,max=5"), input(ElementType::Int32, {{-1}}));
  const auto numbers = *tensor->as<std::int32_t>();
  EXPECT_EQ(*std::min_element(numbers.begin(), numbers.end()), 3);
  EXPECT_EQ(*std::max_element(numbers.begin(), numbers.end()), 5);
  const auto floats = read_filled("random:1000", options(""), input(ElementType::Float32, {{-1}}));
  const auto unit = *floats->as<float>();
  for (float number : unit) EXPECT_TRUE(number >= 0 && number < 1);
}

TEST(Filled, HasValuesForEveryTypeOfNumbers) {
  for (int i = 1; i <= static_cast<int>(ElementType::Int2); ++i) {
    const auto type = static_cast<ElementType>(i);
    EXPECT_TRUE(read_filled("zeros:3", options(""), input(type, {{-1}}))) << to_string(type);
    if (type == ElementType::String || type == ElementType::Float8E8M0) continue;
    EXPECT_TRUE(read_filled("ones:3", options(""), input(type, {{-1}}))) << to_string(type);
    EXPECT_TRUE(read_filled("random:3", options(""), input(type, {{-1}}))) << to_string(type);
  }
  EXPECT_FALSE(read_filled("random:3", options(""), input(ElementType::String, {{-1}})));
}

TEST(Filled, RefusesBadShapesAndOptions) {
  const ValueInfo x = input(ElementType::UInt8, {{-1}});
  EXPECT_FALSE(read_filled("zeros:1xx2", options(""), x));
  EXPECT_FALSE(read_filled("zeros:3", options(",seed=1"), x));
  EXPECT_FALSE(read_filled("random:3", options(",max=300"), x));
  EXPECT_FALSE(read_filled("random:3", options(",min=5,max=2"), x));
  EXPECT_FALSE(read_filled("random:9999999999x9999999999", options(""), x));
  EXPECT_EQ(read_filled("random:3", options(",sed=1"), x).error().hint, "did you mean `seed`?");
}

Result<Tensor> raw(const std::string& data, const ValueType& type, const std::string& given = "") {
  return read_raw(std::as_bytes(std::span(data)), options(given), type);
}

TEST(Raw, TakesTypeAndShapeFromTheModelOrTheOptions) {
  EXPECT_THAT(*raw("ab", type_of(ElementType::UInt8, {{2}}))->as<std::uint8_t>(), ElementsAre('a', 'b'));
  const auto given = raw("ab", ValueType(), ",type=uint16,shape=1x1");
  EXPECT_EQ(given->shape(), (Shape{1, 1}));
  EXPECT_THAT(*given->as<std::uint16_t>(), ElementsAre(0x6261));
}

TEST(Raw, FindsTheOnlyFreeSizeFromTheLength) {
  EXPECT_EQ(raw("abcdef", type_of(ElementType::UInt8, {{-1, "n"}, {3}}))->shape(), (Shape{2, 3}));
  EXPECT_FALSE(raw("abcde", type_of(ElementType::UInt8, {{-1, "n"}, {3}})));
}

TEST(Raw, SaysWhatIsMissing) {
  const auto shapeless = raw("abcd", type_of(ElementType::UInt8, {{-1, "n"}, {-1, "t"}}));
  ASSERT_FALSE(shapeless);
  EXPECT_THAT(shapeless.error().what, HasSubstr("`n`, `t`"));
  EXPECT_EQ(shapeless.error().hint, "add `shape=1x16`");
  EXPECT_THAT(raw("abcd", ValueType(), ",shape=4").error().hint, HasSubstr("type="));
  EXPECT_EQ(raw("abcd", ValueType(), ",shape=4,type=flaot32").error().hint, "did you mean `float32`?");
  EXPECT_EQ(raw("abcd", type_of(ElementType::String, {{1}})).error().code, ErrorCode::Unsupported);
}

TEST(Raw, NamesBothLengthsThatDiffer) {
  const auto wrong = raw("abc", type_of(ElementType::Float32, {{2}}));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(wrong.error().what, "float32[2] takes 8 bytes, 3 were given");
}

}  // namespace
}  // namespace surefoot::cli
