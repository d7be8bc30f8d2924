#include "surefoot/tensor.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <limits>

namespace surefoot {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr auto kHuge = std::numeric_limits<std::int64_t>::max();

TEST(ShapeText, ListsSizesAndMarksFreeOnes) {
  EXPECT_EQ(to_string(Shape{1, 3, 224}), "[1,3,224]");
  EXPECT_EQ(to_string(Shape{}), "[]");
  EXPECT_EQ(to_string(Shape{-1, 2}), "[?,2]");
}

TEST(ElementCount, IsTheProductOfTheSizes) {
  EXPECT_EQ(element_count(Shape{}), 1U);
  EXPECT_EQ(element_count(Shape{2, 3, 4}), 24U);
  EXPECT_EQ(element_count(Shape{2, 0}), 0U);
}

TEST(ElementCount, IsEmptyForANegativeSizeOrAnOverflow) {
  EXPECT_FALSE(element_count(Shape{2, -1}));
  EXPECT_FALSE(element_count(Shape{0, -1}));
  EXPECT_FALSE(element_count(Shape{kHuge, 3}));
  EXPECT_EQ(element_count(Shape{kHuge, 2}), static_cast<std::uint64_t>(kHuge) * 2);
}

TEST(ElementCount, IsZeroWhereverTheZeroStands) {
  EXPECT_EQ(element_count(Shape{0, kHuge, kHuge}), 0U);
  EXPECT_EQ(element_count(Shape{kHuge, kHuge, 0}), 0U);
}

TEST(TensorZeros, AreZeroAndAligned) {
  auto tensor = Tensor::zeros(ElementType::Float32, {2, 3});
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->shape(), (Shape{2, 3}));
  EXPECT_THAT(*tensor->as<float>(), ElementsAre(0, 0, 0, 0, 0, 0));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor->bytes().data()) % 64, 0U);
}

TEST(TensorZeros, HoldsEmptyStrings) {
  auto tensor = Tensor::zeros(ElementType::String, {2});
  ASSERT_TRUE(tensor);
  EXPECT_THAT(tensor->strings(), ElementsAre("", ""));
  EXPECT_THAT(tensor->bytes(), IsEmpty());
}

TEST(TensorZeros, CanBeScalarOrWithoutElements) {
  EXPECT_EQ(Tensor::zeros(ElementType::Int64, {})->bytes().size(), 8U);
  auto none = Tensor::zeros(ElementType::Int64, {0, 4});
  ASSERT_TRUE(none);
  EXPECT_THAT(none->bytes(), IsEmpty());
  EXPECT_NE(none->bytes().data(), nullptr);
}

TEST(TensorZeros, PacksSmallElements) {
  EXPECT_EQ(Tensor::zeros(ElementType::Int4, {3, 3})->bytes().size(), 5U);
}

/// Resident memory of this process in pages, where the system tells it.
std::optional<long> resident_pages() {
  std::ifstream statm("/proc/self/statm");
  long total = 0, resident = 0;
  if (statm >> total >> resident) return resident;
  return std::nullopt;
}

TEST(TensorZeros, LeavesTheMemoryOfALargeTensorUntouched) {
  constexpr std::int64_t kSize = std::int64_t{1} << 29;
  const auto before = resident_pages();
  if (!before) GTEST_SKIP() << "this system has no /proc/self/statm";
  auto tensor = Tensor::zeros(ElementType::UInt8, {kSize});
  ASSERT_TRUE(tensor);
  constexpr std::int64_t kSmallestPage = 4096;
  EXPECT_LT(*resident_pages() - *before, kSize / kSmallestPage / 2);
  EXPECT_EQ(std::to_integer<int>(tensor->bytes().back()), 0);
}

TEST(TensorZeros, RefusesANegativeSizeAndAnUndefinedType) {
  const auto negative = Tensor::zeros(ElementType::Int8, {2, -1});
  ASSERT_FALSE(negative);
  EXPECT_EQ(negative.error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(negative.error().what, HasSubstr("-1"));
  const auto undefined = Tensor::zeros(ElementType::Undefined, {2});
  ASSERT_FALSE(undefined);
  EXPECT_EQ(undefined.error().code, ErrorCode::InvalidArgument);
}

TEST(TensorZeros, ReportsMemoryThatCannotBeHad) {
  for (const Shape& shape : {Shape{kHuge, 3}, Shape{kHuge}, Shape{kHuge / 8, 1}}) {
    const auto tensor = Tensor::zeros(ElementType::Float64, shape);
    ASSERT_FALSE(tensor) << to_string(shape);
    EXPECT_EQ(tensor.error().code, ErrorCode::OutOfMemory);
  }
  const auto strings = Tensor::zeros(ElementType::String, {kHuge});
  ASSERT_FALSE(strings);
  EXPECT_EQ(strings.error().code, ErrorCode::OutOfMemory);
}

TEST(TensorZeros, ReportsAnAllocationThatFails) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "AddressSanitizer ends the process when an allocation fails";
#endif
  const auto tensor = Tensor::zeros(ElementType::UInt8, {std::int64_t{1} << 60});
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().code, ErrorCode::OutOfMemory);
}

