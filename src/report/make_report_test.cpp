#include "surefoot/report.hpp"
#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct MakeReport : tests::SessionTest {
  ReportRequest request() const {
    return {.model = folder.write("m.onnx", tests::dense_model()),
            .options = options(),
            .inputs = inputs,
            .runs = 3,
            .time = std::chrono::milliseconds(20)};
  }
  std::vector<float> row{1, 2, 3};
  Shape shape{1, 3};
  std::vector<Input> inputs{{"x", TensorView::of<float>(row, shape)}};
};

TEST_F(MakeReport, MeasuresEveryPartOnTheCpu) {
  const auto report = make_report(request());
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->provider, "cpu");
  EXPECT_FALSE(report->candidates.empty());
  EXPECT_EQ(report->model.node_count, 3U);
  EXPECT_EQ(report->profile.runs, 3U);
  ASSERT_THAT(report->latency, SizeIs(1));
  EXPECT_THAT(report->latency[0].times, SizeIs(report->latency[0].latency.runs));
  EXPECT_FALSE(report->comparison) << "the CPU is not compared with itself";
  EXPECT_FALSE(report->machine.architecture.empty());
  ASSERT_THAT(report->inputs, SizeIs(1));
  EXPECT_EQ(report->inputs[0].type, "float32[1,3]");
}

TEST_F(MakeReport, HasEveryNodeOfTheFileAndWhatRan) {
  const auto report = make_report(request());
  ASSERT_TRUE(report) << to_string(report.error());
  std::vector<std::string> ops;
  std::size_t ran = 0;
  for (const ReportNode& node : report->nodes) {
    if (node.in_model) ops.push_back(node.op);
    if (node.calls > 0) ++ran;
  }
  EXPECT_THAT(ops, ElementsAre("MatMul", "Add", "Relu"));
  EXPECT_EQ(ran, report->profile.nodes.size());
}

TEST_F(MakeReport, SaysItsSteps) {
  auto wanted = request();
  std::vector<ReportStep> steps;
  wanted.on_step = [&](ReportStep step) { steps.push_back(step); };
  ASSERT_TRUE(make_report(wanted));
  EXPECT_THAT(steps, ElementsAre(ReportStep::Profile, ReportStep::Bench, ReportStep::Machine));
}

TEST_F(MakeReport, LeavesNoTraceBehind) {
  const tests::TestFolder temporary;
  const char* before = std::getenv("TMPDIR");
  const std::string old = before == nullptr ? "" : before;
  ::setenv("TMPDIR", temporary.path().c_str(), 1);
  const auto good = make_report(request());
  auto wrong = request();
  wrong.inputs = {};
  const auto bad = make_report(wrong);
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", old.c_str(), 1);
  ASSERT_TRUE(good) << to_string(good.error());
  EXPECT_EQ(bad.error().code, ErrorCode::InvalidInput);
  const std::filesystem::directory_iterator files(temporary.path());
  EXPECT_THAT(std::vector(begin(files), end(files)), IsEmpty());
}

TEST_F(MakeReport, OfNoModelIsTheErrorOfInspect) {
  auto wanted = request();
  wanted.model = folder / "absent.onnx";
  const auto report = make_report(wanted);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace surefoot
