#include "apps/cli/input/json_value.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "apps/cli/input/numbers.hpp"

namespace surefoot::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ValueType tensor_type(ElementType element) { return {.element = element}; }

Result<Value> read(std::string_view text, const ValueType& declared) {
  const auto json = parse_json(text);
  if (!json) return fail(json.error());
  return value_from_json(*json, declared);
}
Result<Value> read(std::string_view text, ElementType element) { return read(text, tensor_type(element)); }

std::string message(std::string_view text, ElementType element) {
  const auto value = read(text, element);
  return value ? "(no error)" : value.error().what;
}

TEST(JsonRead, TakesTheShapeFromTheNesting) {
  const auto value = read("[[1,2,3],[4,5,6]]", ElementType::Int64);
  EXPECT_EQ(value->tensor()->shape(), (Shape{2, 3}));
  EXPECT_THAT(*value->as<std::int64_t>(), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(read("7", ElementType::Int32)->tensor()->shape(), Shape{});
  EXPECT_EQ(read("[]", ElementType::Int32)->tensor()->shape(), Shape{0});
  EXPECT_EQ(read("[[],[]]", ElementType::Int32)->tensor()->shape(), (Shape{2, 0}));
}

TEST(JsonRead, NamesThePlaceOfARaggedArray) {
  EXPECT_EQ(message("[[1,2],[3]]", ElementType::Float32),
            "at [1]: this array has 1 elements, the first of its level has 2");
  EXPECT_EQ(message("[[1,2],3]", ElementType::Float32), "at [1]: 3 stands where an array of 2 is wanted");
  EXPECT_EQ(message("[1,[2]]", ElementType::Float32),
            "at [1]: an array of 1 stands where one element of float32 is wanted");
}

TEST(JsonRead, NamesThePlaceOfANumberThatDoesNotFit) {
  EXPECT_THAT(message("[[0,1.5]]", ElementType::Int64), HasSubstr("at [0][1]: 1.5 does not fit int64"));
  EXPECT_THAT(message("[300]", ElementType::UInt8), HasSubstr("at [0]: 300 does not fit uint8"));
  EXPECT_THAT(message("1e39", ElementType::Float32), HasSubstr("1e+39 does not fit float32"));
}

TEST(JsonRead, NamesThePlaceOfAnElementOfAnotherKind) {
  EXPECT_EQ(message("[1,\"a\"]", ElementType::Float32), "at [1]: \"a\" is not a number, float32 is wanted");
  EXPECT_EQ(message("[true]", ElementType::Int64), "at [0]: true is not a number, int64 is wanted");
  EXPECT_EQ(message("[1]", ElementType::String), "at [0]: 1 is not a string");
  EXPECT_THAT(message("[null]", ElementType::Float32), HasSubstr("null stands where"));
  EXPECT_THAT(message("{\"a\":1}", ElementType::Float32), HasSubstr("an object stands where"));
}

TEST(JsonRead, KeepsLargeIntegersExact) {
  EXPECT_THAT(*read("[9007199254740993]", ElementType::Int64)->as<std::int64_t>(),
              ElementsAre(9007199254740993));
  EXPECT_THAT(*read("[18446744073709551615]", ElementType::UInt64)->as<std::uint64_t>(),
              ElementsAre(std::numeric_limits<std::uint64_t>::max()));
}

TEST(JsonRead, TakesBoolsAndTheirNumbers) {
  EXPECT_THAT(*read("[true,false,1,0]", ElementType::Bool)->as<bool>(),
              ElementsAre(true, false, true, false));
  EXPECT_FALSE(read("[2]", ElementType::Bool));
}

TEST(JsonRead, TakesWordsForWhatJsonCannotWrite) {
  const auto value = read(R"(["NaN","Infinity","-Infinity"])", ElementType::Float32);
  const auto numbers = *value->as<float>();
  EXPECT_NE(numbers[0], numbers[0]);
  EXPECT_EQ(numbers[1], std::numeric_limits<float>::infinity());
  EXPECT_EQ(numbers[2], -std::numeric_limits<float>::infinity());
  EXPECT_FALSE(read(R"(["NaN"])", ElementType::Int32));
}

TEST(JsonRead, TakesComplexNumbersAsPairs) {
  const auto value = read("[[1,2],[3,-4]]", ElementType::Complex64);
  EXPECT_EQ(value->tensor()->shape(), Shape{2});
  EXPECT_THAT(*value->as<std::complex<float>>(),
              ElementsAre(std::complex<float>(1, 2), std::complex<float>(3, -4)));
}

TEST(JsonRead, GuessesTheTypeWhereNoneIsDeclared) {
  EXPECT_EQ(read("[1,2]", ElementType::Undefined)->tensor()->type(), ElementType::Int64);
  EXPECT_EQ(read("[1,2.5]", ElementType::Undefined)->tensor()->type(), ElementType::Float32);
  EXPECT_EQ(read("[\"a\"]", ElementType::Undefined)->tensor()->type(), ElementType::String);
  EXPECT_EQ(read("true", ElementType::Undefined)->tensor()->type(), ElementType::Bool);
}

TEST(JsonRead, MakesMapsOfObjects) {
  const ValueType declared{
      .kind = ValueKind::Map, .element = ElementType::Int64, .inner = {tensor_type(ElementType::Float32)}};
  const auto value = read(R"({"3":0.5,"-1":2})", declared);
  ASSERT_TRUE(value) << value.error().what;
  EXPECT_THAT(*value->map()->keys.as<std::int64_t>(), ElementsAre(-1, 3));
  EXPECT_THAT(*value->map()->values.as<float>(), ElementsAre(2, 0.5F));
  EXPECT_THAT(read(R"({"x":1})", declared).error().what, HasSubstr("\"x\" is not a number"));
}

TEST(JsonRead, MakesSequencesOfArrays) {
  ValueType map{
      .kind = ValueKind::Map, .element = ElementType::String, .inner = {tensor_type(ElementType::Float32)}};
  const ValueType declared{.kind = ValueKind::Sequence, .inner = {map}};
  const auto value = read(R"([{"a":1},{"b":2,"c":3}])", declared);
  ASSERT_TRUE(value) << value.error().what;
  ASSERT_EQ(value->sequence()->items.size(), 2U);
  EXPECT_THAT(value->sequence()->items[1].map()->keys.strings(), ElementsAre("b", "c"));
  EXPECT_THAT(read(R"([{"a":1},5])", declared).error().what,
              HasSubstr("at [1]: 5 stands where an object is wanted"));
}

TEST(JsonRead, TakesNullForAnOptional) {
  ValueType declared = tensor_type(ElementType::Float32);
  EXPECT_FALSE(read("null", declared));
  declared.optional = true;
  EXPECT_EQ(read("null", declared)->kind(), ValueKind::None);
}

TEST(JsonRead, SaysWhereTextIsNotJson) {
  const auto broken = parse_json("[1,\n2,,3]");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code, ErrorCode::InvalidInput);
  EXPECT_THAT(broken.error().what, HasSubstr("line 2, column 3"));
}

