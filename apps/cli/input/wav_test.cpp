#include "apps/cli/input/wav.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace surefoot::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

void put(std::string& to, std::uint32_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i) & 0xff);
}

/// A WAV file of 16-bit samples, interleaved.
std::string wav(const std::vector<std::int16_t>& samples, std::uint32_t channels = 1,
                std::uint32_t rate = 16000) {
  const auto size = static_cast<std::uint32_t>(samples.size() * 2);
  std::string file = "RIFF";
  put(file, 36 + size, 4);
  file += "WAVEfmt ";
  put(file, 16, 4);
  put(file, 1, 2);
  put(file, channels, 2);
  put(file, rate, 4);
  put(file, rate * channels * 2, 4);
  put(file, channels * 2, 2);
  put(file, 16, 2);
  file += "data";
  put(file, size, 4);
  for (std::int16_t sample : samples) put(file, static_cast<std::uint16_t>(sample), 2);
  return file;
}

ValueType declared(ElementType element, std::size_t rank) {
  return {.element = element, .shape = std::vector<Dimension>(rank)};
}

Result<Tensor> read(const std::string& file, const ValueType& type, const std::string& options = "") {
  std::string target;
  return read_sound(std::as_bytes(std::span(file)), *SpecOptions::split("sound" + options, target), type);
}

TEST(Sound, BecomesFractionsOfFullScale) {
  const auto tensor = read(wav({0, 16384, -32768}), declared(ElementType::Float32, 2));
  ASSERT_TRUE(tensor) << tensor.error().what;
  EXPECT_EQ(tensor->shape(), (Shape{1, 3}));
  EXPECT_THAT(*tensor->as<float>(), ElementsAre(0, 0.5F, -1));
}

TEST(Sound, KeepsItsSamplesForAnInt16Model) {
  EXPECT_THAT(*read(wav({1, -2, 32767}), declared(ElementType::Int16, 1))->as<std::int16_t>(),
              ElementsAre(1, -2, 32767));
}

TEST(Sound, HasAsManyAxesAsDeclared) {
  EXPECT_EQ(read(wav({1, 2}), declared(ElementType::Float32, 1))->shape(), Shape{2});
  EXPECT_EQ(read(wav({1, 2}), declared(ElementType::Float32, 3))->shape(), (Shape{1, 1, 2}));
  EXPECT_EQ(read(wav({1, 2}), ValueType{.element = ElementType::Float32})->shape(), (Shape{1, 2}));
}

TEST(Sound, FillsSmallFloats) {
  EXPECT_EQ(static_cast<float>((*read(wav({16384}), declared(ElementType::Float16, 1))->as<Float16>())[0]),
            0.5F);
}

TEST(Sound, WithSeveralChannelsAsksForOne) {
  const std::string stereo = wav({1, 2, 3, 4}, 2);
  const auto refused = read(stereo, declared(ElementType::Int16, 1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidInput);
  EXPECT_THAT(refused.error().what, HasSubstr("2 channels"));
  EXPECT_THAT(refused.error().hint, HasSubstr("channel=0"));
  EXPECT_THAT(*read(stereo, declared(ElementType::Int16, 1), ",channel=1")->as<std::int16_t>(),
              ElementsAre(2, 4));
  EXPECT_FALSE(read(stereo, declared(ElementType::Int16, 1), ",channel=2"));
}

TEST(Sound, ChecksTheRateWhenOneIsGiven) {
  EXPECT_TRUE(read(wav({1}), declared(ElementType::Float32, 1), ",rate=16000"));
  const auto refused = read(wav({1}, 1, 44100), declared(ElementType::Float32, 1), ",rate=16000");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().what, "the sound file has 44100 samples a second, 16000 are wanted");
}

TEST(Sound, RefusesOtherTypesAndOptions) {
  EXPECT_EQ(read(wav({1}), declared(ElementType::Int64, 1)).error().code, ErrorCode::Unsupported);
  EXPECT_EQ(read(wav({1}), declared(ElementType::Float32, 1), ",rat=1").error().hint, "did you mean `rate`?");
}

TEST(Sound, IsKnownByItsFirstBytes) {
  const std::string file = wav({1});
  EXPECT_TRUE(is_sound(std::as_bytes(std::span(file))));
  const std::string other = "RIFF....AVI ";
  EXPECT_FALSE(is_sound(std::as_bytes(std::span(other))));
  EXPECT_FALSE(is_sound({}));
}

TEST(Sound, SurvivesEveryTruncation) {
  const std::string whole = wav({1, 2, 3, 4, 5});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto tensor = read(whole.substr(0, length), declared(ElementType::Int16, 1));
    if (tensor) {
      EXPECT_LE(tensor->bytes().size(), 10U);
    }
  }
}

TEST(Sound, SurvivesEveryChangedByte) {
  const std::string whole = wav({1, 2, 3, 4, 5});
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (int value : {0, 1, 0x7f, 0x80, 0xff}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(value);
      const auto tensor = read(changed, declared(ElementType::Float32, 1), ",channel=0");
      if (tensor) {
        EXPECT_LE(tensor->bytes().size(), 4 * whole.size());
      }
    }
  }
}

}  // namespace
}  // namespace surefoot::cli
