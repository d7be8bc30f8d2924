#include "error/suggest.hpp"

#include <gtest/gtest.h>

namespace surefoot {
namespace {

using Names = std::vector<std::string>;
const Names kNames = {"device_id", "device_type", "gpu_mem_limit", "cuda"};

TEST(Nearest, FindsOneEditOfEachKind) {
  EXPECT_EQ(nearest("device_ids", kNames), "device_id");     // one too many
  EXPECT_EQ(nearest("devce_type", kNames), "device_type");   // one missing
  EXPECT_EQ(nearest("devise_type", kNames), "device_type");  // one wrong
  EXPECT_EQ(nearest("deivce_type", kNames), "device_type");  // two swapped
  EXPECT_EQ(nearest("cdua", kNames), "cuda");
}

TEST(Nearest, CountsASwapAsOneEditOnly) {
  // Two edits would be too many for names this short.
  EXPECT_EQ(nearest("ba", Names{"ab"}), "ab");
  EXPECT_EQ(nearest("xy", Names{"ab"}), "");
}

TEST(Nearest, IgnoresCase) { EXPECT_EQ(nearest("CUDA", kNames), "cuda"); }

TEST(Nearest, PrefersTheNearerOfTwo) {
  EXPECT_EQ(nearest("device_idd", Names{"device_xdx", "device_id"}), "device_id");
  EXPECT_EQ(nearest("abcx", Names{"abcd", "abce"}), "abcd") << "the first of equals";
}

TEST(Nearest, IsEmptyWhenMoreThanAThirdDiffers) {
  EXPECT_EQ(nearest("banana", kNames), "");
  EXPECT_EQ(nearest("", kNames), "");
  EXPECT_EQ(nearest("cuda", Names{}), "");
  EXPECT_EQ(nearest("abcdefxxx", Names{"abcdefghi"}), "abcdefghi") << "exactly a third";
  EXPECT_EQ(nearest("abcdexxxx", Names{"abcdefghi"}), "");
}

TEST(Nearest, TakesViewsToo) {
  const std::vector<std::string_view> views = {"height", "width"};
  EXPECT_EQ(nearest("widht", views), "width");
}

TEST(Suggestion, NamesTheNearest) {
  EXPECT_EQ(suggestion("devise_type", kNames), "did you mean `device_type`?");
}

TEST(Suggestion, ListsAShortListWhenNothingIsNear) {
  EXPECT_EQ(suggestion("banana", Names{"x", "y"}), "known are `x`, `y`");
}

TEST(Suggestion, IsEmptyWhenTheListIsLongOrThereIsNone) {
  EXPECT_EQ(suggestion("banana", Names{}), "");
  const Names eight = {"n1", "n2", "n3", "n4", "n5", "n6", "n7", "n8"};
  Names nine = eight;
  nine.push_back("n9");
  EXPECT_NE(suggestion("banana", eight), "");
  EXPECT_EQ(suggestion("banana", nine), "");
}

}  // namespace
}  // namespace surefoot
