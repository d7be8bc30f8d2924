// Prepared runs on a provider that fails, and on one with memory of its own.
#include "tests/fault/prepared_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::dense_answer;
using tests::FaultProvider;

struct FaultPrepared : tests::PreparedFaultTest {};

TEST_F(FaultPrepared, AFailingRunMovesToTheNextCandidateWithItsInputs) {
  const Session session = open("run:3=fail");
  PreparedRun run = prepare(session);
  put(run, {1, 2, 3});
  for (int i = 0; i < 5; ++i) {
    ASSERT_TRUE(run.run()) << i;
    EXPECT_THAT(read(run), ElementsAreArray(dense_answer({1, 2, 3})));
  }
  EXPECT_THAT(events(session), ElementsAre("faulty run"));
  EXPECT_EQ(session.provider(), "cpu");
  EXPECT_EQ(FaultProvider::count("run"), 3);
}

TEST_F(FaultPrepared, EveryRunOfASessionFollowsTheFallbackOfOne) {
  const Session session = open("run:3=fail");
  PreparedRun one = prepare(session), other = prepare(session);
  put(one, {1, 2, 3});
  put(other, {4, 5, 6});
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(one.run());
    ASSERT_TRUE(other.run());
    EXPECT_THAT(read(one), ElementsAreArray(dense_answer({1, 2, 3})));
    EXPECT_THAT(read(other), ElementsAreArray(dense_answer({4, 5, 6})));
  }
  EXPECT_THAT(events(session), ElementsAre("faulty run"));
  EXPECT_EQ(FaultProvider::count("run"), 3);
}

TEST_F(FaultPrepared, TheErrorIsTheCallersWhenTheProviderIsRequired) {
  const Session session = open("run:2!=fail", {.only = {"faulty"}});
  PreparedRun run = prepare(session);
  put(run, {1, 2, 3});
  ASSERT_TRUE(run.run());
  const auto failed = run.run();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::ProviderFailed);
  EXPECT_THAT(to_string(failed.error()), HasSubstr("told to fail at run"));
  EXPECT_FALSE(run.output<float>("y"));
  ASSERT_TRUE(run.run());
  EXPECT_THAT(read(run), ElementsAreArray(dense_answer({1, 2, 3})));
}

TEST_F(FaultPrepared, ATimeLimitDoesNotCostTheProvider) {
  const Session session = open("run:2!=hang:200");
  PreparedRun run = prepare(session);
  put(run, {1, 2, 3});
  ASSERT_TRUE(run.run());
  (void)run.run(std::chrono::milliseconds(20));
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_THAT(events(session), IsEmpty());
}

struct FaultPreparedOnDevice : tests::OnPretendedDevice<FaultPrepared> {};

TEST_F(FaultPreparedOnDevice, SendsEachChangedInput) {
  const Session session = open("");
  PreparedRun run = prepare(session);
  for (const std::vector<float>& x : {std::vector<float>{1, 2, 3}, {4, 5, 6}, {4, 5, 6}, {7, 8, 9}}) {
    put(run, x);
    ASSERT_TRUE(run.run());
    EXPECT_THAT(read(run), ElementsAreArray(dense_answer(x)));
  }
  EXPECT_EQ(session.provider(), "faulty");
}

TEST_F(FaultPreparedOnDevice, SendsOnlyWhatChangedAndFetchesEachOutputOnce) {
  const Session session = open("");
  PreparedRun run = prepare(session);
  put(run, {1, 2, 3});
  ASSERT_TRUE(run.run());
  FaultProvider::reset_counts();
  ASSERT_TRUE(run.run());
  EXPECT_EQ(FaultProvider::count("send"), 0);
  EXPECT_EQ(FaultProvider::count("fetch"), 1);
  put(run, {4, 5, 6});
  ASSERT_TRUE(run.run());
  EXPECT_EQ(FaultProvider::count("send"), 1);
  EXPECT_EQ(FaultProvider::count("fetch"), 2);
}

TEST_F(FaultPreparedOnDevice, WhatIsFedBackStaysThere) {
  const std::string model = tests::accumulating_model();
  const Session session = Session::open(tests::bytes_of(model), tests::faulty_options(*runtime, "")).value();
  PreparedRun run = session.prepare({}).value();
  ASSERT_TRUE(run.feed_back("total", "sum"));
  std::ranges::fill(run.input<float>("x").value(), 1.0F);
  ASSERT_TRUE(run.run());
  FaultProvider::reset_counts();
  for (int i = 2; i <= 5; ++i) {
    ASSERT_TRUE(run.run());
    EXPECT_EQ(run.output<float>("total").value()[0], static_cast<float>(i));
  }
  EXPECT_EQ(FaultProvider::count("send"), 0);
  EXPECT_EQ(FaultProvider::count("fetch"), 4);
  std::ranges::fill(run.input<float>("sum").value(), 10.0F);
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.output<float>("total").value()[0], 11.0F);
  EXPECT_EQ(FaultProvider::count("send"), 1);
  EXPECT_EQ(session.provider(), "faulty");
}

TEST_F(FaultPreparedOnDevice, ACopyThatFailsMovesToTheNextCandidate) {
  provider.reset();
  provider.emplace(*runtime, "fetch:2=fail");
  const Session session = open("");
  PreparedRun run = prepare(session);
  for (const std::vector<float>& x : {std::vector<float>{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}) {
    put(run, x);
    ASSERT_TRUE(run.run());
    EXPECT_THAT(read(run), ElementsAreArray(dense_answer(x)));
  }
  EXPECT_EQ(session.provider(), "cpu");
}

TEST_F(FaultPreparedOnDevice, SeesWhatTheCallerWritesToBoundMemory) {
  const Session session = open("");
  PreparedRun run = prepare(session);
  Tensor x = Tensor::of<float>({1, 2, 3}, {1, 3}).value();
  ASSERT_TRUE(run.bind_input("x", x.view()));
  ASSERT_TRUE(run.run());
  EXPECT_THAT(read(run), ElementsAreArray(dense_answer({1, 2, 3})));
  reinterpret_cast<float*>(x.mutable_bytes().data())[1] = 7;
  ASSERT_TRUE(run.run());
  EXPECT_THAT(read(run), ElementsAreArray(dense_answer({1, 7, 3})));
}

TEST_F(FaultPreparedOnDevice, FallsBackToACandidateWithoutOne) {
  const Session session = open("run:2=fail");
  PreparedRun run = prepare(session);
  put(run, {1, 2, 3});
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(run.run());
    EXPECT_THAT(read(run), ElementsAreArray(dense_answer({1, 2, 3})));
  }
  put(run, {3, 2, 1});
  ASSERT_TRUE(run.run());
  EXPECT_THAT(read(run), ElementsAreArray(dense_answer({3, 2, 1})));
  EXPECT_EQ(session.provider(), "cpu");
}

}  // namespace
}  // namespace surefoot
