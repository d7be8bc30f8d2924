#include "session/chain.hpp"

#include <gmock/gmock.h>

#include <deque>
#include <map>
#include <thread>

namespace surefoot::session {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Plugin providers "a", "b", "c", present in that order, and CPU.
Plan plan_of(std::vector<std::string> names, ProviderSelection selection = {}) {
  MachineFacts machine{.runtime_version = "1.32.0", .api_version = 32};
  for (const std::string& name : names)
    machine.providers.push_back(
        {.name = name, .ort_name = name, .known = false, .plugin = true, .present = true});
  machine.providers.push_back({.name = "cpu", .ort_name = "CPUExecutionProvider", .present = true});
  return make_plan(machine, {}, selection).value();
}

Error broken(std::string what) { return {.code = ErrorCode::ProviderFailed, .what = std::move(what)}; }
Error refused(std::string what) { return {.code = ErrorCode::InvalidArgument, .what = std::move(what)}; }

/// Candidates that open or fail as told, and a record of what was opened.
struct FakeOpener {
  OpenResult operator()(const Candidate& candidate) {
    opened.push_back(candidate.name);
    const auto failure = failures.find(candidate.name);
    if (failure != failures.end()) return failure->second;
    return Opened{.candidate = &candidate, .session = nullptr};
  }
  std::map<std::string, OpenFailure> failures;
  std::vector<std::string> opened;
};

/// A chain over a fake opener; calls fail on the candidates named in `run_failures`.
struct ChainTest : testing::Test {
  void plan(std::vector<std::string> names, ProviderSelection selection = {}) {
    made = plan_of(std::move(names), std::move(selection));
    chain = std::make_unique<Chain>(
        made, [this](const Plan&, const Candidate& candidate) { return opener(candidate); },
        [this](const FallbackEvent& event) { heard.push_back(event.candidate); });
  }

  Result<void> attempt(const OpenedPtr& opened) {
    attempts.push_back(opened->candidate->name);
    const auto failure = run_failures.find(opened->candidate->name);
    if (failure != run_failures.end()) return fail(failure->second);
    return {};
  }

  /// One call, as a session makes it.
  Result<void> call() {
    const auto now = chain->in_use();
    if (!now) return fail(now.error());
    auto done = attempt(*now);
    if (done) return done;
    return chain->recover(*now, std::move(done).error(),
                          [this](const OpenedPtr& opened, Stage&) { return attempt(opened); });
  }

  std::string in_use() const { return chain->current() == nullptr ? "" : chain->current()->candidate->name; }

  /// "a run", "b create", in order.
  std::vector<std::string> events() const {
    std::vector<std::string> lines;
    for (const FallbackEvent& event : chain->events())
      lines.push_back(event.candidate + " " + std::string(to_string(event.stage)));
    return lines;
  }

  Plan made;
  FakeOpener opener;
  std::unique_ptr<Chain> chain;
  std::map<std::string, Error> run_failures;
  std::vector<std::string> attempts, heard;
};

TEST_F(ChainTest, OpensTheFirstCandidateAndNoOther) {
  plan({"a", "b"});
  ASSERT_TRUE(chain->start());
  EXPECT_EQ(in_use(), "a");
  EXPECT_THAT(opener.opened, ElementsAre("a"));
  EXPECT_THAT(events(), IsEmpty());
}

TEST_F(ChainTest, ACandidateThatDoesNotOpenIsAnEventAndTheNextIsTried) {
  plan({"a", "b"});
  opener.failures["a"] = {Stage::Create, broken("no device")};
  opener.failures["b"] = {Stage::Placement, broken("took no node")};
  ASSERT_TRUE(chain->start());
  EXPECT_EQ(in_use(), "cpu");
  EXPECT_THAT(events(), ElementsAre("a create", "b placement"));
  EXPECT_EQ(chain->events()[1].error.what, "took no node");
  EXPECT_THAT(heard, ElementsAre("a", "b"));
}

TEST_F(ChainTest, AModelThatIsWrongInItselfEndsTheWalk) {
  plan({"a", "b"});
  opener.failures["a"] = {Stage::Create, {.code = ErrorCode::InvalidModel, .what = "weights are missing"}};
  const auto started = chain->start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::InvalidModel);
  EXPECT_EQ(started.error().what, "weights are missing");
  EXPECT_THAT(opener.opened, ElementsAre("a"));
}

