#include "probe/child_process.hpp"

#include <gmock/gmock.h>

#include <csignal>

namespace surefoot::probe {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

ChildEnd shell(const std::string& script, std::chrono::milliseconds limit = 10s) {
  return run_child({"/bin/sh", "-c", script}, limit).value();
}

TEST(RunChild, HearsTheAnswerAndTheOutputApart) {
  const ChildEnd end = shell("echo noise; echo more >&2; echo outcome works >&3; exit 3");
  EXPECT_EQ(end.answer, "outcome works\n");
  EXPECT_THAT(end.output, HasSubstr("noise\n"));
  EXPECT_THAT(end.output, HasSubstr("more\n"));
  EXPECT_EQ(end.status, 3);
  EXPECT_EQ(end.signal, 0);
}

TEST(RunChild, NamesTheSignal) { EXPECT_EQ(shell("kill -SEGV $$").signal, SIGSEGV); }

TEST(RunChild, KillsTheWholeGroupWhenTheLimitRunsOut) {
  const ChildEnd end = shell("trap '' TERM; (while :; do sleep 1; done) & wait", 200ms);
  EXPECT_TRUE(end.timed_out);
  EXPECT_LT(end.elapsed, 5s);
}

TEST(RunChild, DoesNotWaitForWhatTheChildLeftRunning) {
  const ChildEnd end = shell("sleep 30 & echo outcome works >&3");
  EXPECT_FALSE(end.timed_out);
  EXPECT_LT(end.elapsed, 5s);
}

TEST(RunChild, KeepsTheBeginningOfEndlessOutput) {
  const ChildEnd end = shell("yes | head -c 10000000");
  EXPECT_EQ(end.status, 0);
  EXPECT_LT(end.output.size(), 200'000U);
}

TEST(RunChild, SaysThatAProgramIsNotThere) {
  const auto end = run_child({"/nowhere/surefoot-probe"}, 1s);
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().code, ErrorCode::IoFailed);
  EXPECT_THAT(end.error().what, HasSubstr("/nowhere/surefoot-probe"));
}

}  // namespace
}  // namespace surefoot::probe
