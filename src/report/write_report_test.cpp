#include <iterator>

#include "surefoot/report.hpp"
#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string text_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

struct WriteReport : tests::SessionTest {
  ReportRequest request() {
    return {.model = folder.write("m.onnx", tests::dense_model()),
            .options = options(),
            .inputs = inputs,
            .runs = 1,
            .time = std::chrono::milliseconds(5),
            .on_step = [this](ReportStep) { ++steps; }};
  }
  std::vector<float> row{1, 2, 3};
  Shape shape{1, 3};
  std::vector<Input> inputs{{"x", TensorView::of<float>(row, shape)}};
  int steps = 0;
};

TEST_F(WriteReport, WritesThePageOfTheReportThatItGives) {
  const auto report = write_report(request(), folder / "r.html");
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(text_of(folder / "r.html"), to_html(*report));
}

TEST_F(WriteReport, KeepsAFileThatIsThereAndMeasuresNothing) {
  folder.write("r.html", "mine");
  const auto report = write_report(request(), folder / "r.html");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(report.error().what, HasSubstr("r.html` exists already"));
  EXPECT_EQ(text_of(folder / "r.html"), "mine");
  EXPECT_EQ(steps, 0);
}

TEST_F(WriteReport, ReplacesItWhereThatIsWanted) {
  folder.write("r.html", "mine");
  ASSERT_TRUE(write_report(request(), folder / "r.html", ExistingFile::Replace));
  EXPECT_THAT(text_of(folder / "r.html"), StartsWith("<!doctype html>"));
}

TEST_F(WriteReport, NeverReplacesTheModel) {
  const auto report = write_report(request(), folder / "m.onnx", ExistingFile::Replace);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(report.error().what, HasSubstr("is the model itself"));
  EXPECT_EQ(text_of(folder / "m.onnx"), tests::dense_model());
}

TEST_F(WriteReport, LeavesTheOldFileWhereMeasuringFails) {
  folder.write("r.html", "mine");
  auto wrong = request();
  wrong.inputs = {};
  EXPECT_FALSE(write_report(wrong, folder / "r.html", ExistingFile::Replace));
  EXPECT_EQ(text_of(folder / "r.html"), "mine");
  EXPECT_FALSE(write_report(wrong, folder / "new.html"));
  EXPECT_FALSE(std::filesystem::exists(folder / "new.html"));
}

TEST_F(WriteReport, AFolderThatIsMissingIsAnErrorBeforeAnythingIsMeasured) {
  const auto report = write_report(request(), folder / "none" / "r.html");
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::IoFailed);
  EXPECT_EQ(steps, 0);
}

}  // namespace
}  // namespace surefoot
