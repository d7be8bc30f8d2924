#include "probe/verdict_store.hpp"

#include <gmock/gmock.h>

#include "tests/support/test_folder.hpp"

namespace surefoot::probe {
namespace {

using ::testing::ElementsAre;

TEST(VerdictStore, GivesBackWhatItWasGiven) {
  const tests::TestFolder folder;
  const auto store = VerdictStore::open(folder / "deep/probes").value();
  const ProbeVerdict verdict{.provider = "x",
                             .outcome = ProbeOutcome::WrongNumbers,
                             .what = "two\nlines and a \\ in it",
                             .stage = "running",
                             .devices = {"gpu A", "npu B"},
                             .elapsed = std::chrono::milliseconds(12)};
  ASSERT_TRUE(store.keep("abc", verdict));
  const auto found = store.find("abc");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outcome, ProbeOutcome::WrongNumbers);
  EXPECT_EQ(found->what, verdict.what);
  EXPECT_THAT(found->devices, ElementsAre("gpu A", "npu B"));
  EXPECT_EQ(found->elapsed, verdict.elapsed);
  EXPECT_TRUE(found->remembered);
}

TEST(VerdictStore, HasNothingForAnotherState) {
  const tests::TestFolder folder;
  const auto store = VerdictStore::open(folder.path()).value();
  ASSERT_TRUE(store.keep("abc", {.provider = "x"}));
  EXPECT_FALSE(store.find("abd"));
}

TEST(VerdictStore, DoesNotBelieveAFileWithoutAnOutcome) {
  const tests::TestFolder folder;
  const auto store = VerdictStore::open(folder.path()).value();
  folder.write("abc.txt", "provider x\noutcome perhaps\n\xff\xfe garbage");
  EXPECT_FALSE(store.find("abc"));
}

}  // namespace
}  // namespace surefoot::probe
