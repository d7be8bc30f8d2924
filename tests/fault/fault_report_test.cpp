// A report of a provider that computes wrong numbers, or fails.
#include "surefoot/report.hpp"
#include "tests/fault/fault_fixture.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot {
namespace {

using ::testing::SizeIs;

struct FaultReport : tests::FaultTest {
  ReportRequest request(const std::string& plan) const {
    return {.model = folder.write("m.onnx", dense),
            .options = tests::faulty_options(*runtime, plan),
            .inputs = inputs,
            .runs = 2,
            .time = std::chrono::milliseconds(10)};
  }
  std::vector<float> row{1, 2, 3};
  Shape shape{1, 3};
  std::vector<Input> inputs{{"x", TensorView::of<float>(row, shape)}};
  tests::TestFolder folder;
};

TEST_F(FaultReport, ComparesAnotherProviderWithTheCpuAndTimesBoth) {
  const auto report = make_report(request("run=wrong"));
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->provider, "faulty");
  ASSERT_TRUE(report->comparison);
  EXPECT_FALSE(report->comparison->within());
  ASSERT_THAT(report->latency, SizeIs(2));
  EXPECT_EQ(report->latency[0].provider, "faulty");
  EXPECT_EQ(report->latency[1].provider, "cpu");
}

TEST_F(FaultReport, KeepsTheEventOfAProviderThatFailedWhileRunning) {
  const auto report = make_report(request("run=fail"));
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->provider, "cpu");
  ASSERT_THAT(report->events, SizeIs(1));
  EXPECT_EQ(report->events[0].candidate, "faulty");
  EXPECT_EQ(report->events[0].stage, Stage::Run);
}

}  // namespace
}  // namespace surefoot