TEST(JsonRead, RefusesDeepNestingWithoutFollowingIt) {
  const std::size_t depth = 200000;
  const std::string deep = std::string(depth, '[') + std::string(depth, ']');
  EXPECT_THAT(message(deep, ElementType::Float32), HasSubstr("axes"));
  EXPECT_THAT(message("[1," + deep + "]", ElementType::Float32), HasSubstr("at [1]"));
  EXPECT_FALSE(read(deep, ElementType::Undefined));
}

template <class T>
std::string written(std::initializer_list<T> data, Shape shape) {
  return json_text(json_of(*Tensor::of<T>(data, std::move(shape))));
}

TEST(JsonWrite, NestsAsTheShapeSays) {
  EXPECT_EQ(written<std::int32_t>({1, 2, 3, 4}, {2, 2}), "[[1,2],[3,4]]");
  EXPECT_EQ(written<std::int32_t>({1}, {}), "1");
  EXPECT_EQ(json_text(json_of(*Tensor::zeros(ElementType::Float32, {2, 0}))), "[[],[]]");
}

TEST(JsonWrite, WritesTheShortestDecimals) {
  EXPECT_EQ(written<float>({0.1F, 1e-7F}, {2}), "[0.1,1e-07]");
  EXPECT_EQ(written<double>({0.1}, {1}), "[0.1]");
  EXPECT_EQ(written<Float16>({Float16(1.5F)}, {1}), "[1.5]");
}

TEST(JsonWrite, WritesWordsForNanAndInfinities) {
  const float inf = std::numeric_limits<float>::infinity();
  EXPECT_EQ(written<float>({std::numeric_limits<float>::quiet_NaN(), inf, -inf}, {3}),
            R"(["NaN","Infinity","-Infinity"])");
}

TEST(JsonWrite, WritesBoolsStringsAndComplexNumbers) {
  EXPECT_EQ(written<bool>({true, false}, {2}), "[true,false]");
  EXPECT_EQ(written<std::string>({"a\"b"}, {1}), R"(["a\"b"])");
  EXPECT_EQ(written<std::string>({"\xff"}, {1}), "[\"\xef\xbf\xbd\"]");
  EXPECT_EQ(written<std::complex<double>>({{1, -2}}, {1}), "[[1.0,-2.0]]");
}

TEST(JsonWrite, WritesPackedTypesAsNumbers) {
  const std::vector<Number> numbers{std::int64_t{-8}, std::int64_t{7}, std::int64_t{0}};
  EXPECT_EQ(json_text(json_of(*tensor_of_numbers(ElementType::Int4, {3}, numbers))), "[-8,7,0]");
}

TEST(JsonWrite, WritesMapsSequencesAndNothing) {
  Sequence sequence;
  sequence.items.emplace_back(
      Map{*Tensor::of<std::int64_t>({3, 5}, {2}), *Tensor::of<float>({0.25F, 0.75F}, {2})});
  sequence.items.emplace_back();
  EXPECT_EQ(json_text(json_of(Value(std::move(sequence)))), R"([{"3":0.25,"5":0.75},null])");
}

TEST(JsonWrite, IsReadBackAsTheSameElements) {
  for (int i = 1; i <= static_cast<int>(ElementType::Int2); ++i) {
    const auto type = static_cast<ElementType>(i);
    if (type == ElementType::String) continue;
    const std::vector<Number> numbers{std::int64_t{1}, std::int64_t{1}};
    const auto tensor = tensor_of_numbers(type, {is_complex(type) ? 1 : 2}, numbers);
    const std::string text = json_text(json_of(*tensor->clone()));
    const auto back = read(text, type);
    ASSERT_TRUE(back) << text << back.error().what;
    EXPECT_THAT(back->tensor()->bytes(), testing::ElementsAreArray(tensor->bytes())) << text;
  }
}

}  // namespace
}  // namespace surefoot::cli
