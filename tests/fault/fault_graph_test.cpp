// Graph capture with a provider that replays what it recorded, on the addresses that it had.
#include <thread>

#include "surefoot/prepared_run.hpp"
#include "surefoot/tune.hpp"
#include "tests/fault/fault_fixture.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::dense_answer;
using tests::FaultProvider;

struct FaultGraph : tests::FaultTest {
  void SetUp() override {
    NEED_FAULT_EP();
    runtime = tests::main_runtime();
    if (runtime->api_version() < 26) GTEST_SKIP() << "plugins capture graphs from ONNX Runtime 1.26 on";
    device.emplace("FAULTEP_DEVMEM", "1");
    provider.emplace(*runtime);
  }

  Result<Session> try_open_for(GraphCapture capture, const std::string& plan = "",
                               ProviderSelection selection = {}) const {
    SessionOptions options = tests::faulty_options(*runtime, plan);
    selection.options.merge(options.providers.options);
    options.providers = std::move(selection);
    options.graph_capture = capture;
    options.plugin_graph_option = "graph";
    return Session::open(tests::bytes_of(dense), std::move(options));
  }
  Session open_for(GraphCapture capture, const std::string& plan = "") const {
    return try_open_for(capture, plan).value();
  }
  static PreparedRun prepare(const Session& session, std::optional<GraphCapture> graph = {}) {
    return session.prepare({.dimensions = {{"n", 1}}, .graph = graph}).value();
  }
  /// Runs on these elements and gives the answer, or the error's text.
  static std::vector<float> run_on(PreparedRun& run, const std::vector<float>& x) {
    std::ranges::copy(x, run.input<float>("x").value().begin());
    const auto done = run.run();
    EXPECT_TRUE(done) << to_string(done.error());
    if (!done) return {};
    const auto y = run.output<float>("y").value();
    return {y.begin(), y.end()};
  }
  static long captures() { return FaultProvider::count("capture"); }
  static long replays() { return FaultProvider::count("replay"); }

  std::optional<tests::EnvironmentVariable> device;
};

TEST_F(FaultGraph, TheFirstRunCapturesAndLaterOnesReplayOnNewInputs) {
  const Session session = open_for(GraphCapture::Require);
  PreparedRun run = prepare(session);
  for (int i = 0; i < 4; ++i) {
    const std::vector<float> x = {1.0F * static_cast<float>(i), 2, 3};
    EXPECT_THAT(run_on(run, x), ElementsAreArray(dense_answer(x))) << i;
  }
  EXPECT_TRUE(run.graph().captured);
  EXPECT_EQ(captures(), 1);
  EXPECT_GE(replays(), 3);
  EXPECT_EQ(FaultProvider::count("run"), 2) << "one to warm up, one to capture";
  EXPECT_THAT(events(session), IsEmpty());
}

TEST_F(FaultGraph, AWarmUpCapturesAndGivesNoOutputs) {
  const Session session = open_for(GraphCapture::Require);
  PreparedRun run = prepare(session);
  ASSERT_TRUE(run.warm_up());
  EXPECT_TRUE(run.graph().captured);
  EXPECT_FALSE(run.output<float>("y"));
  const long before = FaultProvider::count("run");
  EXPECT_THAT(run_on(run, {1, 2, 3}), ElementsAreArray(dense_answer({1, 2, 3})));
  EXPECT_EQ(FaultProvider::count("run"), before);
}

TEST_F(FaultGraph, EachPreparedRunHasAGraphOfItsOwn) {
  const Session session = open_for(GraphCapture::Require);
  PreparedRun one = prepare(session), other = prepare(session);
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(run_on(one, {1, 2, 3}), ElementsAreArray(dense_answer({1, 2, 3})));
    EXPECT_THAT(run_on(other, {4, 5, 6}), ElementsAreArray(dense_answer({4, 5, 6})));
  }
  EXPECT_EQ(captures(), 2);
}

TEST_F(FaultGraph, PlainRunsOfSuchASessionNeitherCaptureNorReplay) {
  const Session session = open_for(GraphCapture::Require);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(answer(session, {1, 2, 3}), right_answer({1, 2, 3}));
    EXPECT_EQ(answer(session, {4, 5, 6}), right_answer({4, 5, 6}));
  }
  PreparedRun plain = prepare(session, GraphCapture::Off);
  EXPECT_THAT(run_on(plain, {1, 2, 3}), ElementsAreArray(dense_answer({1, 2, 3})));
  EXPECT_THAT(run_on(plain, {4, 5, 6}), ElementsAreArray(dense_answer({4, 5, 6})));
  EXPECT_EQ(captures(), 0);
}

TEST_F(FaultGraph, TheProvidersOwnOptionMakesNoPlainRunStale) {
  SessionOptions options = tests::faulty_options(*runtime, "");
  options.providers.options["faulty"]["graph"] = "1";
  options.plugin_graph_option = "graph";
  const Session session = Session::open(tests::bytes_of(dense), std::move(options)).value();
  for (const std::vector<float>& x : {std::vector<float>{1, 2, 3}, {4, 5, 6}, {7, 8, 9}})
    EXPECT_EQ(answer(session, x), right_answer(x));
}

