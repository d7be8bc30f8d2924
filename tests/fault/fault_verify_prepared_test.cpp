// Prepared runs of a session that verifies, on providers that compute wrong numbers.
#include "tests/fault/prepared_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::dense_answer;
using tests::FaultProvider;

struct FaultVerifyPrepared : tests::PreparedFaultTest {
  Session open_verifying(const std::string& model, const std::string& plan, bool required = false) const {
    SessionOptions options = tests::faulty_options(*runtime, plan);
    options.verify = true;
    if (required) options.providers.only = {"faulty"};
    return Session::open(tests::bytes_of(model), std::move(options)).value();
  }
  const std::string accumulating = tests::accumulating_model();  ///< total = x + sum; outlives its sessions

  Session open_accumulating(const std::string& plan) const { return open_verifying(accumulating, plan); }
  /// Its input `sum` and its output `total` are one memory.
  static PreparedRun adding_ten_to(Tensor& sum, const Session& session) {
    PreparedRun run = session.prepare({}).value();
    EXPECT_TRUE(run.bind_input("sum", sum.view()));
    EXPECT_TRUE(run.bind_output("total", sum.mutable_view()));
    std::ranges::fill(run.input<float>("x").value(), 10.0F);
    return run;
  }
};

TEST_F(FaultVerifyPrepared, GivesUpAProviderBeforeItsFirstAnswer) {
  const Session session = open_verifying(dense, "run=wrong");
  PreparedRun run = prepare(session);
  for (const std::vector<float>& x : {std::vector<float>{1, 2, 3}, {4, 5, 6}}) {
    put(run, x);
    ASSERT_TRUE(run.run());
    EXPECT_THAT(read(run), ElementsAreArray(dense_answer(x)));
  }
  EXPECT_EQ(session.provider(), "cpu");
  EXPECT_THAT(events(session), ElementsAre("faulty verify"));
  EXPECT_THAT(session.events().front().error.what, HasSubstr("computes wrong numbers: output `y`"));
}

TEST_F(FaultVerifyPrepared, AsksOnceForAllRunsOfASession) {
  const Session session = open_verifying(dense, "");
  PreparedRun run = prepare(session);
  ASSERT_TRUE(run.run());
  EXPECT_EQ(FaultProvider::count("run"), 2) << "one to compare, one to answer";
  PreparedRun clone = run.clone().value();
  ASSERT_TRUE(clone.run());
  ASSERT_TRUE(run.run());
  EXPECT_EQ(answer(session), right_answer());
  EXPECT_EQ(FaultProvider::count("run"), 5);
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_THAT(events(session), IsEmpty());
}

TEST_F(FaultVerifyPrepared, IsTheErrorWhereTheProviderIsRequired) {
  const Session session = open_verifying(dense, "run=wrong", true);
  PreparedRun run = prepare(session);
  for (int i = 0; i < 2; ++i) {
    const auto done = run.run();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().code, ErrorCode::ProviderFailed);
    EXPECT_THAT(done.error().what, HasSubstr("computes wrong numbers"));
    EXPECT_FALSE(run.output<float>("y"));
  }
}

TEST_F(FaultVerifyPrepared, HoldsForARunInTheBackground) {
  const Session session = open_verifying(dense, "run=wrong");
  PreparedRun run = prepare(session);
  put(run, {1, 2, 3});
  ASSERT_TRUE(run.run_async().get());
  EXPECT_THAT(read(run), ElementsAreArray(dense_answer({1, 2, 3})));
  EXPECT_THAT(events(session), ElementsAre("faulty verify"));
}

TEST_F(FaultVerifyPrepared, ARunThatWritesOverItsInputIsAnsweredFromWhatItWas) {
  const Session session = open_accumulating("run=wrong");
  Tensor sum = Tensor::of<float>({1, 2, 3, 4}, {4}).value();
  PreparedRun run = adding_ten_to(sum, session);
  ASSERT_TRUE(run.run());
  EXPECT_THAT(sum.as<float>().value(), ElementsAre(11, 12, 13, 14));
  ASSERT_TRUE(run.run());
  EXPECT_THAT(sum.as<float>().value(), ElementsAre(21, 22, 23, 24));
  EXPECT_THAT(events(session), ElementsAre("faulty verify"));
}

TEST_F(FaultVerifyPrepared, ARunInPlaceIsRunOnceOnAProviderThatIsRight) {
  const Session session = open_accumulating("");
  Tensor sum = Tensor::of<float>({1, 2, 3, 4}, {4}).value();
  PreparedRun run = adding_ten_to(sum, session);
  ASSERT_TRUE(run.run());
  EXPECT_THAT(sum.as<float>().value(), ElementsAre(11, 12, 13, 14));
  EXPECT_EQ(session.provider(), "faulty");
}