TEST_F(ChainTest, AWrongConfigurationEndsTheWalkEvenInOrtsWords) {
  plan({"a", "b"});
  opener.failures["a"] = {
      Stage::Register,
      {.code = ErrorCode::InvalidArgument, .what = "bad entry", .native = NativeError{2, "bad entry"}}};
  const auto started = chain->start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(opener.opened, ElementsAre("a"));
}

TEST_F(ChainTest, AProviderThatRefusesByInvalidArgumentDoesNotEndTheWalk) {
  plan({"a", "b"});
  for (const ErrorCode code : {ErrorCode::InvalidArgument, ErrorCode::NotFound, ErrorCode::InvalidModel}) {
    opener.failures["a"] = {Stage::Create,
                            {.code = code, .what = "device is virtual", .native = NativeError{2, "…"}}};
    ASSERT_TRUE(chain->start());
    EXPECT_EQ(in_use(), "b");
  }
}

TEST_F(ChainTest, TheErrorOfAWalkThatFailedNamesEachCandidateWithItsReason) {
  plan({"a", "b"}, {.exclude = {"cpu"}});
  opener.failures["a"] = {Stage::Create, broken("no device")};
  opener.failures["b"] = {Stage::Register, broken("no driver")};
  const auto started = chain->start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::ProviderFailed);
  EXPECT_THAT(started.error().what, HasSubstr("a  failed: no device"));
  EXPECT_THAT(started.error().what, HasSubstr("b  failed: no driver"));
  EXPECT_THAT(started.error().what, HasSubstr("cpu  rejected: excluded by the caller"));
}

TEST_F(ChainTest, WhenCpuFailsTooItsCodeAndHintStandForTheModel) {
  plan({"a"});
  opener.failures["a"] = {Stage::Create, broken("opset 99")};
  opener.failures["cpu"] = {Stage::Create,
                            {.code = ErrorCode::InvalidModel,
                             .what = "opset 99",
                             .hint = "export it again",
                             .native = NativeError{1, "99"}}};
  const auto started = chain->start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::InvalidModel);
  EXPECT_EQ(started.error().hint, "export it again");
  EXPECT_THAT(started.error().what, HasSubstr("a  failed: opset 99"));
}

TEST_F(ChainTest, ARequiredProvidersOwnErrorIsReturnedDirectly) {
  plan({"a", "b"}, {.only = {"a"}});
  opener.failures["a"] = {Stage::Create,
                          {.code = ErrorCode::ProviderFailed, .what = "no device", .hint = "plug one in"}};
  const auto started = chain->start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().what, "no device");
  EXPECT_EQ(started.error().hint, "plug one in");
}

TEST_F(ChainTest, ARequiredProviderThatIsNotPresentGivesItsReasonDirectly) {
  plan({}, {.only = {"cuda"}});
  const auto started = chain->start();
  ASSERT_FALSE(started);
  EXPECT_EQ(started.error().code, ErrorCode::Unsupported);
  EXPECT_EQ(started.error().what, "`cuda` is not present on this machine");
}

TEST_F(ChainTest, TheNextCandidateThatAnswersTakesOver) {
  plan({"a", "b"});
  ASSERT_TRUE(chain->start());
  run_failures["a"] = broken("device lost");
  EXPECT_TRUE(call());
  EXPECT_EQ(in_use(), "b");
  EXPECT_THAT(events(), ElementsAre("a run"));
  EXPECT_EQ(chain->events()[0].error.what, "device lost");
  attempts.clear();
  EXPECT_TRUE(call());
  EXPECT_THAT(attempts, ElementsAre("b"));
  EXPECT_THAT(opener.opened, ElementsAre("a", "b"));
}

