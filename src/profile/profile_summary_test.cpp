#include <fmt/format.h>
#include <gmock/gmock.h>

#include "surefoot/profile.hpp"

namespace surefoot {
namespace {

using ::testing::HasSubstr;
using namespace std::chrono_literals;

struct Kernel {
  const char* name;
  const char* op;
  const char* provider = "CPUExecutionProvider";
  int begin = 0, duration = 0;
};

std::string line(const Kernel& kernel) {
  return fmt::format(
      R"({{"cat" : "Node","tid" :1,"dur" :{},"ts" :{},"ph" : "X","name" :"{}_kernel_time",)"
      R"("args" : {{"op_name" : "{}","provider" : "{}","input_type_shape" : [{{"float":[1]}}]}}}},)"
      "\n",
      kernel.duration, kernel.begin, kernel.name, kernel.op, kernel.provider);
}

std::string run_of(std::initializer_list<Kernel> kernels, int duration) {
  std::string text;
  for (const Kernel& kernel : kernels) text += line(kernel);
  return text +
         fmt::format(R"({{"cat" : "Session","tid" :1,"dur" :{},"ts" :0,"name" :"model_run","args" : {{}}}},)"
                     "\n",
                     duration);
}

TEST(ProfileSummary, AddsUpByOperatorAndByProvider) {
  const auto run = [](int begin) {
    return run_of({{"a", "Conv", "CUDAExecutionProvider", begin, 50},
                   {"b", "Conv", "CUDAExecutionProvider", begin + 60, 10},
                   {"c", "Gather", "CPUExecutionProvider", begin + 80, 5}},
                  90);
  };
  const auto summary = read_profile_text("[\n" + run(0) + run(100) + "]\n");
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->runs, 2U);
  EXPECT_EQ(summary->run_time, 180us);
  EXPECT_EQ(summary->node_time, 130us);
  ASSERT_EQ(summary->operators.size(), 2U);
  EXPECT_EQ(summary->operators[0].op, "Conv");
  EXPECT_EQ(summary->operators[0].nodes, 2U);
  EXPECT_EQ(summary->operators[0].calls, 4U);
  EXPECT_EQ(summary->operators[0].total, 120us);
  ASSERT_EQ(summary->providers.size(), 2U);
  EXPECT_EQ(summary->providers[0].provider, "cuda");
  EXPECT_EQ(summary->providers[1].provider, "cpu");
  EXPECT_EQ(summary->longest(1)[0].name, "a");
}

TEST(ProfileSummary, LeavesOutTheRunsThatWarmUp) {
  const std::string first = run_of({{"a", "Conv", "CPUExecutionProvider", 0, 900}}, 1000);
  const std::string next = run_of({{"a", "Conv", "CPUExecutionProvider", 2000, 10}}, 20);
  const auto summary = read_profile_text(first + next, {.skip_runs = 1});
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->runs, 1U);
  EXPECT_EQ(summary->node_time, 10us);
}

TEST(ProfileSummary, CountsTheTimeOfABodyOnce) {
  const auto summary = read_profile_text(run_of(
      {{"inner", "Add", "CPUExecutionProvider", 10, 30}, {"if", "If", "CPUExecutionProvider", 5, 50}}, 60));
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->node_time, 50us);
  EXPECT_EQ(summary->nodes[1].op, "If");
  EXPECT_EQ(summary->nodes[1].total, 20us);
}

TEST(ProfileSummary, TellsCopiesAndStretchesApart) {
  const auto summary = read_profile_text(run_of({{"in", "MemcpyFromHost", "CUDAExecutionProvider", 0, 10},
                                                 {"a", "Conv", "CUDAExecutionProvider", 10, 10},
                                                 {"out", "MemcpyToHost", "CUDAExecutionProvider", 20, 10},
                                                 {"b", "NonZero", "CPUExecutionProvider", 30, 5},
                                                 {"c", "Conv", "CUDAExecutionProvider", 40, 5}},
                                                60));
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->copies_to_device, 1U);
  EXPECT_EQ(summary->copies_from_device, 1U);
  EXPECT_EQ(summary->share_of_copies(), 0.5);
  EXPECT_EQ(summary->providers[0].partitions, 2U);
  EXPECT_EQ(summary->providers[1].partitions, 1U);
}

TEST(ProfileSummary, LosesOnlyTheEventOfALineThatCannotBeRead) {
  std::string text = run_of({{"a", "Conv", "CPUExecutionProvider", 0, 10}}, 20);
  text += line({"b\"c", "Conv", "CPUExecutionProvider", 30, 10});
  text += line({"d", "Relu", "CPUExecutionProvider", 50, 10}).substr(0, 60);
  const auto summary = read_profile_text(text);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->nodes.size(), 1U);
  EXPECT_EQ(summary->unread_events, 2U);
}

TEST(ProfileSummary, RefusesAFileThatIsNoTrace) {
  for (const char* text : {"", "[\n]\n", "{\"a\": 1}", "\x7f\x45LF"}) {
    const auto summary = read_profile_text(text);
    ASSERT_FALSE(summary) << text;
    EXPECT_EQ(summary.error().code, ErrorCode::InvalidArgument);
    EXPECT_THAT(summary.error().what, HasSubstr("no profile"));
  }
}

TEST(ProfileSummary, SaysThatAFileIsMissing) {
  const auto summary = read_profile("/nowhere/profile.json");
  ASSERT_FALSE(summary);
  EXPECT_EQ(summary.error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace surefoot
