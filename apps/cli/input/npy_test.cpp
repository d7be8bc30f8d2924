#include "apps/cli/input/npy.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/cli/input/npy_header.hpp"
#include "apps/cli/input/numbers.hpp"

namespace surefoot::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::span<const std::byte> bytes_of(const std::string& text) { return std::as_bytes(std::span(text)); }

/// A .npy file of format version `major`, its header as given, padded with nothing.
std::string npy_file(const std::string& dictionary, const std::string& data, char major = 1) {
  const std::string header = dictionary + "\n";
  std::string file = "\x93NUMPY";
  file += major;
  file += '\0';
  file += static_cast<char>(header.size() & 0xff);
  file += static_cast<char>(header.size() >> 8);
  if (major > 1) file += std::string(2, '\0');
  return file + header + data;
}

std::string dictionary(const std::string& descr, const std::string& shape, bool fortran = false) {
  return "{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
         ", 'shape': " + shape + ", }";
}

Result<Tensor> read(const std::string& file, ElementType wanted = ElementType::Undefined) {
  return read_npy(bytes_of(file), wanted);
}

Tensor round_trip(const Tensor& tensor, ElementType wanted) {
  auto bytes = npy_bytes(tensor);
  EXPECT_TRUE(bytes);
  auto back = read(*bytes, wanted);
  EXPECT_TRUE(back) << back.error().what;
  return *std::move(back);
}

TEST(Npy, RoundTripsEveryTypeThatNumpyNames) {
  for (ElementType type : {ElementType::Bool, ElementType::Int8, ElementType::Int16, ElementType::Int32,
                           ElementType::Int64, ElementType::UInt8, ElementType::UInt16, ElementType::UInt32,
                           ElementType::UInt64, ElementType::Float16, ElementType::Float32,
                           ElementType::Float64, ElementType::Complex64, ElementType::Complex128}) {
    const std::size_t count = is_complex(type) ? 4 : 2;
    const std::vector<Number> numbers(count, std::int64_t{1});
    const Tensor tensor = *tensor_of_numbers(type, {2, 1}, numbers);
    const Tensor back = round_trip(tensor, ElementType::Undefined);
    EXPECT_EQ(back.type(), type);
    EXPECT_EQ(back.shape(), (Shape{2, 1}));
    EXPECT_THAT(back.bytes(), testing::ElementsAreArray(tensor.bytes()));
  }
}

TEST(Npy, RoundTripsWhatNumpyCannotNameWhenTheTypeIsWanted) {
  for (ElementType type : {ElementType::BFloat16, ElementType::Float8E4M3FN, ElementType::Float8E4M3FNUZ,
                           ElementType::Float8E5M2, ElementType::Float8E5M2FNUZ, ElementType::Float8E8M0,
                           ElementType::Int4, ElementType::UInt4, ElementType::Int2, ElementType::UInt2}) {
    const std::vector<Number> numbers(3, std::int64_t{1});
    const Tensor tensor = *tensor_of_numbers(type, {3}, numbers);
    const Tensor back = round_trip(tensor, type);
    EXPECT_EQ(back.type(), type);
    EXPECT_THAT(back.bytes(), testing::ElementsAreArray(tensor.bytes())) << to_string(type);
  }
}

TEST(Npy, WritesFloat4AsFloat32) {
  const std::vector<Number> numbers{1.5, -6.0};
  const Tensor back =
      round_trip(*tensor_of_numbers(ElementType::Float4E2M1, {2}, numbers), ElementType::Undefined);
  EXPECT_THAT(*back.as<float>(), ElementsAre(1.5F, -6));
}

TEST(Npy, KeepsScalarsAndArraysWithoutElements) {
  EXPECT_EQ(round_trip(*Tensor::of<float>({1}, {}), ElementType::Undefined).shape(), Shape{});
  EXPECT_EQ(round_trip(*Tensor::zeros(ElementType::Float32, {0, 3}), ElementType::Undefined).shape(),
            (Shape{0, 3}));
}

