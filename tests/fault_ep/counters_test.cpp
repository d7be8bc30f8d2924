#include "counters.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace surefoot::fault_ep {
namespace {

TEST(Counters, CountEachStageApart) {
  reset_counters();
  count_pass(Stage::create);
  count_pass(Stage::run);
  count_pass(Stage::run);
  EXPECT_EQ(passes_of(Stage::create), 1);
  EXPECT_EQ(passes_of(Stage::run), 2);
  EXPECT_EQ(passes_of(Stage::compile), 0);
}

TEST(Counters, ForgetOnRequest) {
  count_pass(Stage::run);
  { const RunInProgress run; }
  reset_counters();
  EXPECT_EQ(passes_of(Stage::run), 0);
  EXPECT_EQ(most_runs_at_once(), 0);
}

TEST(Counters, KnowRunsThatOverlap) {
  reset_counters();
  {
    const RunInProgress outer;
    std::thread([] { const RunInProgress inner; }).join();
  }
  const RunInProgress later;
  EXPECT_EQ(most_runs_at_once(), 2);
}

TEST(Counters, CallRunsOneAfterAnotherOne) {
  reset_counters();
  for (int i = 0; i < 3; ++i) const RunInProgress run;
  EXPECT_EQ(most_runs_at_once(), 1);
}

}  // namespace
}  // namespace surefoot::fault_ep
