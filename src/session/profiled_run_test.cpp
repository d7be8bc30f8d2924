#include "surefoot/placement.hpp"
#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct PlacementOf : tests::SessionTest {
  std::vector<float> row{1, 2, 3};
  TensorView x = TensorView::of<float>(row, kShape);
  static inline const Shape kShape{1, 3};
};

TEST_F(PlacementOf, ASessionOnTheCpuIsAllOnTheCpu) {
  const Session session = open(tests::dense_model()).value();
  const auto placement = session.placement();
  ASSERT_TRUE(placement) << to_string(placement.error());
  EXPECT_THAT(placement->nodes, ::testing::Not(IsEmpty()));
  EXPECT_EQ(placement->share_of("cpu"), 1);
  EXPECT_FALSE(placement->measured);
  EXPECT_EQ(to_string(*placement), "cpu " + std::to_string(placement->nodes.size()) + "/" +
                                       std::to_string(placement->nodes.size()) + " nodes");
}

TEST_F(PlacementOf, AProfiledRunHasTimesTypesAndOnePartition) {
  const Session session = open(tests::dense_model()).value();
  const auto placement = session.measure_placement(std::vector<Input>{{"x", x}});
  ASSERT_TRUE(placement) << to_string(placement.error());
  EXPECT_TRUE(placement->measured);
  ASSERT_THAT(placement->providers, SizeIs(1));
  EXPECT_EQ(placement->providers[0].partitions, 1U);
  EXPECT_EQ(placement->copies_to_device, 0U);
  EXPECT_THAT(session.profiles(), IsEmpty());
}

TEST_F(PlacementOf, MeasuringRefusesWrongInputsLikeARun) {
  const Session session = open(tests::dense_model()).value();
  const auto placement = session.measure_placement(std::vector<Input>{{"z", x}});
  ASSERT_FALSE(placement);
  EXPECT_EQ(placement.error().code, ErrorCode::InvalidInput);
}

TEST_F(PlacementOf, MeasuringWorksWhereOrtTellsNothing) {
  int asked = 0;
  for (const tests::TestRuntime& installed : tests::test_runtimes()) {
    const Runtime old = Runtime::load({.library = installed.library}).value();
    if (old.api_version() >= 24) continue;
    ++asked;
    const Session session = open(tests::dense_model(), {.runtime = old}).value();
    EXPECT_EQ(session.placement().error().code, ErrorCode::Unsupported);
    const auto placement = session.measure_placement(std::vector<Input>{{"x", x}});
    ASSERT_TRUE(placement) << to_string(placement.error());
    EXPECT_EQ(placement->share_of("cpu"), 1);
    EXPECT_GE(placement->nodes.size(), 1U);
  }
  if (asked == 0) GTEST_SKIP() << "no ONNX Runtime before 1.24 is laid out";
}

TEST_F(PlacementOf, ALeastPartOutsideOfZeroToOneIsTheCallersMistake) {
  const auto session = open(tests::dense_model(), {.min_placement = 90});
  EXPECT_EQ(error_of(session).code, ErrorCode::InvalidArgument);
  EXPECT_THAT(error_of(session).what, HasSubstr("90"));
}

}  // namespace
}  // namespace surefoot