TEST(Npy, KeepsStringsOfAnyAlphabet) {
  const Tensor tensor = *Tensor::of<std::string>({"", "grüße", "日本", "🙂"}, {2, 2});
  EXPECT_THAT(round_trip(tensor, ElementType::String).strings(), ElementsAre("", "grüße", "日本", "🙂"));
}

TEST(Npy, KeepsStringsThatAreNotUtf8) {
  const Tensor tensor = *Tensor::of<std::string>({"\xff\xfe", "a"}, {2});
  EXPECT_THAT(round_trip(tensor, ElementType::String).strings(), ElementsAre("\xff\xfe", "a"));
}

TEST(Npy, AlignsItsDataTo64Bytes) {
  for (std::int64_t size : {1, 10, 1000, 1000000000}) {
    const std::string header = npy_header_bytes("<f4", Shape{size, size, 0});
    EXPECT_EQ(header.size() % 64, 0U);
    EXPECT_EQ(header.back(), '\n');
  }
}

TEST(Npy, ReadsVersions2And3) {
  for (char major : {'\2', '\3'}) {
    const auto tensor = read(npy_file(dictionary("|u1", "(2,)"), "ab", major));
    ASSERT_TRUE(tensor) << tensor.error().what;
    EXPECT_THAT(*tensor->as<std::uint8_t>(), ElementsAre('a', 'b'));
  }
}

TEST(Npy, TurnsBigEndianElementsRound) {
  EXPECT_THAT(*read(npy_file(dictionary(">u2", "(2,)"), {'\1', '\2', '\0', '\7'}))->as<std::uint16_t>(),
              ElementsAre(0x0102, 7));
  const std::string complex{'\x3f', '\x80', '\0', '\0', '\x40', '\0', '\0', '\0'};
  EXPECT_THAT(*read(npy_file(dictionary(">c8", "(1,)"), complex))->as<std::complex<float>>(),
              ElementsAre(std::complex<float>(1, 2)));
  const std::string text{'\0', '\0', '\0', 'a', '\0', '\0', '\0', 'b'};
  EXPECT_THAT(read(npy_file(dictionary(">U2", "(1,)"), text))->strings(), ElementsAre("ab"));
}

