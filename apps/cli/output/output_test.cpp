#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "apps/cli/input/file_bytes.hpp"
#include "apps/cli/input/npz.hpp"
#include "apps/cli/output/save.hpp"
#include "apps/cli/output/top_k.hpp"
#include "apps/cli/output/value_text.hpp"

namespace surefoot::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Value floats(std::initializer_list<float> data, Shape shape) {
  return *Tensor::of<float>(data, std::move(shape));
}

Value scores() {
  return Map{*Tensor::of<std::int64_t>({3, 5}, {2}), *Tensor::of<float>({0.25F, 0.75F}, {2})};
}

TEST(ValueText, SummarisesATensor) {
  EXPECT_EQ(value_text(floats({1, 2, 6}, {1, 3})), "float32[1,3]  min 1  max 6  mean 3  [1 2 6]");
  EXPECT_EQ(value_text(floats({1, 2, 6}, {3}), 2), "float32[3]  min 1  max 6  mean 3  [1 2 …]");
  EXPECT_EQ(value_text(floats({0.5F}, {})), "float32[]  0.5");
  EXPECT_EQ(value_text(floats({}, {0, 4})), "float32[0,4]  []");
}

TEST(ValueText, CountsNanAndInfinitiesApart) {
  EXPECT_EQ(value_text(floats({1, kNan, std::numeric_limits<float>::infinity(), 3}, {4}), 0),
            "float32[4]  min 1  max 3  mean 2  NaN 1  infinite 1  […]");
}

TEST(ValueText, ShowsBoolsComplexNumbersAndStrings) {
  EXPECT_EQ(value_text(*Tensor::of<bool>({true, false}, {2})), "bool[2]  [true false]");
  EXPECT_EQ(value_text(*Tensor::of<std::complex<float>>({{1, -2}}, {1})), "complex64[1]  [1-2i]");
  EXPECT_EQ(value_text(*Tensor::of<std::string>({"a\x1b[2J\""}, {1})), R"(string[1]  ["a\x1b[2J\""])");
}

TEST(ValueText, ShowsBytesThatAreNoTextByTheirNumbers) {
  EXPECT_EQ(value_text(*Tensor::of<std::string>({"a\xff"}, {1})), R"(string[1]  ["a\xff"])");
}

TEST(ValueText, CutsLongStringsBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 61; ++i) text += "ü";
  EXPECT_EQ(value_text(*Tensor::of<std::string>({text}, {})), "string[]  \"" + text.substr(0, 120) + "…\"");
}

TEST(ValueText, ShowsTheStructureOfOtherValues) {
  Sequence sequence;
  sequence.items.push_back(scores());
  sequence.items.emplace_back();
  EXPECT_EQ(value_text(Value(std::move(sequence))),
            "sequence of 2\n"
            "  map(int64,float32[2])\n"
            "    keys    int64[2]  min 3  max 5  mean 4  [3 5]\n"
            "    values  float32[2]  min 0.25  max 0.75  mean 0.5  [0.25 0.75]\n"
            "  none");
}

std::vector<std::size_t> indices(const TopRow& row) {
  std::vector<std::size_t> made;
  for (const TopEntry& entry : row) made.push_back(entry.index);
  return made;
}

TEST(TopK, OrdersTheLastAxisOfEachRow) {
  const auto rows = *top_k(floats({1, 3, 2, 9, 7, 8}, {2, 3}), 2, {});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_THAT(indices(rows[0]), ElementsAre(1, 2));
  EXPECT_THAT(indices(rows[1]), ElementsAre(0, 2));
  EXPECT_EQ(rows[0][0].label, "1");
  EXPECT_EQ(rows[0][0].score, 3);
}

TEST(TopK, KeepsTheOrderOfEqualScoresAndPutsNanLast) {
  EXPECT_THAT(indices((*top_k(floats({kNan, 2, 2, kNan, 1}, {5}), 9, {}))[0]), ElementsAre(1, 2, 4, 0, 3));
}

TEST(TopK, UsesLabelsAndChecksTheirNumber) {
  EXPECT_EQ((*top_k(floats({1, 3}, {2}), 1, {"cat", "dog"}))[0][0].label, "dog");
  const auto refused = top_k(floats({1, 3}, {2}), 1, {"cat"});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("1 labels, the last axis of [2] has 2"));
}

TEST(TopK, NamesTheKeysOfMapsInASequence) {
  Sequence sequence;
  sequence.items.push_back(scores());
  sequence.items.push_back(scores());
  const auto rows = *top_k(Value(std::move(sequence)), 1, {});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1][0].label, "5");
}

TEST(TopK, RefusesWhatHasNoOrder) {
  EXPECT_FALSE(top_k(*Tensor::of<std::string>({"a"}, {1}), 1, {}));
  EXPECT_FALSE(top_k(Value(), 1, {}));
}

TEST(TopK, HasNoRowsWhereThereAreNoElements) {
  EXPECT_TRUE(top_k(floats({}, {0, 4}), 1, {})->empty());
  EXPECT_TRUE(top_k(floats({}, {4, 0}), 1, {})->empty());
}

TEST(TopK, AlignsItsText) {
  EXPECT_EQ(top_text({{"cat", 0, 0.75}, {"horse", 1, 0.25}}), "cat    0.75\nhorse  0.25");
}

class OutputFiles : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) / (std::string("output_") + test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  Result<std::vector<std::string>> labels(const std::string& content) {
    std::ofstream(folder_ / "labels") << content;
    return read_labels(folder_ / "labels");
  }
  std::filesystem::path folder_;
};

TEST_F(OutputFiles, LabelsAreLinesOrJson) {
  EXPECT_THAT(*labels("cat\r\n\ndog"), ElementsAre("cat", "", "dog"));
  EXPECT_THAT(*labels("[UNK]\n1\n"), ElementsAre("[UNK]", "1"));
  EXPECT_THAT(*labels(R"(["cat","dog"])"), ElementsAre("cat", "dog"));
  EXPECT_THAT(*labels(R"({"1":"dog","0":"cat"})"), ElementsAre("cat", "dog"));
}

TEST_F(OutputFiles, LabelsOfAnotherFormAreRefused) {
  for (const char* text : {"[1,2]", R"({"5":"a"})", R"({"a":"b"})", R"({"0":1})"}) {
    const auto refused = labels(text);
    ASSERT_FALSE(refused) << text;
    EXPECT_EQ(refused.error().code, ErrorCode::InvalidInput);
  }
  EXPECT_EQ(read_labels(folder_ / "none").error().code, ErrorCode::NotFound);
}

TEST_F(OutputFiles, SavedValuesAreNamedArrays) {
  std::vector<NamedValue> values;
  values.push_back({"t", floats({1}, {1})});
  Sequence sequence;
  sequence.items.push_back(scores());
  sequence.items.push_back(floats({2}, {1}));
  values.push_back({"s", Value(std::move(sequence))});
  values.push_back({"absent", Value()});
  ASSERT_TRUE(save_npz(folder_ / "out.npz", values));
  const auto bytes = *read_file(folder_ / "out.npz");
  EXPECT_THAT(*npz_names(bytes), ElementsAre("t", "s.0.keys", "s.0.values", "s.1"));
  EXPECT_THAT(*read_npz_member(bytes, "s.0.keys", ElementType::Int64)->as<std::int64_t>(), ElementsAre(3, 5));
}

}  // namespace
}  // namespace surefoot::cli
