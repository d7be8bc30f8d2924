#include "apps/cli/input/image.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "apps/cli/input/numbers.hpp"
#include "apps/cli/input/pixels.hpp"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wunused-function"
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb/stb_image_write.h>
#pragma GCC diagnostic pop

namespace surefoot::cli {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;

using Bytes = std::vector<std::byte>;

void append(void* to, void* data, int size) {
  const auto* bytes = static_cast<const std::byte*>(data);
  static_cast<Bytes*>(to)->insert(static_cast<Bytes*>(to)->end(), bytes, bytes + size);
}

Bytes png(int width, int height, int channels, const std::vector<std::uint8_t>& pixels) {
  Bytes bytes;
  stbi_write_png_to_func(append, &bytes, width, height, channels, pixels.data(), width * channels);
  return bytes;
}

Bytes jpeg(int width, int height) {
  Bytes bytes;
  const std::vector<std::uint8_t> pixels(static_cast<std::size_t>(width * height * 3), 120);
  stbi_write_jpg_to_func(append, &bytes, width, height, 3, pixels.data(), 90);
  return bytes;
}

/// Two pixels side by side: (10,20,30) and (40,50,60).
Bytes two_pixels() { return png(2, 1, 3, {10, 20, 30, 40, 50, 60}); }

ValueType declared(ElementType element, std::vector<Dimension> shape) {
  return {.element = element, .shape = std::move(shape)};
}

Result<Tensor> read(const Bytes& bytes, const ValueType& type, std::string options = "") {
  std::string target;
  return read_image(bytes, *SpecOptions::split("image" + (options.empty() ? "" : "," + options), target),
                    type);
}

std::vector<double> numbers(const Result<Tensor>& tensor) {
  EXPECT_TRUE(tensor) << tensor.error().what;
  std::vector<double> made;
  for (const Number& number : numbers_of(*tensor)) made.push_back(to_double(number));
  return made;
}

TEST(Image, IsPlanesOfFractionsForAFloatModel) {
  const auto tensor = read(two_pixels(), declared(ElementType::Float32, {{1}, {3}, {1}, {2}}));
  EXPECT_EQ(tensor->shape(), (Shape{1, 3, 1, 2}));
  EXPECT_THAT(*tensor->as<float>(), ElementsAre(FloatNear(10 / 255.F, 1e-6F), FloatNear(40 / 255.F, 1e-6F),
                                                FloatNear(20 / 255.F, 1e-6F), FloatNear(50 / 255.F, 1e-6F),
                                                FloatNear(30 / 255.F, 1e-6F), FloatNear(60 / 255.F, 1e-6F)));
}

TEST(Image, IsBytesPixelByPixelForAnIntegerModel) {
  const auto tensor = read(two_pixels(), declared(ElementType::UInt8, {{-1, "n"}, {-1}, {-1}, {3}}));
  EXPECT_EQ(tensor->shape(), (Shape{1, 1, 2, 3}));
  EXPECT_THAT(numbers(tensor), ElementsAre(10, 20, 30, 40, 50, 60));
}

struct LayoutCase {
  std::vector<Dimension> shape;
  Shape wanted;
};

TEST(Image, TakesItsLayoutFromTheDeclaredShape) {
  const LayoutCase cases[] = {
      {{{-1}, {3}, {-1}, {-1}}, {1, 3, 1, 2}},
      {{{-1}, {-1}, {-1}, {3}}, {1, 1, 2, 3}},
      {{{-1}, {-1}, {-1}, {-1}}, {1, 3, 1, 2}},
      {{{-1}, {1}, {-1}, {-1}}, {1, 1, 1, 2}},
      {{{3}, {-1}, {-1}}, {3, 1, 2}},
      {{{-1}, {-1}, {3}}, {1, 2, 3}},
      {{{-1}, {-1}, {-1}}, {1, 1, 2}},
      {{{-1}, {-1}}, {1, 2}},
      {{{-1}, {64}}, {1, 64}},
      {{{64}}, {64}},
      {{{1}, {1}, {8}, {8}}, {1, 1, 8, 8}},
      {{{-1}, {4}, {-1}, {-1}}, {1, 4, 1, 2}},
  };
  for (const LayoutCase& c : cases) {
    const auto tensor = read(two_pixels(), declared(ElementType::Float32, c.shape));
    ASSERT_TRUE(tensor) << tensor.error().what;
    EXPECT_EQ(tensor->shape(), c.wanted) << to_string(declared(ElementType::Float32, c.shape));
  }
}

TEST(Image, IsNchwWhereNothingIsDeclared) {
  EXPECT_EQ(read(two_pixels(), ValueType())->shape(), (Shape{1, 3, 1, 2}));
}

TEST(Image, FlattensRowByRow) {
  const Bytes grey = png(2, 2, 1, {1, 2, 3, 4});
  EXPECT_THAT(numbers(read(grey, declared(ElementType::UInt8, {{-1}, {4}}))), ElementsAre(1, 2, 3, 4));
}

TEST(Image, AppliesScaleMeanAndDeviationInThisOrder) {
  const auto tensor = read(two_pixels(), declared(ElementType::Float32, {{1}, {3}, {-1}, {-1}}),
                           "scale=1/10,mean=1:2:3,std=1;2;4");
  EXPECT_THAT(numbers(tensor), ElementsAre(0, 3, 0, 1.5, 0, 0.75));
}

TEST(Image, CountsMeanInTheOrderOfTheTensorsChannels) {
  const auto tensor = read(two_pixels(), declared(ElementType::Float32, {{1}, {3}, {-1}, {-1}}),
                           "order=bgr,scale=1,mean=30:20:10");
  EXPECT_THAT(numbers(tensor), ElementsAre(0, 30, 0, 30, 0, 30));
}

TEST(Image, FollowsAnExplicitLayoutAndChannels) {
  const ValueType type = declared(ElementType::UInt8, {{1}, {3}, {1}, {2}});
  EXPECT_EQ(read(two_pixels(), type, "layout=hwc")->shape(), (Shape{1, 2, 3}));
  EXPECT_EQ(read(two_pixels(), type, "channels=grey")->shape(), (Shape{1, 1, 1, 2}));
}

TEST(Image, DropsAlphaAndKeepsItWhenFourChannelsAreWanted) {
  const Bytes rgba = png(1, 1, 4, {1, 2, 3, 128});
  EXPECT_THAT(numbers(read(rgba, declared(ElementType::UInt8, {{1}, {-1}, {-1}, {3}}))),
              ElementsAre(1, 2, 3));
  EXPECT_THAT(numbers(read(rgba, declared(ElementType::UInt8, {{1}, {-1}, {-1}, {4}}))),
              ElementsAre(1, 2, 3, 128));
}

TEST(Image, IsStretchedToTheDeclaredSize) {
  const Bytes plain = png(4, 4, 1, std::vector<std::uint8_t>(16, 200));
  const auto tensor = read(plain, declared(ElementType::UInt8, {{1}, {1}, {2}, {6}}));
  EXPECT_EQ(tensor->shape(), (Shape{1, 1, 2, 6}));
  EXPECT_THAT(numbers(tensor), testing::Each(200));
}

TEST(Image, IsStretchedToAnExplicitSizeOfWidthTimesHeight) {
  EXPECT_EQ(read(two_pixels(), declared(ElementType::Float32, {{1}, {3}, {-1}, {-1}}), "size=5x4")->shape(),
            (Shape{1, 3, 4, 5}));
}

TEST(Image, RefusesAValueThatTheTypeCannotHold) {
  const auto refused = read(two_pixels(), declared(ElementType::UInt8, {{1}, {-1}, {-1}, {3}}), "scale=10");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidInput);
  EXPECT_THAT(refused.error().what, HasSubstr("300 does not fit uint8"));
}