TEST(TensorFromBytes, CopiesWhatFits) {
  std::array<std::int32_t, 2> data{7, -1};
  auto tensor = Tensor::of<std::int32_t>(data, {2, 1});
  ASSERT_TRUE(tensor);
  data[0] = 0;
  EXPECT_THAT(*tensor->as<std::int32_t>(), ElementsAre(7, -1));
}

TEST(TensorFromBytes, NamesBothLengthsThatDiffer) {
  const auto tensor = Tensor::of<float>({1, 2, 3}, {2, 2});
  ASSERT_FALSE(tensor);
  EXPECT_EQ(tensor.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(tensor.error().what, "float32[2,2] takes 16 bytes, 12 were given");
}

TEST(TensorFromBytes, RefusesStrings) {
  EXPECT_EQ(Tensor::from_bytes(ElementType::String, {1}, {}).error().code, ErrorCode::InvalidArgument);
}

TEST(TensorFromStrings, ChecksTheirNumber) {
  EXPECT_THAT(Tensor::of<std::string>({"a", "b"}, {2})->strings(), ElementsAre("a", "b"));
  const auto wrong = Tensor::from_strings({"a"}, {2, 2});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().what, "string[2,2] holds 4 strings, 1 were given");
}

TEST(TensorAs, RefusesAnotherElementType) {
  auto tensor = Tensor::of<float>({1}, {1});
  const auto wrong = tensor->as<std::int64_t>();
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(wrong.error().what, "tensor holds float32, int64 was asked for");
  EXPECT_FALSE(tensor->as<std::string>());
}

TEST(TensorAs, GivesSmallFloatsAndComplexNumbers) {
  auto halves = Tensor::of<Float16>({Float16(1.5F)}, {1});
  EXPECT_EQ(halves->type(), ElementType::Float16);
  EXPECT_EQ(static_cast<float>((*halves->as<Float16>())[0]), 1.5F);
  auto complex = Tensor::of<std::complex<float>>({{1, 2}}, {});
  EXPECT_EQ((*complex->as<std::complex<float>>())[0], std::complex<float>(1, 2));
}

TEST(TensorAdopt, KeepsItsOwnerAliveAndSharesTheMemory) {
  auto memory = std::make_shared<std::array<float, 2>>();
  std::weak_ptr<void> watched = memory;
  {
    auto tensor =
        Tensor::adopt(ElementType::Float32, {2}, std::as_writable_bytes(std::span(*memory)), memory);
    float* data = memory->data();
    memory.reset();
    EXPECT_FALSE(watched.expired());
    data[1] = 5;
    EXPECT_THAT(*tensor.as<float>(), ElementsAre(0, 5));
  }
  EXPECT_TRUE(watched.expired());
}

TEST(TensorAdopt, ReleasesTheObjectOnceFromWhereItWasMovedTo) {
  int released = 0;
  std::array<float, 2> memory{};
  const auto release = [](const void* context, void* object) noexcept {
    EXPECT_EQ(*static_cast<const int*>(context), 7);
    ++*static_cast<int*>(object);
  };
  const int context = 7;
  {
    Tensor first = Tensor::adopt(ElementType::Float32, {2}, std::as_writable_bytes(std::span(memory)),
                                 MemoryOwner(&released, release, &context));
    Tensor second = std::move(first);
    second = Tensor(std::move(second));
    EXPECT_EQ(released, 0);
  }
  EXPECT_EQ(released, 1);
}

void expect_empty(const Tensor& tensor) {
  EXPECT_EQ(tensor.type(), ElementType::Undefined);
  EXPECT_THAT(tensor.shape(), IsEmpty());
  EXPECT_EQ(tensor.bytes().data(), nullptr);
  EXPECT_THAT(tensor.strings(), IsEmpty());
}

TEST(TensorMove, LeavesNothingBehind) {
  Tensor first = *Tensor::of<float>({1, 2}, {2});
  Tensor second(std::move(first));
  expect_empty(first);
  Tensor third = *Tensor::of<std::string>({"old"}, {1});
  third = std::move(second);
  expect_empty(second);
  EXPECT_THAT(*third.as<float>(), ElementsAre(1, 2));
  EXPECT_THAT(third.strings(), IsEmpty());
}

TEST(TensorMove, OntoItselfChangesNothing) {
  Tensor tensor = *Tensor::of<float>({1, 2}, {2});
  Tensor& same = tensor;
  tensor = std::move(same);
  EXPECT_THAT(*tensor.as<float>(), ElementsAre(1, 2));
}

TEST(TensorClone, IsDeep) {
  Tensor tensor = *Tensor::of<std::uint8_t>({1, 2}, {2});
  Tensor copy = *tensor.clone();
  tensor.mutable_bytes()[0] = std::byte{9};
  EXPECT_THAT(*copy.as<std::uint8_t>(), ElementsAre(1, 2));
  EXPECT_THAT(Tensor::of<std::string>({"a"}, {})->clone()->strings(), ElementsAre("a"));
  expect_empty(*Tensor().clone());
}

TEST(TensorView, SeesTheCallersMemory) {
  std::array<std::int16_t, 2> data{1, 2};
  const Shape shape{2};
  const auto view = TensorView::of<std::int16_t>(data, shape);
  data[0] = 4;
  EXPECT_THAT(*view.as<std::int16_t>(), ElementsAre(4, 2));
}

}  // namespace
}  // namespace surefoot
