#include "profile/trace_event.hpp"

#include <gtest/gtest.h>

#include <string>

namespace surefoot::profile {
namespace {

// A line as ONNX Runtime 1.32 writes it, with the nested statistics that stand between what we read.
constexpr std::string_view kLine =
    R"({"cat" : "Node","pid" :10,"tid" :11,"dur" :1466,"ts" :18455,"ph" : "X","name" :"conv_kernel_time",)"
    R"("args" : {"thread_scheduling_stats" : {"main_thread": {"block_size": [1], "core": 1, "Run": -4},)"
    R"( "sub_threads": {"140": {"num_run": 1}}},"op_name" : "Conv","node_index" : "7",)"
    R"("input_type_shape" : [{"float":[1,1]},{"int64":[]}],"provider" : "CPUExecutionProvider"}},)";

TEST(TraceEvent, IsReadOutOfALineOfOrts) {
  const auto event = read_trace_event(kLine);
  ASSERT_TRUE(event);
  EXPECT_EQ(event->category, "Node");
  EXPECT_EQ(event->name, "conv_kernel_time");
  EXPECT_EQ(event->duration_us, 1466);
  EXPECT_EQ(event->begin_us, 18455);
  EXPECT_EQ(event->thread, 11);
  EXPECT_EQ(event->op, "Conv");
  EXPECT_EQ(event->node_index, "7");
  EXPECT_EQ(event->input_type, "float");
  EXPECT_EQ(event->provider, "CPUExecutionProvider");
}

TEST(TraceEvent, KeepsNamesWithQuotesAndBackslashes) {
  const auto event = read_trace_event(R"({"cat" : "Node","name" : "a\"b\\c\/d"})");
  ASSERT_TRUE(event);
  EXPECT_EQ(event->name, R"(a"b\c/d)");
}

TEST(TraceEvent, IsNoneWhereTheLineIsCutAnywhere) {
  const std::string_view whole = kLine.substr(0, kLine.size() - 1);  // the comma behind it may be missing
  EXPECT_TRUE(read_trace_event(whole));
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_FALSE(read_trace_event(whole.substr(0, length))) << whole.substr(0, length);
}

TEST(TraceEvent, SurvivesAnyByteInAnyPlace) {
  for (std::size_t at = 0; at < kLine.size(); ++at)
    for (const char byte : {'\0', '"', '\\', '{', '}', '[', ']', ',', ':', '-', '9', '\xff'}) {
      std::string broken(kLine);
      broken[at] = byte;
      const auto event = read_trace_event(broken);
      EXPECT_TRUE(!event || !event->category.empty());
    }
}

TEST(TraceEvent, RefusesNestingThatNoTraceHas) {
  const std::string deep = R"({"cat" : "Node","args" : )" + std::string(100000, '[');
  EXPECT_FALSE(read_trace_event(deep));
}

TEST(TraceEvent, RefusesALineWithAnUnescapedQuoteInAName) {
  EXPECT_FALSE(read_trace_event(R"({"cat" : "Node","name" :"a"b_kernel_time","args" : {}},)"));
}

}  // namespace
}  // namespace surefoot::profile