TEST_F(ChainTest, EventsStandInTheOrderInWhichCandidatesWereGivenUp) {
  plan({"a", "b", "c"});
  ASSERT_TRUE(chain->start());
  run_failures["a"] = broken("device lost");
  opener.failures["b"] = {Stage::Create, broken("no device")};
  run_failures["c"] = broken("kernel missing");
  EXPECT_TRUE(call());
  EXPECT_EQ(in_use(), "cpu");
  EXPECT_THAT(events(), ElementsAre("a run", "b create", "c run"));
  EXPECT_THAT(heard, ElementsAre("a", "b", "c"));
}

TEST_F(ChainTest, ARequestThatTheNextCandidateRefusesLikewiseCostsNothing) {
  plan({"a", "b"});
  ASSERT_TRUE(chain->start());
  run_failures["a"] = refused("index 9 of 5");
  run_failures["b"] = refused("9 is out of bounds");
  const auto done = call();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what, "9 is out of bounds");
  EXPECT_EQ(in_use(), "a");
  EXPECT_THAT(events(), IsEmpty());
}

TEST_F(ChainTest, TheJudgeOfABadRequestIsOpenedOnce) {
  plan({"a", "b"});
  ASSERT_TRUE(chain->start());
  run_failures["a"] = refused("index 9 of 5");
  run_failures["b"] = refused("index 9 of 5");
  for (int i = 0; i < 5; ++i) EXPECT_FALSE(call());
  EXPECT_THAT(opener.opened, ElementsAre("a", "b"));
  run_failures.clear();
  EXPECT_TRUE(call());
  EXPECT_EQ(in_use(), "a");
}

TEST_F(ChainTest, NoCandidateOnTheWayToTheJudgeIsOpenedTwiceNorToldOfTwice) {
  plan({"a", "b", "c"});
  ASSERT_TRUE(chain->start());
  run_failures["a"] = broken("told to fail");
  opener.failures["b"] = {Stage::Create, broken("no device")};
  run_failures["c"] = broken("told to fail");
  run_failures["cpu"] = refused("index 9 of 5");
  for (int i = 0; i < 3; ++i) {
    const auto done = call();
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().what, "index 9 of 5");
  }
  EXPECT_EQ(in_use(), "a");
  EXPECT_THAT(events(), IsEmpty());
  EXPECT_THAT(opener.opened, ElementsAre("a", "b", "c", "cpu"));
  run_failures.erase("cpu");
  EXPECT_TRUE(call());
  EXPECT_EQ(in_use(), "cpu");
  EXPECT_THAT(events(), ElementsAre("a run", "b create", "c run"));
  EXPECT_THAT(opener.opened, ElementsAre("a", "b", "c", "cpu"));
}

TEST_F(ChainTest, WhatCpuCannotDoEitherJudgesNoCandidate) {
  plan({"a"});
  ASSERT_TRUE(chain->start());
  run_failures["a"] = {.code = ErrorCode::OutOfMemory, .what = "device memory ran out"};
  run_failures["cpu"] = refused("index 9 of 5");
  EXPECT_FALSE(call());
  EXPECT_EQ(in_use(), "a");
  run_failures["a"] = broken("device lost");
  run_failures["cpu"] = {.code = ErrorCode::OutOfMemory, .what = "memory ran out"};
  EXPECT_FALSE(call());
  EXPECT_EQ(in_use(), "a");
}

TEST_F(ChainTest, ACallThatTheCallerStoppedBlamesNobody) {
  plan({"a"});
  ASSERT_TRUE(chain->start());
  run_failures["a"] = {.code = ErrorCode::Cancelled, .what = "terminate flag"};
  EXPECT_FALSE(call());
  EXPECT_EQ(in_use(), "a");
  EXPECT_THAT(opener.opened, ElementsAre("a"));
}

TEST_F(ChainTest, ACallStoppedWhileItIsJudgedBlamesNobody) {
  plan({"a", "b"});
  ASSERT_TRUE(chain->start());
  run_failures["a"] = broken("device lost");
  run_failures["b"] = {.code = ErrorCode::Cancelled, .what = "terminate flag"};
  const auto done = call();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, ErrorCode::Cancelled);
  EXPECT_EQ(in_use(), "a");
  EXPECT_THAT(events(), IsEmpty());
}

