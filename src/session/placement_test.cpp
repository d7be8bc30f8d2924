#include "session/placement.hpp"

#include "ort/environment.hpp"
#include "ort/session_options.hpp"
#include "tests/support/session_fixture.hpp"

namespace surefoot::session {
namespace {

using ::testing::HasSubstr;

/// A model that is open on the CPU of that runtime.
std::shared_ptr<const ort::Session> opened_on(const Runtime& runtime, const std::string& model) {
  const auto options = ort::make_options(runtime.environment(), {}).value();
  return ort::Session::open(runtime.environment(), {}, tests::bytes_of(model), options).value();
}

TEST(CheckPlacement, GivesANoteWhereOrtTellsNothing) {
  NEED_RUNTIME();
  const std::string model = tests::dense_model();
  const Candidate other{.name = "other", .providers = {"other", "cpu"}};
  int asked = 0;
  for (const tests::TestRuntime& installed : tests::test_runtimes()) {
    const Runtime runtime = Runtime::load({.library = installed.library}).value();
    if (runtime.api_version() >= 24) continue;
    ++asked;
    const auto placed = check_placement(*opened_on(runtime, model), other);
    ASSERT_TRUE(placed) << to_string(placed.error());
    ASSERT_TRUE(*placed);
    EXPECT_EQ((*placed)->code, ErrorCode::Unsupported);
    EXPECT_THAT((*placed)->what, HasSubstr("whether `other` took any node cannot be known"));
    EXPECT_THAT((*placed)->what, HasSubstr("1.24"));
  }
  if (asked == 0) GTEST_SKIP() << "no ONNX Runtime before 1.24 is laid out";
}

TEST(CheckPlacement, IsSureOfTheCpu) {
  NEED_RUNTIME();
  const std::string model = tests::dense_model();
  const auto placed =
      check_placement(*opened_on(tests::main_runtime(), model), {.name = "cpu", .providers = {"cpu"}});
  ASSERT_TRUE(placed);
  EXPECT_FALSE(*placed);
}

TEST(MeasuredPlacement, TakesTheNodesOfTheProfileWhereOrtCannotTell) {
  ProfileSummary profile{.runs = 2,
                         .nodes = {{"in", "MemcpyFromHost", "webgpu", "float", 2, {}},
                                   {"a", "Conv", "webgpu", "float", 2, {}},
                                   {"b", "Gather", "cpu", "int64", 2, {}},
                                   {"c", "Relu", "webgpu", "float", 2, {}}},
                         .providers = {{"webgpu", 3, 6, 2, std::chrono::microseconds(60)},
                                       {"cpu", 1, 2, 1, std::chrono::microseconds(20)}},
                         .copies_to_device = 1};
  const Candidate candidate{.name = "webgpu", .providers = {"webgpu", "cpu"}};
  const Placement placement =
      measured_placement(profile, fail({.code = ErrorCode::Unsupported, .what = "unknown"}), candidate);
  EXPECT_EQ(to_string(placement), "webgpu 2/3 nodes, cpu 1: Gather (int64)");
  EXPECT_EQ(placement.copies_to_device, 1U);
  EXPECT_EQ(placement.providers[0].partitions, 2U);
  EXPECT_EQ(placement.providers[0].time, std::chrono::microseconds(30));
  EXPECT_EQ(placement.time_share_of("webgpu"), 0.75);
}

TEST(MeasuredPlacement, TakesTheNodesOfTheReportWhereItIsComplete) {
  ProfileSummary profile{.runs = 1, .nodes = {{"fused_0", "faulty_fused", "faulty", "float", 1, {}}}};
  Placement reported{.nodes = {{"a", "Conv", "faulty"}, {"b", "Relu", "faulty"}}};
  const Placement placement =
      measured_placement(profile, std::move(reported), {.name = "faulty", .providers = {"faulty", "cpu"}});
  EXPECT_EQ(to_string(placement), "faulty 2/2 nodes");
  EXPECT_TRUE(placement.measured);
}

TEST(PlacementText, NamesThreeOperatorsOfEachOtherProvider) {
  Placement placement{.providers = {{"openvino", 1}, {"cpu", 5}}};
  for (const char* op : {"Gather", "NonZero", "NonZero", "TopK", "Loop"})
    placement.nodes.push_back({.op = op, .provider = "cpu"});
  placement.nodes.push_back({.op = "Conv", .provider = "openvino"});
  EXPECT_EQ(to_string(placement), "openvino 1/6 nodes, cpu 5: Gather, NonZero, TopK, …");
  EXPECT_EQ(to_string(Placement{}), "no node");
}

}  // namespace
}  // namespace surefoot::session
