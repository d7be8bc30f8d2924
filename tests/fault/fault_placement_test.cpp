// Providers that take a part of the nodes, or give up while they are profiled.
#include "surefoot/placement.hpp"
#include "surefoot/profile.hpp"
#include "tests/fault/fault_fixture.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct FaultPlacement : tests::FaultTest {
  /// dense_model() with MatMul and Add kept apart, on a provider that takes only these operators.
  Result<Session> open_with(const std::string& ops, SessionOptions options = {}) const {
    options.runtime = runtime;
    options.optimization = OptimizationLevel::Disabled;
    options.providers.options["faulty"]["ops"] = ops;
    return Session::open(tests::bytes_of(dense), std::move(options));
  }
};

TEST_F(FaultPlacement, CountsTheNodesOfEachProviderAndNamesTheOthers) {
  const Session session = open_with("MatMul,Add").value();
  const auto placement = session.placement();
  ASSERT_TRUE(placement) << to_string(placement.error());
  EXPECT_EQ(to_string(*placement), "faulty 2/3 nodes, cpu 1: Relu");
  EXPECT_NEAR(placement->share_of("faulty"), 2.0 / 3, 1e-9);
}

TEST_F(FaultPlacement, IsMeasuredByRuns) {
  const Session session = open_with("MatMul,Add").value();
  const Tensor x = Tensor::of<float>({1, 2, 3}, {1, 3}).value();
  const auto placement = session.measure_placement(std::vector<Input>{{"x", x}});
  ASSERT_TRUE(placement) << to_string(placement.error());
  ASSERT_THAT(placement->providers, SizeIs(2));
  EXPECT_EQ(placement->providers[0].partitions, 1U);
  EXPECT_EQ(placement->providers[1].partitions, 1U);
  EXPECT_EQ(placement->providers[0].nodes, 2U);
}

TEST_F(FaultPlacement, GivesUpACandidateThatTakesTooFew) {
  const Session session = open_with("Relu", {.min_placement = 0.5}).value();
  EXPECT_EQ(session.provider(), "cpu");
  EXPECT_THAT(events(session), ElementsAre("faulty placement"));
  const FallbackEvent event = session.events().front();
  EXPECT_FALSE(event.kept);
  EXPECT_THAT(event.error.what, HasSubstr("50 % at least are wanted: faulty 1/3 nodes, cpu 2: MatMul, Add"));
}

TEST_F(FaultPlacement, KeepsACandidateThatTakesEnough) {
  const Session session = open_with("MatMul,Add", {.min_placement = 0.5}).value();
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_THAT(events(session), IsEmpty());
}

TEST_F(FaultPlacement, ProfilesOfCandidatesThatWereGivenUpStayListed) {
  const tests::TestFolder folder;
  SessionOptions options{.profile_prefix = folder.path() / "p"};
  options.providers.options["faulty"]["fault"] = "run:2=fail";
  Session session = open_with("MatMul,Add", std::move(options)).value();
  EXPECT_EQ(answer(session), right_answer());
  EXPECT_EQ(answer(session), right_answer());
  EXPECT_EQ(session.provider(), "cpu");
  ASSERT_THAT(session.profiles(), SizeIs(1));
  const auto last = session.end_profiling();
  ASSERT_TRUE(last) << to_string(last.error());
  ASSERT_THAT(session.profiles(), SizeIs(2));
  EXPECT_EQ(session.profiles().back(), *last);
  const auto first = read_profile(session.profiles().front());
  ASSERT_TRUE(first) << to_string(first.error());
  EXPECT_EQ(first->providers.front().provider, "faulty");
}

}  // namespace
}  // namespace surefoot
