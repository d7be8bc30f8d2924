#include "surefoot/value.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace surefoot {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Tensor floats(std::initializer_list<float> data) {
  return *Tensor::of<float>(data, {static_cast<std::int64_t>(data.size())});
}

Value scores() { return Map{*Tensor::of<std::int64_t>({3, 5}, {2}), floats({0.25F, 0.75F})}; }

TEST(Value, KnowsItsKind) {
  EXPECT_EQ(Value().kind(), ValueKind::None);
  EXPECT_EQ(Value(floats({1})).kind(), ValueKind::Tensor);
  EXPECT_EQ(Value(Sequence{}).kind(), ValueKind::Sequence);
  EXPECT_EQ(scores().kind(), ValueKind::Map);
  EXPECT_EQ(to_string(ValueKind::Map), "map");
}

TEST(Value, GivesOnlyThePartThatItHolds) {
  const Value value = scores();
  EXPECT_NE(value.map(), nullptr);
  EXPECT_EQ(value.tensor(), nullptr);
  EXPECT_EQ(value.sequence(), nullptr);
}

TEST(Value, SaysWhichKindCameWhereATensorIsWanted) {
  const auto wrong = scores().as<float>();
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(wrong.error().what, HasSubstr("map"));
}

TEST(Value, ClonesAllTheWayDown) {
  Sequence sequence;
  sequence.items.push_back(scores());
  sequence.items.push_back(Value(floats({1, 2})));
  sequence.items.emplace_back();
  const Value copy = *Value(std::move(sequence)).clone();
  ASSERT_NE(copy.sequence(), nullptr);
  const auto& items = copy.sequence()->items;
  ASSERT_EQ(items.size(), 3U);
  EXPECT_THAT(*items[0].map()->keys.as<std::int64_t>(), ElementsAre(3, 5));
  EXPECT_THAT(*items[0].map()->values.as<float>(), ElementsAre(0.25F, 0.75F));
  EXPECT_THAT(*items[1].as<float>(), ElementsAre(1, 2));
  EXPECT_EQ(items[2].kind(), ValueKind::None);
}

TEST(Value, SharesNoMemoryWithItsClone) {
  Value value(floats({1}));
  const Value copy = *value.clone();
  value.tensor()->mutable_bytes()[3] = std::byte{0};
  EXPECT_THAT(*copy.as<float>(), ElementsAre(1));
}

}  // namespace
}  // namespace surefoot
