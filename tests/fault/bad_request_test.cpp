// Requests that no provider can answer must cost no session.
#include "tests/fault/fault_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::FaultProvider;

/// lookup_model(): Gather on the CPU beside the provider, Add on the provider.
struct BadRequest : tests::FaultTest {
  Session open_lookup(const std::string& plan) const {
    return tests::open_or_die(tests::lookup_model(), tests::faulty_options(*runtime, plan));
  }
  static Result<Outputs> look_up(const Session& session, std::int64_t index) {
    const Tensor tensor = Tensor::of<std::int64_t>({index}, {1}).value();
    return session.infer({{"index", tensor}});
  }
  static float found(const Session& session, std::int64_t index) {
    return look_up(session, index)->as<float>("y").value()[0];
  }
};

TEST_F(BadRequest, IsTheCallersAndLeavesTheProvider) {
  const Session session = open_lookup("");
  const auto refused = look_up(session, 9);
  ASSERT_FALSE(refused);
  EXPECT_THAT(to_string(refused.error()), HasSubstr("idx=9"));
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_THAT(events(session), IsEmpty());
  EXPECT_EQ(found(session, 3), 6);
  EXPECT_EQ(session.provider(), "faulty");
}

TEST_F(BadRequest, IsJudgedWithoutOpeningTheProviderAgain) {
  const Session session = open_lookup("");
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(look_up(session, 9));
  EXPECT_EQ(FaultProvider::count("create"), 1);
  const long runs = FaultProvider::count("run");
  EXPECT_EQ(found(session, 4), 8);
  EXPECT_GT(FaultProvider::count("run"), runs);
}

TEST_F(BadRequest, GivesTheWordsOfTheCpuWhereTheProviderOnlySaysThatItFailed) {
  const Session session = open_lookup("run=fail");
  const auto refused = look_up(session, 9);
  ASSERT_FALSE(refused);
  EXPECT_THAT(to_string(refused.error()), HasSubstr("idx=9"));
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_EQ(found(session, 2), 4);
  EXPECT_EQ(session.provider(), "cpu");
  EXPECT_THAT(events(session), ElementsAre("faulty run"));
}

TEST_F(BadRequest, ThatDoesNotFitTheModelReachesNoProvider) {
  const Session session = open("");
  const Tensor wide = Tensor::zeros(ElementType::Float32, {1, 4}).value();
  const auto refused = session.infer({{"x", wide}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(FaultProvider::count("run"), 0);
  EXPECT_EQ(FaultProvider::count("create"), 1);
}

TEST_F(BadRequest, WithAnUnknownRunKeyReachesNoProvider) {
  const Session session = open("");
  const Tensor x = Tensor::zeros(ElementType::Float32, {1, 3}).value();
  const auto refused = session.infer({{"x", x}}, {.config = {{"gpu_grph_id", "1"}}});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(refused.error().hint, HasSubstr("gpu_graph_id"));
  EXPECT_EQ(FaultProvider::count("run"), 0);
}

}  // namespace
}  // namespace surefoot
