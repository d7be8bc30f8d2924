#include "ort/value.hpp"

#include <gmock/gmock.h>

#include "tests/support/runtimes.hpp"

namespace surefoot::ort {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// The environment of each ORT that there is to test with, with its name.
std::vector<std::pair<std::string, Environment*>> environments() {
  std::vector<std::pair<std::string, Environment*>> all;
  for (const tests::TestRuntime& each : tests::test_runtimes())
    all.emplace_back(each.flavour + " " + each.version,
                     Environment::of(open_library(each.library).value()).value());
  return all;
}

/// Through ORT and back.
Value round_trip(const Environment& environment, const Value& value) {
  auto wrapped = wrap(environment, value);
  if (!wrapped) return ADD_FAILURE() << to_string(wrapped.error()), Value();
  auto unwrapped = unwrap(environment, std::move(*wrapped));
  if (!unwrapped) return ADD_FAILURE() << to_string(unwrapped.error()), Value();
  return std::move(*unwrapped);
}

void expect_equal(const Tensor& tensor, const Tensor& wanted) {
  EXPECT_EQ(tensor.type(), wanted.type());
  EXPECT_EQ(tensor.shape(), wanted.shape());
  EXPECT_TRUE(std::ranges::equal(tensor.bytes(), wanted.bytes()));
  EXPECT_TRUE(std::ranges::equal(tensor.strings(), wanted.strings()));
}

/// A tensor of `count` elements whose bytes are all different from their neighbours.
Tensor patterned(ElementType type, std::int64_t count) {
  Tensor tensor = Tensor::zeros(type, {count}).value();
  unsigned char next = 1;
  for (std::byte& each : tensor.mutable_bytes()) each = std::byte(next += 7);
  return tensor;
}

constexpr ElementType kOldTypes[] = {
    ElementType::Float32,    ElementType::UInt8,          ElementType::Int8,
    ElementType::UInt16,     ElementType::Int16,          ElementType::Int32,
    ElementType::Int64,      ElementType::Bool,           ElementType::Float16,
    ElementType::Float64,    ElementType::UInt32,         ElementType::UInt64,
    ElementType::BFloat16,   ElementType::Float8E4M3FN,   ElementType::Float8E4M3FNUZ,
    ElementType::Float8E5M2, ElementType::Float8E5M2FNUZ, ElementType::UInt4,
    ElementType::Int4};

TEST(OrtValue, CarriesEveryElementTypeThroughOrt) {
  NEED_RUNTIME();
  for (const auto& [name, environment] : environments())
    for (const ElementType type : kOldTypes) {
      SCOPED_TRACE(name + " " + std::string(to_string(type)));
      const Value given = patterned(type, 5);
      const Value value = round_trip(*environment, given);
      ASSERT_NE(value.tensor(), nullptr);
      expect_equal(*value.tensor(), *given.tensor());
    }
}

TEST(OrtValue, CopiesNothingOfATensorOnItsWay) {
  NEED_RUNTIME();
  for (const auto& [name, environment] : environments()) {
    SCOPED_TRACE(name);
    Tensor tensor = patterned(ElementType::Float32, 4);
    const Value value = unwrap(*environment, wrap(*environment, tensor.view()).value()).value();
    EXPECT_EQ(value.tensor()->bytes().data(), tensor.bytes().data());
    const Value writable = unwrap(*environment, wrap(*environment, tensor.mutable_view()).value()).value();
    EXPECT_EQ(writable.tensor()->bytes().data(), tensor.bytes().data());
  }
}

TEST(OrtValue, CarriesScalarsAndTensorsWithoutElements) {
  NEED_RUNTIME();
  for (const auto& [name, environment] : environments())
    for (const Shape& shape : {Shape{}, Shape{0}, Shape{2, 0, 3}})
      for (const ElementType type : {ElementType::Float32, ElementType::String}) {
        SCOPED_TRACE(name + " " + to_string(shape) + " " + std::string(to_string(type)));
        const Value given = Tensor::zeros(type, shape).value();
        const Value value = round_trip(*environment, given);
        ASSERT_NE(value.tensor(), nullptr);
        expect_equal(*value.tensor(), *given.tensor());
      }
}

TEST(OrtValue, CarriesStringsWhole) {
  NEED_RUNTIME();
  using namespace std::string_literals;
  for (const auto& [name, environment] : environments()) {
    SCOPED_TRACE(name);
    const std::vector<std::string> strings = {"",    "plain", "größer 漢字", "a\0b"s, std::string(10000, 'x'),
                                              "last"};
    const Value value = round_trip(*environment, Tensor::from_strings(strings, {2, 3}).value());
    ASSERT_NE(value.tensor(), nullptr);
    expect_equal(*value.tensor(), Tensor::from_strings(strings, {2, 3}).value());
  }
}

TEST(OrtValue, CarriesSequences) {
  NEED_RUNTIME();
  for (const auto& [name, environment] : environments()) {
    SCOPED_TRACE(name);
    Sequence sequence;
    for (const std::int64_t count : {1, 3})
      sequence.items.emplace_back(patterned(ElementType::Float32, count));
    const Value given = std::move(sequence);
    const Value value = round_trip(*environment, given);
    ASSERT_NE(value.sequence(), nullptr);
    ASSERT_EQ(value.sequence()->items.size(), 2u);
    expect_equal(*value.sequence()->items[0].tensor(), patterned(ElementType::Float32, 1));
    expect_equal(*value.sequence()->items[1].tensor(), patterned(ElementType::Float32, 3));
  }
}

TEST(OrtValue, CarriesMaps) {
  NEED_RUNTIME();
  for (const auto& [name, environment] : environments()) {
    SCOPED_TRACE(name);
    const Value numbers = Map{Tensor::of<std::int64_t>({3, 1, 2}, {3}).value(),
                              Tensor::of<float>({0.3F, 0.1F, 0.2F}, {3}).value()};
    const Value by_number = round_trip(*environment, numbers);
    ASSERT_NE(by_number.map(), nullptr);
    EXPECT_THAT(*by_number.map()->keys.as<std::int64_t>(), ElementsAre(1, 2, 3)) << "in ORT's order";
    EXPECT_THAT(*by_number.map()->values.as<float>(), ElementsAre(0.1F, 0.2F, 0.3F));
    const Value words =
        Map{Tensor::from_strings({"b", "a"}, {2}).value(), Tensor::of<std::int64_t>({2, 1}, {2}).value()};
    const Value by_word = round_trip(*environment, words);
    ASSERT_NE(by_word.map(), nullptr);
    EXPECT_THAT(by_word.map()->keys.strings(), ElementsAre("a", "b"));
    EXPECT_THAT(*by_word.map()->values.as<std::int64_t>(), ElementsAre(1, 2));
  }
}

TEST(OrtValue, RefusesAnAbsentOptional) {
  NEED_RUNTIME();
  const auto wrapped = wrap(*environments().front().second, Value());
  ASSERT_FALSE(wrapped);
  EXPECT_EQ(wrapped.error().code, ErrorCode::Unsupported);
}

TEST(OrtValue, RefusesMemoryThatIsTooSmallForItsShape) {
  NEED_RUNTIME();
  for (const auto& [name, environment] : environments()) {
    SCOPED_TRACE(name);
    const float data[2] = {};
    const std::int64_t shape[] = {3};
    const auto wrapped = wrap(*environment, TensorView::of(std::span<const float>(data), shape));
    ASSERT_FALSE(wrapped);
    EXPECT_EQ(wrapped.error().code, ErrorCode::InvalidArgument);
    EXPECT_TRUE(wrapped.error().native);
  }
}

TEST(OrtValue, KeepsOrtsMemoryAliveForAsLongAsTheTensor) {
  NEED_RUNTIME();
  for (const auto& [name, environment] : environments()) {
    SCOPED_TRACE(name);
    const std::int64_t shape[] = {1000};
    auto made = make<OrtValue>(environment->api(), fn::CreateTensorAsOrtValue, environment->allocator(),
                               &shape[0], std::size_t{1}, static_cast<ONNXTensorElementDataType>(1));
    ASSERT_TRUE(made);
    Value value = unwrap(*environment, std::move(*made)).value();
    const Value moved = std::move(value);
    for (std::byte& each : const_cast<Tensor*>(moved.tensor())->mutable_bytes()) each = std::byte{1};
    EXPECT_EQ(moved.tensor()->bytes().size(), 4000u);
  }
}

}  // namespace
}  // namespace surefoot::ort