TEST(Image, FillsSmallFloats) {
  const auto tensor = read(two_pixels(), declared(ElementType::Float16, {{1}, {-1}, {-1}, {3}}), "scale=1");
  EXPECT_EQ(static_cast<float>((*tensor->as<Float16>())[5]), 60.F);
}

TEST(Image, RefusesBadOptions) {
  const ValueType type = declared(ElementType::Float32, {{1}, {3}, {-1}, {-1}});
  for (const char* option : {"layout=nhcw", "size=5", "size=0x4", "size=99999999x1", "channels=2",
                             "order=gbr", "scale=x", "mean=1:2", "std=0", "shape=1x2"}) {
    const auto refused = read(two_pixels(), type, option);
    ASSERT_FALSE(refused) << option;
    EXPECT_EQ(refused.error().code, ErrorCode::InvalidArgument) << option;
  }
  EXPECT_EQ(read(two_pixels(), type, "layout=nhcw").error().hint, "did you mean `nchw`?");
}

TEST(Image, RefusesADeclaredShapeWithoutPlaceForIt) {
  EXPECT_THAT(read(two_pixels(), declared(ElementType::Float32, {{1}, {1}, {1}, {1}, {1}})).error().what,
              HasSubstr("no place"));
  EXPECT_THAT(
      read(two_pixels(), declared(ElementType::Float32, {{1}, {7}, {1}, {1}}), "layout=nchw").error().what,
      HasSubstr("7 channels"));
  EXPECT_EQ(read(two_pixels(), declared(ElementType::String, {})).error().code, ErrorCode::Unsupported);
}

TEST(Image, IsKnownByItsFirstBytes) {
  EXPECT_TRUE(is_image(two_pixels()));
  EXPECT_TRUE(is_image(jpeg(2, 2)));
  EXPECT_FALSE(is_image({}));
}

TEST(Image, RefusesAJpegWhoseHuffmanTableHasTooManyCodes) {
  Bytes bytes = jpeg(9, 9);
  const std::byte mark[] = {std::byte{0xff}, std::byte{0xc4}};
  const auto table = std::search(bytes.begin(), bytes.end(), std::begin(mark), std::end(mark));
  ASSERT_NE(table, bytes.end());
  std::fill_n(table + 5, 16, std::byte{0xff});
  const auto refused = decode_image(bytes, 3);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("too many codes"));
}

TEST(Image, SurvivesEveryTruncation) {
  for (const Bytes& whole : {png(5, 4, 3, std::vector<std::uint8_t>(60, 9)), jpeg(9, 9)}) {
    for (std::size_t length = 0; length < whole.size(); ++length) {
      const auto pixels = decode_image(std::span(whole).first(length), 3);
      if (pixels) {
        EXPECT_EQ(pixels->bytes.size(), static_cast<std::size_t>(pixels->width * pixels->height * 3));
      }
    }
    EXPECT_TRUE(decode_image(whole, 3));
  }
}

TEST(Image, SurvivesEveryChangedByte) {
  for (const Bytes& whole : {png(5, 4, 3, std::vector<std::uint8_t>(60, 9)), jpeg(9, 9)}) {
    for (std::size_t at = 0; at < whole.size(); ++at) {
      Bytes changed = whole;
      changed[at] ^= std::byte{0xff};
      const auto pixels = decode_image(changed, 1);
      if (pixels) {
        EXPECT_GE(pixels->width, 1);
      }
    }
  }
}

}  // namespace
}  // namespace surefoot::cli