TEST(Npy, TransposesFortranOrder) {
  // [[1,2,3],[4,5,6]] column by column.
  EXPECT_THAT(*read(npy_file(dictionary("|i1", "(2, 3)", true), "\1\4\2\5\3\6"))->as<std::int8_t>(),
              ElementsAre(1, 2, 3, 4, 5, 6));
  // arange(8).reshape(2,2,2)
  EXPECT_THAT(
      *read(npy_file(dictionary("|i1", "(2, 2, 2)", true), {'\0', '\4', '\2', '\6', '\1', '\5', '\3', '\7'}))
           ->as<std::int8_t>(),
      ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(Npy, TakesTwoByteVoidsAsBFloat16) {
  const auto tensor = read(npy_file(dictionary("<V2", "(1,)"), {'\x80', '\x3f'}));
  ASSERT_TRUE(tensor);
  EXPECT_EQ(static_cast<float>((*tensor->as<BFloat16>())[0]), 1.0F);
}

TEST(Npy, TakesOneByteFloatsAsTheWantedType) {
  EXPECT_EQ(read(npy_file(dictionary("<V1", "(1,)"), "8"), ElementType::Float8E4M3FN)->type(),
            ElementType::Float8E4M3FN);
  EXPECT_EQ(read(npy_file(dictionary("<f1", "(1,)"), "8"))->type(), ElementType::Float8E5M2);
  const auto unknown = read(npy_file(dictionary("<V1", "(1,)"), "8"));
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::Unsupported);
}

TEST(Npy, PacksOneBytePerElementWhereAPackedTypeIsWanted) {
  const std::string file = npy_file(dictionary("<V1", "(3,)"), {'\x0f', '\xf8', '\7'});
  EXPECT_THAT(unpack_int4(read(file, ElementType::Int4)->bytes(), 3), ElementsAre(-1, -8, 7));
  const auto too_large = read(npy_file(dictionary("|i1", "(1,)"), "\x09"), ElementType::Int4);
  ASSERT_FALSE(too_large);
  EXPECT_THAT(too_large.error().what, HasSubstr("9 does not fit int4"));
}

TEST(Npy, AcceptsTheLongIntegersOfPython2) {
  EXPECT_EQ(read(npy_file(dictionary("|u1", "(1L, 2L)"), "ab"))->shape(), (Shape{1, 2}));
}

TEST(Npy, NamesBothLengthsWhenDataIsMissing) {
  const auto cut = read(npy_file(dictionary("<f4", "(2, 2)"), "1234567"));
  ASSERT_FALSE(cut);
  EXPECT_EQ(cut.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(cut.error().what, "the .npy file has 7 bytes of data, `<f4` [2,2] takes 16");
  EXPECT_THAT(cut.error().hint, HasSubstr("cut short"));
}

TEST(Npy, RefusesBytesBehindTheArray) { EXPECT_FALSE(read(npy_file(dictionary("|u1", "(1,)"), "ab"))); }

TEST(Npy, RefusesAShapeThatOverflows) {
  const auto huge = read(npy_file(dictionary("<f8", "(9223372036854775807, 9)"), ""));
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().code, ErrorCode::InvalidInput);
}

TEST(Npy, SaysWhatItCannotRead) {
  const std::string structured = "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }";
  for (const std::string& header :
       {structured, dictionary("|O", "(1,)"), dictionary("<M8[ns]", "(1,)"), dictionary("<f16", "(0,)")}) {
    const auto refused = read(npy_file(header, ""));
    ASSERT_FALSE(refused) << header;
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported) << header;
    EXPECT_FALSE(refused.error().hint.empty());
  }
  EXPECT_EQ(read(npy_file(dictionary("|u1", "(1,)"), "a", '\4')).error().code, ErrorCode::Unsupported);
}

TEST(Npy, RefusesEveryMalformedHeader) {
  for (const char* header :
       {"", "{", "{}", "{'descr': '<f4'}", "{'descr': '<f4', 'fortran_order': Maybe, 'shape': ()}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 3}",
        "{'descr': '<', 'fortran_order': False, 'shape': ()}",
        "{'descr': '<f4', 'other': False, 'shape': ()}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': ()}"}) {
    const auto refused = read(npy_file(header, "1234"));
    ASSERT_FALSE(refused) << header;
    EXPECT_EQ(refused.error().code, ErrorCode::InvalidInput) << header;
  }
}

TEST(Npy, RefusesAStringWithWhatIsNoCharacter) {
  EXPECT_EQ(read(npy_file(dictionary("<U1", "(1,)"), {'\0', '\xd8', '\0', '\0'})).error().code,
            ErrorCode::InvalidInput);
}

TEST(Npy, RefusesEveryTruncation) {
  const std::string whole = *npy_bytes(*Tensor::of<float>({1, 2, 3, 4}, {2, 2}));
  ASSERT_TRUE(read(whole));
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(read(whole.substr(0, length))) << length;
}

TEST(Npy, SurvivesEveryChangedByte) {
  const std::string whole = *npy_bytes(*Tensor::of<std::string>({"ab", "c"}, {1, 2}));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int value = 0; value < 256; value += 5) {
      std::string changed = whole;
      changed[at] = static_cast<char>(value);
      const auto tensor = read(changed);
      if (tensor && tensor->type() == ElementType::String) {
        EXPECT_EQ(tensor->strings().size(), element_count(tensor->shape()));
      }
    }
  }
}

}  // namespace
}  // namespace surefoot::cli
