#include "onnx/stored_elements.hpp"

#include <gmock/gmock.h>

#include "onnx/part_writer.hpp"

namespace surefoot::onnx {
namespace {

using testing::ElementsAre;

/// A TensorProto in memory: the header, then whatever `fill` adds.
class Stored {
 public:
  template <class Fill>
  Stored(ElementType type, const Shape& shape, Fill fill) {
    Builder<TensorField> out(encoded_);
    write_tensor_header(out, "w", type, shape);
    fill(out);
  }
  std::optional<Tensor> read() const {
    Source source(std::as_bytes(std::span(encoded_)));
    const auto copy = copy_elements(Message(source));
    return copy && *copy ? std::optional((*copy)->clone().value()) : std::nullopt;
  }

 private:
  std::string encoded_;
};

TEST(StoredElements, ReadsRawBytes) {
  const Tensor written = Tensor::of<float>({1.5f, -2.0f}, {2}).value();
  std::string encoded;
  {
    Builder<TensorField> out(encoded);
    write_tensor(out, "w", written.view());
  }
  Source source(std::as_bytes(std::span(encoded)));
  const auto read = copy_elements(Message(source));
  ASSERT_TRUE(read);
  EXPECT_EQ((*read)->shape(), Shape{2});
  EXPECT_THAT((*read)->as<float>().value(), ElementsAre(1.5f, -2.0f));
}

TEST(StoredElements, ReadsTheFieldsOfFloatsAndDoubles) {
  const std::vector<float> floats = {0.25f, -1.0f};
  const std::vector<double> doubles = {1e300};
  const auto single = Stored(ElementType::Float32, {2}, [&](auto& out) {
                        out.add_packed_float(TensorField::FloatData, floats.begin(), floats.end());
                      }).read();
  const auto twice = Stored(ElementType::Float64, {}, [&](auto& out) {
                       out.add_packed_double(TensorField::DoubleData, doubles.begin(), doubles.end());
                     }).read();
  ASSERT_TRUE(single && twice);
  EXPECT_THAT(single->as<float>().value(), ElementsAre(0.25f, -1.0f));
  EXPECT_THAT(twice->as<double>().value(), ElementsAre(1e300));
}

TEST(StoredElements, ReadsSmallTypesFromTheFieldOfInt32) {
  const auto read = [](ElementType type, std::vector<std::int32_t> values, std::int64_t count) {
    return Stored(
               type, {count},
               [&](auto& out) { out.add_packed_int32(TensorField::Int32Data, values.begin(), values.end()); })
        .read()
        .value();
  };
  EXPECT_THAT(read(ElementType::Int8, {-1, 127}, 2).as<std::int8_t>().value(), ElementsAre(-1, 127));
  EXPECT_THAT(read(ElementType::UInt16, {65535}, 1).as<std::uint16_t>().value(), ElementsAre(65535));
  EXPECT_THAT(read(ElementType::Bool, {0, 1}, 2).as<bool>().value(), ElementsAre(false, true));
  EXPECT_EQ(static_cast<float>(read(ElementType::Float16, {0x3c00}, 1).as<Float16>().value()[0]), 1.0f);
  const Tensor packed = read(ElementType::Int4, {0x21, 0x03}, 3);  // two elements a byte
  EXPECT_THAT(packed.bytes(), ElementsAre(std::byte{0x21}, std::byte{0x03}));
}

TEST(StoredElements, ReadsWideIntegers) {
  const std::vector<std::int64_t> negative = {-5, INT64_MAX};
  const std::vector<std::uint64_t> large = {UINT64_MAX, 7};
  const auto as_signed = Stored(ElementType::Int64, {2}, [&](auto& out) {
                           out.add_packed_int64(TensorField::Int64Data, negative.begin(), negative.end());
                         }).read();
  const auto as_unsigned = Stored(ElementType::UInt64, {2}, [&](auto& out) {
                             out.add_packed_uint64(TensorField::Uint64Data, large.begin(), large.end());
                           }).read();
  ASSERT_TRUE(as_signed && as_unsigned);
  EXPECT_THAT(as_signed->as<std::int64_t>().value(), ElementsAre(-5, INT64_MAX));
  EXPECT_THAT(as_unsigned->as<std::uint64_t>().value(), ElementsAre(UINT64_MAX, 7u));
}

TEST(StoredElements, ReadsStrings) {
  const auto read = Stored(ElementType::String, {2}, [](auto& out) {
                      out.add_bytes(TensorField::StringData, std::string("one"));
                      out.add_bytes(TensorField::StringData, std::string());
                    }).read();
  ASSERT_TRUE(read);
  EXPECT_THAT(read->strings(), ElementsAre("one", ""));
}

TEST(StoredElements, GivesNothingWhereTheElementsDoNotFitTheShape) {
  const auto two = [](auto& out) {
    const std::vector<float> floats = {1, 2};
    out.add_packed_float(TensorField::FloatData, floats.begin(), floats.end());
  };
  EXPECT_TRUE(Stored(ElementType::Float32, {2}, two).read());
  EXPECT_FALSE(Stored(ElementType::Float32, {3}, two).read());
  EXPECT_FALSE(Stored(ElementType::Float32, {2}, [](auto&) {}).read());
  EXPECT_FALSE(Stored(ElementType::Undefined, {2}, two).read());
}

}  // namespace
}  // namespace surefoot::onnx