TEST_F(FaultGraph, GraphsAreLetGoWithTheirRunAndWhenMemoryIsBoundAnew) {
  const Session session = open_for(GraphCapture::Require);
  Tensor x = Tensor::of<float>({4, 5, 6}, {1, 3}).value();
  {
    PreparedRun run = prepare(session);
    ASSERT_TRUE(run.run());
    ASSERT_TRUE(run.bind_input("x", x.view()));
    EXPECT_FALSE(run.graph().captured);
    EXPECT_EQ(FaultProvider::count("forget"), 1);
    ASSERT_TRUE(run.run());
    ASSERT_TRUE(run.run());
    EXPECT_THAT(run.output<float>("y").value(), ElementsAreArray(dense_answer({4, 5, 6})));
  }
  EXPECT_EQ(captures(), 2);
  EXPECT_EQ(FaultProvider::count("forget"), 2);
}

TEST_F(FaultGraph, AnotherThreadThanTheOneThatCapturedIsRefusedAndCostsNothing) {
  const Session session = open_for(GraphCapture::Require);
  PreparedRun run = prepare(session);
  EXPECT_THAT(run_on(run, {1, 2, 3}), ElementsAreArray(dense_answer({1, 2, 3})));
  Result<void> elsewhere;
  std::thread([&] { elsewhere = run.run(); }).join();
  ASSERT_FALSE(elsewhere);
  EXPECT_EQ(elsewhere.error().code, ErrorCode::InvalidState);
  EXPECT_THAT(elsewhere.error().what, HasSubstr("captured by another thread"));
  EXPECT_EQ(run.run_async().get().error().code, ErrorCode::InvalidState);
  EXPECT_TRUE(run.output<float>("y"));
  EXPECT_THAT(run_on(run, {4, 5, 6}), ElementsAreArray(dense_answer({4, 5, 6})));
  EXPECT_EQ(session.provider(), "faulty");
}

TEST_F(FaultGraph, ThreadsWithRunsOfTheirOwnCaptureAndReplaySideBySide) {
  const Session session = open_for(GraphCapture::Require);
  const PreparedRun pattern = prepare(session);
  std::vector<std::thread> threads;
  std::array<std::vector<float>, 4> answers;
  for (std::size_t t = 0; t < answers.size(); ++t)
    threads.emplace_back([&, t] {
      PreparedRun run = pattern.clone().value();
      for (int i = 0; i < 50; ++i) answers[t] = run_on(run, {static_cast<float>(t), 2, 3});
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < answers.size(); ++t)
    EXPECT_THAT(answers[t], ElementsAreArray(dense_answer({static_cast<float>(t), 2, 3})));
  EXPECT_EQ(captures(), 4);
}

TEST_F(FaultGraph, SessionsOnOneDeviceCaptureOneAfterTheOther) {
  const auto most_at_once = [&](GraphCapture capture) {
    const Session one = open_for(capture, "run=hang:30"), other = open_for(capture, "run=hang:30");
    PreparedRun first = prepare(one), second = prepare(other);
    FaultProvider::reset_counts();
    std::thread beside([&] { EXPECT_TRUE(second.warm_up()); });
    EXPECT_TRUE(first.warm_up());
    beside.join();
    return FaultProvider::max_concurrent_runs();
  };
  EXPECT_EQ(most_at_once(GraphCapture::Require), 1);
  EXPECT_EQ(most_at_once(GraphCapture::Off), 2) << "plain runs overlap";
}

TEST_F(FaultGraph, WhatFailsToCaptureRunsPlainlyWithAnEventWhereItIsTried) {
  const Session session = open_for(GraphCapture::Try, "capture=fail");
  PreparedRun run = prepare(session);
  EXPECT_THAT(run_on(run, {1, 2, 3}), ElementsAreArray(dense_answer({1, 2, 3})));
  EXPECT_THAT(run_on(run, {4, 5, 6}), ElementsAreArray(dense_answer({4, 5, 6})));
  EXPECT_FALSE(run.graph().captured);
  ASSERT_TRUE(run.graph().reason);
  EXPECT_THAT(to_string(*run.graph().reason), HasSubstr("told to fail at capture"));
  EXPECT_THAT(events(session), ElementsAre("faulty capture"));
  EXPECT_TRUE(session.events().front().kept);
  EXPECT_EQ(session.provider(), "faulty");
}

TEST_F(FaultGraph, WhatFailsToCaptureIsTheErrorWhereItIsRequired) {
  const auto session = try_open_for(GraphCapture::Require, "capture=fail", {.only = {"faulty"}});
  ASSERT_TRUE(session);
  PreparedRun run = prepare(*session);
  const auto done = run.run();
  ASSERT_FALSE(done);
  EXPECT_THAT(to_string(done.error()), HasSubstr("told to fail at capture"));
}

TEST_F(FaultGraph, AReplayThatFailsMovesToTheNextCandidateWithItsInputs) {
  const Session session = open_for(GraphCapture::Try, "replay:3=fail");
  PreparedRun run = prepare(session);
  for (int i = 0; i < 5; ++i) {
    const std::vector<float> x = {1.0F * static_cast<float>(i), 2, 3};
    EXPECT_THAT(run_on(run, x), ElementsAreArray(dense_answer(x))) << i;
  }
  EXPECT_EQ(session.provider(), "cpu");
  EXPECT_THAT(events(session), ElementsAre("faulty run", "cpu capture"));
  EXPECT_FALSE(run.graph().captured);
  EXPECT_THAT(run.graph().reason->what, HasSubstr("`cpu` captures no graphs"));
}

TEST_F(FaultGraph, ACandidateThatCapturesNoneIsNotOpenedWhereItIsRequired) {
  const auto session = try_open_for(GraphCapture::Require, "", {.only = {"cpu"}});
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(session.error().what, HasSubstr("`cpu` captures no graphs"));
}

TEST_F(FaultGraph, ASessionOpenedWithoutItCannotPrepareForIt) {
  const Session session = open("");
  PreparedRun required = prepare(session, GraphCapture::Require);
  const auto done = required.run();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::InvalidState);
  EXPECT_THAT(done.error().hint, HasSubstr("graph_capture"));
  EXPECT_FALSE(required.run()) << "nor the second time";
  PreparedRun tried = prepare(session, GraphCapture::Try);
  EXPECT_THAT(run_on(tried, {1, 2, 3}), ElementsAreArray(dense_answer({1, 2, 3})));
  EXPECT_THAT(events(session), ElementsAre("faulty capture"));
}

