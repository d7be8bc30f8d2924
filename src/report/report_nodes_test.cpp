#include "report/report_nodes.hpp"

#include <gmock/gmock.h>

namespace surefoot::reporting {
namespace {

using std::chrono::microseconds;
using ::testing::ElementsAre;
using ::testing::SizeIs;

onnx::GraphOutline outline_of(std::vector<onnx::NodeOutline> nodes) { return {.nodes = std::move(nodes)}; }

TEST(ReportNodes, JoinFileAndPlacementAndTimeByNameAndOperator) {
  const auto outline = outline_of({{.name = "a", .op = "Conv", .inputs = {"x", "w"}, .outputs = {"y"}}});
  const Placement placement{.nodes = {{"a", "Conv", "fast"}}};
  const ProfileSummary profile{
      .nodes = {{.name = "a", .op = "Conv", .provider = "fast", .calls = 3, .total = microseconds(9)}}};
  const auto nodes = report_nodes({outline, &placement, profile});
  ASSERT_THAT(nodes, SizeIs(1));
  EXPECT_TRUE(nodes[0].in_model);
  EXPECT_EQ(nodes[0].provider, "fast");
  EXPECT_EQ(nodes[0].calls, 3U);
  EXPECT_EQ(nodes[0].total, microseconds(9));
  EXPECT_THAT(nodes[0].inputs, ElementsAre("x", "w"));
}

TEST(ReportNodes, ThatOnnxRuntimeMadeComeLast) {
  const auto outline = outline_of({{.name = "a", .op = "Conv"}, {.name = "b", .op = "Relu"}});
  const Placement placement{.nodes = {{"a", "Conv", "cpu"}, {"b", "Relu", "cpu"}}};
  const ProfileSummary profile{
      .nodes = {{.name = "fused a", .op = "FusedConv", .provider = "cpu", .calls = 1}}};
  const auto nodes = report_nodes({outline, &placement, profile});
  ASSERT_THAT(nodes, SizeIs(3));
  EXPECT_EQ(nodes[0].provider, "cpu");
  EXPECT_EQ(nodes[0].calls, 0U);
  EXPECT_FALSE(nodes[2].in_model);
  EXPECT_EQ(nodes[2].calls, 1U);
}

TEST(ReportNodes, OfOneNameGetOneTimeEach) {
  const auto outline = outline_of({{.name = "n", .op = "Add"}, {.name = "n", .op = "Add"}});
  const ProfileSummary profile{.nodes = {{.name = "n", .op = "Add", .provider = "cpu", .calls = 1},
                                         {.name = "n", .op = "Add", .provider = "cpu", .calls = 2}}};
  const auto nodes = report_nodes({outline, nullptr, profile});
  ASSERT_THAT(nodes, SizeIs(2));
  EXPECT_EQ(nodes[0].calls + nodes[1].calls, 3U);
  EXPECT_GT(nodes[0].calls, 0U);
  EXPECT_GT(nodes[1].calls, 0U);
}

TEST(ReportNodes, WithoutANameAreCalledByOperatorAndPlace) {
  const auto outline = outline_of({{.op = "Add"}, {.op = "Gelu", .domain = "com.microsoft"}});
  const ProfileSummary profile{.nodes = {{.op = "Add", .provider = "cpu", .calls = 1}}};
  const auto nodes = report_nodes({outline, nullptr, profile});
  ASSERT_THAT(nodes, SizeIs(3));
  EXPECT_EQ(nodes[0].name, "Add#0");
  EXPECT_EQ(nodes[1].name, "Gelu#1");
  EXPECT_EQ(nodes[1].op, "com.microsoft:Gelu");
  EXPECT_EQ(nodes[2].name, "Add#2");
  EXPECT_EQ(nodes[0].provider, "") << "whose time it is, nobody knows";
}

TEST(ReportNodes, MeetThoughOneSideLeavesTheDomainOut) {
  const auto outline = outline_of({{.name = "g", .op = "Gelu", .domain = "com.microsoft"}});
  const ProfileSummary profile{.nodes = {{.name = "g", .op = "Gelu", .provider = "cpu", .calls = 1}}};
  EXPECT_THAT(report_nodes({outline, nullptr, profile}), SizeIs(1));
}

}  // namespace
}  // namespace surefoot::reporting
