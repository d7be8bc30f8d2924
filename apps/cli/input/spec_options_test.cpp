#include "apps/cli/input/spec_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apps/cli/input/shape_text.hpp"

namespace surefoot::cli {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;

SpecOptions options(std::string_view text) {
  std::string target;
  return *SpecOptions::split(text, target);
}

TEST(SpecOptions, AreTakenOffTheEnd) {
  std::string target;
  const auto taken = SpecOptions::split("cat.png,layout=nchw,scale=1/255", target);
  ASSERT_TRUE(taken);
  EXPECT_EQ(target, "cat.png");
  EXPECT_EQ(taken->find("layout"), "nchw");
  EXPECT_EQ(taken->find("scale"), "1/255");
  EXPECT_FALSE(taken->has("mean"));
}

TEST(SpecOptions, LeaveCommasAndEqualsOfAFileNameAlone) {
  std::string target;
  EXPECT_TRUE(SpecOptions::split("a,b=c,d.png,size=1x1", target)->has("size"));
  EXPECT_EQ(target, "a,b=c,d.png");
  EXPECT_TRUE(SpecOptions::split("a,B=1", target));
  EXPECT_EQ(target, "a,B=1");
}

TEST(SpecOptions, MayNotBeGivenTwice) {
  std::string target;
  const auto twice = SpecOptions::split("a,size=1x1,size=2x2", target);
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().what, "option `size` is given twice");
}

TEST(SpecOptions, NameTheNearestWhenOneIsUnknown) {
  constexpr std::string_view kKnown[] = {"layout", "size"};
  const auto unknown = options("a,layuot=nchw").check_known("an image", kKnown);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(unknown.error().what, "an image takes no option `layuot`");
  EXPECT_EQ(unknown.error().hint, "did you mean `layout`?");
}

TEST(SpecOptions, ReadFractionsAndLists) {
  EXPECT_THAT(*options("a,scale=1/255").number("scale", 1), DoubleEq(1.0 / 255));
  EXPECT_THAT(*options("a").number("scale", 7), DoubleEq(7));
  EXPECT_THAT(*options("a,mean=0.5;1/4:-2").numbers("mean"), ElementsAre(0.5, 0.25, -2));
  EXPECT_THAT(*options("a").numbers("mean"), ElementsAre());
}

TEST(SpecOptions, RefuseWhatIsNoNumber) {
  for (const char* text :
       {"a,scale=", "a,scale=x", "a,scale=1/0", "a,scale=1/", "a,scale=nan", "a,scale=1/2/3"}) {
    const auto refused = options(text).number("scale", 1);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::InvalidArgument);
  }
  EXPECT_FALSE(options("a,mean=1::2").numbers("mean"));
  EXPECT_FALSE(options("a,seed=-1").whole_number("seed"));
  EXPECT_FALSE(options("a,seed=1.5").whole_number("seed"));
  EXPECT_EQ(*options("a,seed=9").whole_number("seed"), 9U);
}

TEST(ShapeText, ReadsSizes) {
  EXPECT_EQ(*shape_from_text("1x3x224"), (Shape{1, 3, 224}));
  EXPECT_EQ(*shape_from_text("scalar"), Shape{});
  EXPECT_EQ(shape_to_text(Shape{1, 3}), "1x3");
  EXPECT_EQ(shape_to_text(Shape{}), "scalar");
}

TEST(ShapeText, RefusesAnythingElseWithAnExample) {
  for (const char* text : {"", "x", "1x", "1xx2", "-1x2", "1,2", "1x2 "}) {
    const auto refused = shape_from_text(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_THAT(refused.error().hint, HasSubstr("1x3x224x224"));
  }
}

TEST(DeclaredShape, NamesItsFreeAxesAndAnExample) {
  ValueType type{.element = ElementType::Float32};
  EXPECT_FALSE(fixed_shape(type));
  type.shape = {{-1, "batch"}, {3}, {-1}, {224}};
  EXPECT_FALSE(fixed_shape(type));
  EXPECT_EQ(free_axes(type), "`batch`, axis 2");
  EXPECT_EQ(example_shape(type), "1x3x224x224");
  type.shape = {{2}, {3}};
  EXPECT_EQ(fixed_shape(type), (Shape{2, 3}));
}

}  // namespace
}  // namespace surefoot::cli