TEST_F(FaultGraph, ANumberOfTheCallersIsRefusedBesideOurs) {
  const Session session = open_for(GraphCapture::Try);
  const auto run = session.prepare({.dimensions = {{"n", 1}}, .config = {{"gpu_graph_id", "7"}}});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::InvalidArgument);
}

TEST_F(FaultGraph, WhereOrtCannotCopyToTheDeviceTheReasonSaysSo) {
  provider.reset();
  provider.emplace(*runtime, "send:1!=fail(no data transfer)");
  const Session session = open_for(GraphCapture::Try);
  PreparedRun run = prepare(session);
  EXPECT_THAT(run_on(run, {1, 2, 3}), ElementsAreArray(dense_answer({1, 2, 3})));
  EXPECT_THAT(run_on(run, {4, 5, 6}), ElementsAreArray(dense_answer({4, 5, 6})));
  EXPECT_THAT(run.graph().reason->what, HasSubstr("input `x` does not lie on the device"));
  EXPECT_THAT(run.graph().reason->what, HasSubstr("no data transfer"));
  EXPECT_EQ(session.provider(), "faulty");
}

TEST_F(FaultGraph, MemoryThatIsNotTheDevicesIsNoPlaceForAGraph) {
  provider.reset();
  device.reset();
  provider.emplace(*runtime);
  const Session session = open_for(GraphCapture::Try);
  PreparedRun run = prepare(session);
  EXPECT_THAT(run_on(run, {1, 2, 3}), ElementsAreArray(dense_answer({1, 2, 3})));
  EXPECT_THAT(run_on(run, {4, 5, 6}), ElementsAreArray(dense_answer({4, 5, 6})));
  EXPECT_THAT(run.graph().reason->what, HasSubstr("input `x` does not lie on the device"));
  EXPECT_EQ(captures(), 0);
}

TEST_F(FaultGraph, IsTriedByTuneOnPreparedRuns) {
  const tests::TestFolder folder;
  TuneOptions tuning{.session = tests::faulty_options(*runtime, ""), .time = std::chrono::milliseconds(400)};
  tuning.session.providers.prefer = {"faulty"};
  tuning.session.plugin_graph_option = "graph";
  tuning.session.threads = {.intra_op = 1, .parallel = true, .spinning = false};
  tuning.session.optimization = OptimizationLevel::Basic;
  tuning.save = false;
  const std::vector<float> row{1, 2, 3};
  const Shape shape{1, 3};
  const std::vector<Input> inputs{{"x", TensorView::of<float>(row, shape)}};
  const auto report = tune(folder.write("m.onnx", dense), inputs, tuning);
  ASSERT_TRUE(report) << to_string(report.error());
  const auto graph = std::ranges::find(report->trials, "graph", &TuneTrial::setting);
  ASSERT_NE(graph, report->trials.end());
  EXPECT_FALSE(graph->error) << to_string(*graph->error);
  EXPECT_GT(graph->after, 0);
  EXPECT_GT(replays(), 0);
  tuning.session.graph_capture = GraphCapture::Try;  // set by the caller, and so not searched
  const auto set = tune(folder / "m.onnx", inputs, tuning);
  ASSERT_TRUE(set) << to_string(set.error());
  EXPECT_EQ(std::ranges::find(set->trials, "graph", &TuneTrial::setting), set->trials.end());
}

}  // namespace
}  // namespace surefoot
