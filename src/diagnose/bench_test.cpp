#include "surefoot/bench.hpp"

#include <gmock/gmock.h>

#include <numeric>

#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::HasSubstr;
using ::testing::SizeIs;

TEST(LatencyOf, GivesTimesThatWereMeasured) {
  std::vector<double> times(100);
  std::iota(times.rbegin(), times.rend(), 1.0);
  const Latency latency = latency_of(times);
  EXPECT_EQ(latency.runs, 100U);
  EXPECT_EQ(latency.least, 1);
  EXPECT_EQ(latency.p50, 50);
  EXPECT_EQ(latency.p90, 90);
  EXPECT_EQ(latency.p99, 99);
  EXPECT_EQ(latency.most, 100);
  EXPECT_EQ(latency.mean, 50.5);
  EXPECT_EQ(latency.p50_from, 41);  // the ranks of the usual table for n = 100 are 40 and 61
  EXPECT_EQ(latency.p50_to, 61);
}

TEST(LatencyOf, IsSureOfNothingAfterOneRun) {
  const Latency latency = latency_of({7});
  EXPECT_EQ(latency.p50_from, 7);
  EXPECT_EQ(latency.p50_to, 7);
  EXPECT_EQ(latency_of({}).runs, 0U);
}

struct Bench : tests::SessionTest {
  std::vector<float> row{1, 2, 3};
  Shape shape{1, 3};
  std::vector<Input> inputs{{"x", TensorView::of<float>(row, shape)}};
};

TEST_F(Bench, TimesSeveralWaysForAboutTheSameTime) {
  const auto model = folder.write("m.onnx", tests::dense_model());
  SessionOptions plain = options();
  plain.optimization = OptimizationLevel::Disabled;
  const std::vector<BenchSubject> subjects{{"all", model, options()}, {"none", model, plain}};
  const auto results = bench(subjects, inputs, {.time = std::chrono::milliseconds(50), .callers = {2}});
  ASSERT_TRUE(results) << to_string(results.error());
  ASSERT_THAT(*results, SizeIs(2));
  for (const BenchResult& result : *results) {
    EXPECT_EQ(result.provider, "cpu");
    EXPECT_GT(result.latency.runs, 10U);
    EXPECT_THAT(result.times, SizeIs(result.latency.runs));
    EXPECT_LE(result.latency.least, result.latency.p50);
    EXPECT_LE(result.latency.p50_from, result.latency.p50_to);
    EXPECT_GT(result.load.count(), 0);
    ASSERT_THAT(result.throughput, SizeIs(1));
    EXPECT_GT(result.throughput[0].per_second, 1);
    EXPECT_GE(result.warm_up_runs, 10U);
  }
}

TEST(BenchCallers, AreRefusedInNumbersThatCannotBe) {
  for (const int callers : {0, -3, kMostThreads + 1}) {
    const BenchOptions wanted{.callers = std::vector<int>{callers}};
    const auto results = bench(std::vector<BenchSubject>{{.name = "all"}}, {}, wanted);
    ASSERT_FALSE(results);
    EXPECT_EQ(results.error().code, ErrorCode::InvalidArgument);
    EXPECT_THAT(results.error().what, HasSubstr(std::to_string(callers) + " callers"));
  }
}

TEST_F(Bench, TimesPreparedRuns) {
  const auto model = folder.write("m.onnx", tests::dense_model());
  const std::vector<BenchSubject> subjects = {
      {.name = "bound", .model = model, .options = options(), .prepared = true}};
  const auto results = bench(subjects, inputs, {.time = std::chrono::milliseconds(20), .callers = {2}});
  ASSERT_TRUE(results) << to_string(results.error());
  EXPECT_GT(results->front().latency.runs, 0U);
  EXPECT_GT(results->front().throughput.front().per_second, 0);
  std::vector<float> wrong{1, 2};
  Shape other{1, 2};
  const std::vector<Input> misfit{{"x", TensorView::of<float>(wrong, other)}};
  EXPECT_THAT(to_string(bench(subjects, misfit).error()), HasSubstr("timing `bound`"));
}

TEST_F(Bench, NamesTheOneThatDoesNotOpen) {
  const std::vector<BenchSubject> subjects{{"nothing", "/nowhere/m.onnx", options()}};
  const auto results = bench(subjects, inputs);
  ASSERT_FALSE(results);
  EXPECT_THAT(to_string(results.error()), HasSubstr("timing `nothing`"));
}

}  // namespace
}  // namespace surefoot
