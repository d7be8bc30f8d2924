#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "report/made_up_report.hpp"

namespace surefoot {
namespace {

using nlohmann::json;

json parsed(const Report& report) { return json::parse(to_json(report)); }

TEST(ReportJson, NamesItsSchemaAndTheModel) {
  const json document = parsed(reporting::made_up_report());
  EXPECT_EQ(document["schema"], "surefoot.report/1");
  EXPECT_EQ(document["model"]["path"], "model.onnx");
  EXPECT_EQ(document["made"], "1970-01-01T00:00:00Z");
}

TEST(ReportJson, HasEachCandidateWithItsReason) {
  const json plan = parsed(reporting::made_up_report())["plan"];
  EXPECT_EQ(plan["chosen"], "fast");
  ASSERT_EQ(plan["candidates"].size(), 3U);
  EXPECT_EQ(plan["candidates"][0]["verdict"], "rejected");
  EXPECT_EQ(plan["candidates"][0]["reason"]["what"], "`libcuda.so.1` cannot be opened");
  EXPECT_FALSE(plan["candidates"][1].contains("reason"));
}

TEST(ReportJson, GivesTheTimesOfOneRun) {
  const json document = parsed(reporting::made_up_report());
  EXPECT_EQ(document["profile"]["run_us"], 50);
  EXPECT_EQ(document["nodes"][0]["us"], 30);
  EXPECT_EQ(document["nodes"][0]["calls"], 1);
}

TEST(ReportJson, TellsNodesOfTheFileFromThoseOfOnnxRuntime) {
  const json nodes = parsed(reporting::made_up_report())["nodes"];
  EXPECT_EQ(nodes[0]["inputs"], json({"x", "w"}));
  EXPECT_EQ(nodes[1]["in_model"], false);
  EXPECT_FALSE(nodes[1].contains("inputs"));
}

TEST(ReportJson, HasAHistogramForEachProviderThatWasTimed) {
  const json latency = parsed(reporting::made_up_report())["latency"];
  ASSERT_EQ(latency.size(), 2U);
  std::size_t runs = latency[0]["histogram"]["beyond"];
  for (const std::size_t count : latency[0]["histogram"]["counts"]) runs += count;
  EXPECT_EQ(runs, 4U);
}

TEST(ReportJson, HasNoComparisonWhereTheCpuLeads) {
  Report report = reporting::made_up_report();
  EXPECT_EQ(parsed(report)["comparison"]["within"], false);
  report.comparison.reset();
  EXPECT_TRUE(parsed(report)["comparison"].is_null());
}

TEST(ReportJson, StaysJsonWhateverTheModelSays) {
  Report report = reporting::made_up_report();
  report.nodes[0].name = "\xff\"\\\n\x01";
  report.comparison->outputs[0].difference.max_relative = std::numeric_limits<double>::infinity();
  const json document = parsed(report);
  EXPECT_EQ(document["nodes"][0]["name"], "\xEF\xBF\xBD\"\\\n\x01");
  EXPECT_TRUE(document["comparison"]["outputs"][0]["max_relative"].is_null());
}

}  // namespace
}  // namespace surefoot