TEST_F(ChainTest, TheLastCandidatesFailureIsTheCallersAndItStays) {
  plan({});
  ASSERT_TRUE(chain->start());
  run_failures["cpu"] = {.code = ErrorCode::RunFailed, .what = "division by zero"};
  const auto done = call();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what, "division by zero");
  EXPECT_EQ(in_use(), "cpu");
  EXPECT_THAT(events(), IsEmpty());
}

TEST_F(ChainTest, WhenAllHaveFailedEveryCallSaysSo) {
  plan({"a", "b"}, {.exclude = {"cpu"}});
  ASSERT_TRUE(chain->start());
  run_failures["a"] = broken("device lost");
  run_failures["b"] = broken("device lost, too");
  EXPECT_FALSE(call());
  EXPECT_EQ(in_use(), "");
  EXPECT_THAT(events(), ElementsAre("a run", "b run"));
  attempts.clear();
  const auto again = call();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::ProviderFailed);
  EXPECT_THAT(again.error().what, HasSubstr("a  failed: device lost"));
  EXPECT_THAT(again.error().what, HasSubstr("b  failed: device lost, too"));
  EXPECT_THAT(attempts, IsEmpty());
}

TEST_F(ChainTest, RestartBeginsAtTheFirstAndKeepsTheEvents) {
  plan({"a", "b"}, {.exclude = {"cpu"}});
  ASSERT_TRUE(chain->start());
  run_failures["a"] = broken("device lost");
  run_failures["b"] = broken("device lost");
  EXPECT_FALSE(call());
  run_failures.clear();
  ASSERT_TRUE(chain->restart(made));
  EXPECT_EQ(in_use(), "a");
  EXPECT_TRUE(call());
  EXPECT_THAT(events(), ElementsAre("a run", "b run"));
}

TEST_F(ChainTest, ARestartThatOpensNothingLeavesWhatWorked) {
  plan({"a"});
  opener.failures["a"] = {Stage::Create, broken("no device")};
  ASSERT_TRUE(chain->start());
  opener.failures["cpu"] = {Stage::Create, broken("no memory")};
  EXPECT_FALSE(chain->restart(made));
  EXPECT_EQ(in_use(), "cpu");
  EXPECT_TRUE(call());
}

TEST_F(ChainTest, ARestartTriesWhatANewPlanBrings) {
  plan({"b"});
  ASSERT_TRUE(chain->start());
  const Plan& before = chain->plan();
  ASSERT_TRUE(chain->restart(plan_of({"a", "b"})));
  EXPECT_EQ(in_use(), "a");
  EXPECT_NE(chain->plan().candidate("a"), nullptr);
  EXPECT_EQ(chain->plan().candidate("a"), chain->current()->candidate);
  EXPECT_EQ(before.candidate("a"), nullptr);
  run_failures["a"] = broken("device lost");
  EXPECT_TRUE(call());
  EXPECT_EQ(in_use(), "b");
}

TEST_F(ChainTest, ANewPlanOfWhichNothingOpensSaysWhyAndLeavesTheOldOneWithWhatWorks) {
  plan({"a", "b"});
  ASSERT_TRUE(chain->start());
  const Plan* before = &chain->plan();
  opener.failures["c"] = {Stage::Create, broken("no device")};
  const auto restarted = chain->restart(plan_of({"c"}, {.only = {"c"}}));
  ASSERT_FALSE(restarted);
  EXPECT_EQ(restarted.error().what, "no device");
  EXPECT_EQ(&chain->plan(), before);
  EXPECT_EQ(in_use(), "a");
  run_failures["a"] = broken("device lost");
  EXPECT_TRUE(call());
  EXPECT_EQ(in_use(), "b");
}

TEST_F(ChainTest, WhereNothingWorksTheNewPlansReasonsAreTold) {
  plan({"a", "b"}, {.exclude = {"cpu"}});
  ASSERT_TRUE(chain->start());
  run_failures["a"] = run_failures["b"] = broken("device lost");
  EXPECT_FALSE(call());
  opener.failures["c"] = {Stage::Create, broken("no device")};
  EXPECT_FALSE(chain->restart(plan_of({"c"}, {.only = {"c"}})));
  EXPECT_EQ(call().error().what, "no device");
  EXPECT_NE(chain->plan().candidate("c"), nullptr);
}