TEST_F(FaultVerifyPrepared, WhatIsFedBackGoesOnWithTheCpusNumbers) {
  const Session session = open_accumulating("run=wrong");
  PreparedRun run = session.prepare({}).value();
  ASSERT_TRUE(run.feed_back("total", "sum"));
  std::ranges::fill(run.input<float>("x").value(), 1.0F);
  for (int i = 1; i <= 4; ++i) {
    ASSERT_TRUE(run.run());
    const auto total = run.output<float>("total").value();
    EXPECT_THAT(std::vector<float>(total.begin(), total.end()), Each(static_cast<float>(i)));
  }
  EXPECT_THAT(events(session), ElementsAre("faulty verify"));
}

TEST_F(FaultVerifyPrepared, AWarmUpLeavesItToTheFirstRun) {
  const Session session = open_verifying(dense, "run=wrong");
  PreparedRun run = prepare(session);
  ASSERT_TRUE(run.warm_up());
  EXPECT_EQ(session.provider(), "faulty");
  put(run, {1, 2, 3});
  ASSERT_TRUE(run.run());
  EXPECT_THAT(read(run), ElementsAreArray(dense_answer({1, 2, 3})));
  EXPECT_THAT(events(session), ElementsAre("faulty verify"));
}

TEST_F(FaultVerifyPrepared, ALimitEndsTheComparisonAndCostsNoProvider) {
  const Session session = open_verifying(dense, "run:1=hang:200");
  PreparedRun run = prepare(session);
  put(run, {1, 2, 3});
  const auto done = run.run(std::chrono::milliseconds(20));
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::TimedOut);
  ASSERT_TRUE(run.run());
  EXPECT_THAT(read(run), ElementsAreArray(dense_answer({1, 2, 3})));
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_THAT(events(session), IsEmpty());
}

TEST_F(FaultVerifyPrepared, TheOneThatTakesOverIsHeldAgainstTheCpuToo) {
  const FaultProvider other(*runtime, "run=wrong", "other");
  SessionOptions options = tests::faulty_options(*runtime, "run=wrong");
  options.providers.prefer = {"faulty", "other"};
  options.verify = true;
  const auto open = [&] { return Session::open(tests::bytes_of(dense), options).value(); };
  {
    const Session session = open();
    PreparedRun run = prepare(session);
    put(run, {1, 2, 3});
    ASSERT_TRUE(run.run());
    EXPECT_THAT(read(run), ElementsAreArray(dense_answer({1, 2, 3})));
    EXPECT_THAT(events(session), ElementsAre("faulty verify", "other verify"));
  }
  const Session session = open();
  EXPECT_EQ(answer(session), right_answer());
  EXPECT_THAT(events(session), ElementsAre("faulty verify", "other verify"));
}

struct FaultVerifyPreparedOnDevice : tests::OnPretendedDevice<FaultVerifyPrepared> {
  static std::span<float> elements(const dlpack::Exported& exported) {
    return {static_cast<float*>(exported->tensor.data), 3};
  }
};

TEST_F(FaultVerifyPreparedOnDevice, InputsThatWereWrittenThereAreTheOnesCompared) {
  for (const std::string plan : {"", "run:2=wrong"}) {
    FaultProvider::reset_counts();
    const Session session = open_verifying(dense, plan);
    PreparedRun run = prepare(session);
    put(run, {9, 9, 9});
    ASSERT_TRUE(run.warm_up());
    const auto x = run.input_dlpack("x").value();
    for (const std::vector<float>& next : {std::vector<float>{1, 2, 3}, {4, 5, 6}}) {
      if (session.provider() == "faulty")
        std::ranges::copy(next, elements(x).begin());
      else
        put(run, next);
      ASSERT_TRUE(run.run());
      EXPECT_THAT(read(run), ElementsAreArray(dense_answer(next))) << plan;
    }
    EXPECT_EQ(session.provider(), plan.empty() ? "faulty" : "cpu");
  }
}

TEST_F(FaultVerifyPreparedOnDevice, AGraphIsCapturedOfAProviderThatIsRightOnly) {
  if (runtime->api_version() < 26) GTEST_SKIP() << "plugins capture graphs from ONNX Runtime 1.26 on";
  for (const std::string plan : {"", "run=wrong"}) {
    FaultProvider::reset_counts();
    SessionOptions options = tests::faulty_options(*runtime, plan);
    options.verify = true;
    options.graph_capture = GraphCapture::Try;
    options.plugin_graph_option = "graph";
    const Session session = Session::open(tests::bytes_of(dense), std::move(options)).value();
    PreparedRun run = prepare(session);
    for (const std::vector<float>& x : {std::vector<float>{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}) {
      put(run, x);
      ASSERT_TRUE(run.run());
      EXPECT_THAT(read(run), ElementsAreArray(dense_answer(x)));
    }
    EXPECT_EQ(run.graph().captured, plan.empty());
    EXPECT_EQ(FaultProvider::count("capture"), plan.empty() ? 1 : 0);
  }
}

}  // namespace
}  // namespace surefoot
