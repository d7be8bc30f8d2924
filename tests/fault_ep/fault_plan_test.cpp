#include "fault_plan.hpp"

#include <gmock/gmock.h>

#include <stdexcept>

#include "comma_list.hpp"

namespace surefoot::fault_ep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<ActionKind> kinds(const Pass& pass) {
  std::vector<ActionKind> kinds;
  for (const Action& action : pass.actions) kinds.push_back(action.kind);
  return kinds;
}

/// What each of the first `passes` passes of `stage` is to do.
std::vector<bool> strikes(const std::string& text, Stage stage, int passes) {
  FaultPlan plan(text);
  std::vector<bool> strikes;
  for (int i = 0; i < passes; ++i) strikes.push_back(!plan.pass(stage).actions.empty());
  return strikes;
}

std::string refusal(const std::string& text) {
  try {
    FaultPlan plan(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FaultPlan, OfAnEmptyTextDoesNothingWrong) {
  FaultPlan plan("");
  EXPECT_THAT(plan.pass(Stage::run).actions, IsEmpty());
}

TEST(FaultPlan, StrikesAtItsStageAndNoOther) {
  FaultPlan plan("compile=fail");
  EXPECT_THAT(kinds(plan.pass(Stage::create)), IsEmpty());
  EXPECT_THAT(kinds(plan.pass(Stage::compile)), ElementsAre(ActionKind::fail));
}

TEST(FaultPlan, StrikesAtEveryPassWhenNoneIsNamed) {
  EXPECT_THAT(strikes("run=fail", Stage::run, 3), ElementsAre(true, true, true));
}

TEST(FaultPlan, StrikesFromTheNamedPassOn) {
  EXPECT_THAT(strikes("run:3=fail", Stage::run, 4), ElementsAre(false, false, true, true));
}

TEST(FaultPlan, StrikesAtTheNamedPassAloneWithAnExclamationMark) {
  EXPECT_THAT(strikes("run:2!=fail", Stage::run, 3), ElementsAre(false, true, false));
}

TEST(FaultPlan, StrikesAtTheFirstPassAloneWithAMarkAndNoNumber) {
  EXPECT_THAT(strikes("run!=fail", Stage::run, 2), ElementsAre(true, false));
}

TEST(FaultPlan, CountsTheStagesApart) {
  FaultPlan plan("run:2=fail");
  plan.pass(Stage::state);
  EXPECT_EQ(plan.pass(Stage::run).number, 1);
  EXPECT_EQ(plan.pass(Stage::run).number, 2);
}

TEST(FaultPlan, KeepsTheOrderOfSeveralFaultsOfOneStage) {
  FaultPlan plan("run=hang:20,compile=oom,run:2=fail");
  EXPECT_THAT(kinds(plan.pass(Stage::run)), ElementsAre(ActionKind::hang));
  EXPECT_THAT(kinds(plan.pass(Stage::run)), ElementsAre(ActionKind::hang, ActionKind::fail));
}

TEST(FaultPlan, ReadsEveryStage) {
  for (const char* stage : {"factories", "devices", "create", "capability", "compile", "build", "load",
                            "state", "run", "release", "send", "fetch", "capture", "replay", "forget"})
    EXPECT_EQ(refusal(std::string(stage) + "=abort"), "accepted") << stage;
}

TEST(FaultPlan, ReadsEveryAction) {
  FaultPlan plan("run=fail,run=oom,run=wrong,run=hang:7,run=throw,run=segv,run=abort,run=exit,devices=none");
  EXPECT_THAT(kinds(plan.pass(Stage::run)),
              ElementsAre(ActionKind::fail, ActionKind::oom, ActionKind::wrong, ActionKind::hang,
                          ActionKind::thrown, ActionKind::segv, ActionKind::abort, ActionKind::exit));
  EXPECT_THAT(kinds(plan.pass(Stage::devices)), ElementsAre(ActionKind::none));
}

TEST(FaultPlan, KeepsTheLengthOfAHang) {
  FaultPlan plan("run=hang:1500");
  EXPECT_EQ(plan.pass(Stage::run).actions.at(0).sleep, std::chrono::milliseconds(1500));
}

TEST(FaultPlan, KeepsAChosenTextWithItsCommasAndParentheses) {
  FaultPlan plan("run=fail(no kernel image is available, (sm_90)),run=oom");
  const Pass pass = plan.pass(Stage::run);
  EXPECT_EQ(pass.actions.at(0).text, "no kernel image is available, (sm_90)");
  EXPECT_EQ(pass.actions.at(1).kind, ActionKind::oom);
}

TEST(FaultPlan, RefusesAnUnknownStageAndListsTheKnownOnes) {
  EXPECT_THAT(refusal("runn=fail"),
              AllOf(HasSubstr("`runn`"), HasSubstr("capability compile build load state run")));
}

TEST(FaultPlan, RefusesAnUnknownActionAndListsTheKnownOnes) {
  EXPECT_THAT(refusal("run=explode"), AllOf(HasSubstr("`explode`"), HasSubstr("hang:MS")));
}

TEST(FaultPlan, RefusesWhatIsNoFault) { EXPECT_THAT(refusal("run"), HasSubstr("stage[:n][!]=action")); }

TEST(FaultPlan, RefusesAPassThatIsNoNumberFromOneOn) {
  for (const char* fault : {"run:=fail", "run:0=fail", "run:-1=fail", "run:two=fail", "run:2x=fail"})
    EXPECT_THAT(refusal(fault), HasSubstr("from 1 on")) << fault;
}

TEST(FaultPlan, RefusesAHangWithoutALength) {
  for (const char* fault : {"run=hang", "run=hang:", "run=hang:soon", "run=hang:-5"})
    EXPECT_THAT(refusal(fault), HasSubstr("unknown action")) << fault;
}

TEST(FaultPlan, RefusesAnActionThatItsStageCannotShow) {
  for (const char* fault : {"run=none", "compile=wrong", "release=fail", "release=oom"})
    EXPECT_THAT(refusal(fault), HasSubstr("no effect")) << fault;
}

TEST(Stages, HaveNamesThatReadBack) {
  for (std::size_t i = 0; i < kStageCount; ++i) {
    const auto stage = static_cast<Stage>(i);
    EXPECT_EQ(stage_from(to_string(stage)), stage);
  }
  EXPECT_EQ(stage_from("walk"), std::nullopt);
}

TEST(SplitList, KeepsCommasInsideParentheses) {
  EXPECT_THAT(split_list("a,b(c,d),e"), ElementsAre("a", "b(c,d)", "e"));
}

TEST(SplitList, OfAnEmptyTextHasNoItems) { EXPECT_THAT(split_list(""), IsEmpty()); }

}  // namespace
}  // namespace surefoot::fault_ep