TEST_F(ChainTest, ACallThatFailedOnTheLastOfAnOldPlanIsTriedOnTheOneInUse) {
  plan({});
  ASSERT_TRUE(chain->start());
  const OpenedPtr failed = chain->current();
  ASSERT_TRUE(chain->restart(plan_of({"a"})));
  EXPECT_TRUE(chain->recover(failed, broken("no memory"),
                             [this](const OpenedPtr& opened, Stage&) { return attempt(opened); }));
  EXPECT_THAT(attempts, ElementsAre("a"));
  EXPECT_EQ(in_use(), "a");
}

TEST_F(ChainTest, AnEqualPlanTakesNoPlace) {
  plan({"a", "b"});
  ASSERT_TRUE(chain->start());
  const Plan* before = &chain->plan();
  ASSERT_TRUE(chain->restart(plan_of({"a", "b"})));
  EXPECT_EQ(&chain->plan(), before);
  EXPECT_THAT(opener.opened, ElementsAre("a", "a"));
}

TEST_F(ChainTest, ManyThreadsThatSeeOneFailureReplaceItOnce) {
  constexpr int kThreads = 8;
  plan({"a", "b"});
  ASSERT_TRUE(chain->start());
  const OpenedPtr failed = chain->current();
  std::atomic<int> answered = 0;
  {
    std::deque<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&] {
        const auto answer = [](const OpenedPtr& opened, Stage&) -> Result<void> {
          if (opened->candidate->name == "a") return fail(broken("device lost"));
          return {};
        };
        if (chain->recover(failed, broken("device lost"), answer)) ++answered;
      });
  }
  EXPECT_EQ(answered, kThreads);
  EXPECT_EQ(in_use(), "b");
  EXPECT_THAT(opener.opened, ElementsAre("a", "b"));
  EXPECT_THAT(events(), ElementsAre("a run"));
}

TEST_F(ChainTest, ACallMadeWhileACandidateIsOpeningWaitsForIt) {
  made = plan_of({"a"});
  std::atomic<bool> opening = false;
  Chain slow(made,
             [&](const Plan&, const Candidate& candidate) -> OpenResult {
               opening = true;
               std::this_thread::sleep_for(std::chrono::milliseconds(50));
               return Opened{.candidate = &candidate, .session = nullptr};
             },
             {});
  const std::jthread restarting([&] { EXPECT_TRUE(slow.restart(made)); });
  while (!opening) std::this_thread::yield();
  EXPECT_TRUE(slow.in_use());
}

TEST_F(ChainTest, ARequestThatNothingCouldJudgeCostsNoSession) {
  plan({"a"});
  ASSERT_TRUE(chain->start());
  opener.failures["cpu"] = {Stage::Create, {.code = ErrorCode::Unsupported, .what = "no kernel"}};
  run_failures["a"] = {.code = ErrorCode::RunFailed, .what = "index out of range"};
  const auto done = call();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().what, "index out of range");
  EXPECT_EQ(in_use(), "a");
  run_failures.clear();
  EXPECT_TRUE(call());
}

TEST_F(ChainTest, AProviderThatFailsStaysWhileNothingBehindItOpens) {
  plan({"a"});
  ASSERT_TRUE(chain->start());
  opener.failures["cpu"] = {Stage::Create, {.code = ErrorCode::Unsupported, .what = "no kernel"}};
  run_failures["a"] = broken("device busy");
  EXPECT_FALSE(call());
  run_failures.clear();
  EXPECT_TRUE(call());
}

TEST_F(ChainTest, AListenerThatThrowsChangesNothing) {
  made = plan_of({"a"});
  Chain throwing(
      made, [this](const Plan&, const Candidate& candidate) { return opener(candidate); },
      [](const FallbackEvent&) { throw std::runtime_error("from the listener"); });
  opener.failures["a"] = {Stage::Create, broken("no device")};
  EXPECT_TRUE(throwing.start());
  EXPECT_EQ(throwing.events().size(), 1u);
}

}  // namespace
}  // namespace surefoot::session
