#include "ort/log.hpp"

#include <gmock/gmock.h>

#include <stdexcept>
#include <thread>

namespace surefoot::ort {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

void log(LogLevel level, const char* message) {
  receive_log(nullptr, static_cast<OrtLoggingLevel>(level), "category", "id", "file.cc:12 function", message);
}

/// Sets the sink for one test.
class LogSinkTest : public testing::Test {
 protected:
  void listen(LogLevel level) {
    set_log_sink([this](const LogRecord& record) { received_.emplace_back(record.message); }, level);
  }
  ~LogSinkTest() override { set_log_sink({}, LogLevel::Warning); }

  std::vector<std::string> received_;
};

TEST_F(LogSinkTest, ReceivesRecordsAtItsLevelAndAbove) {
  listen(LogLevel::Error);
  log(LogLevel::Info, "info");
  log(LogLevel::Warning, "warning");
  log(LogLevel::Error, "error");
  log(LogLevel::Fatal, "fatal");
  EXPECT_THAT(received_, ElementsAre("error", "fatal"));
}

TEST_F(LogSinkTest, ReceivesEverythingWhenItWantsTo) {
  listen(LogLevel::Verbose);
  log(LogLevel::Verbose, "verbose");
  log(LogLevel::Info, "info");
  EXPECT_THAT(received_, ElementsAre("verbose", "info"));
}

TEST_F(LogSinkTest, LearnsWhereALineComesFrom) {
  std::string seen;
  set_log_sink(
      [&](const LogRecord& record) {
        seen = std::string(to_string(record.level)) + "|" + std::string(record.category) + "|" +
               std::string(record.location) + "|" + std::string(record.message);
      },
      LogLevel::Warning);
  log(LogLevel::Warning, "text");
  EXPECT_EQ(seen, "warning|category|file.cc:12 function|text");
}

TEST_F(LogSinkTest, MayThrowWithoutHarm) {
  int calls = 0;
  set_log_sink(
      [&](const LogRecord&) {
        ++calls;
        throw std::runtime_error("a sink must not, but one day one does");
      },
      LogLevel::Warning);
  const LogCapture capture;
  log(LogLevel::Error, "first");
  log(LogLevel::Error, "second");
  EXPECT_EQ(calls, 2);
  EXPECT_THAT(capture.lines(), ElementsAre("first", "second"));
}

TEST_F(LogSinkTest, MayReplaceItself) {
  set_log_sink([this](const LogRecord&) { listen(LogLevel::Warning); }, LogLevel::Warning);
  log(LogLevel::Error, "to the first");
  log(LogLevel::Error, "to the second");
  EXPECT_THAT(received_, ElementsAre("to the second"));
}

TEST_F(LogSinkTest, IsReplacedByTheNextAndSilencedByNone) {
  listen(LogLevel::Warning);
  set_log_sink({}, LogLevel::Verbose);
  log(LogLevel::Fatal, "to nobody");
  EXPECT_THAT(received_, IsEmpty());
}

TEST_F(LogSinkTest, NeedsWarningsFromOrtWhateverItsOwnLevel) {
  EXPECT_EQ(log_level(), LogLevel::Warning);
  listen(LogLevel::Verbose);
  EXPECT_EQ(log_level(), LogLevel::Verbose);
  listen(LogLevel::Fatal);
  EXPECT_EQ(log_level(), LogLevel::Warning) << "they explain failures";
  set_log_sink({}, LogLevel::Verbose);
  EXPECT_EQ(log_level(), LogLevel::Warning);
}

TEST(LogCapture, KeepsWarningsAndErrorsWhileItLives) {
  log(LogLevel::Error, "before");
  {
    const LogCapture capture;
    log(LogLevel::Info, "too low");
    log(LogLevel::Warning, "warning");
    log(LogLevel::Error, "error");
    EXPECT_THAT(capture.lines(), ElementsAre("warning", "error"));
  }
  log(LogLevel::Error, "after, into nothing that was destroyed");
}

TEST(LogCapture, NestsSoThatEachLineBelongsToTheInnermost) {
  const LogCapture outer;
  log(LogLevel::Error, "outer");
  {
    const LogCapture inner;
    log(LogLevel::Error, "inner");
    EXPECT_THAT(inner.lines(), ElementsAre("inner"));
  }
  log(LogLevel::Error, "outer again");
  EXPECT_THAT(outer.lines(), ElementsAre("outer", "outer again"));
}

TEST(LogCapture, IsBlindToOtherThreads) {
  const LogCapture capture;
  std::thread([] { log(LogLevel::Error, "elsewhere"); }).join();
  EXPECT_THAT(capture.lines(), IsEmpty());
}

TEST(LogCapture, AttachesEachLineOnceBehindOrtsText) {
  const LogCapture capture;
  log(LogLevel::Error, "libcublasLt.so.13: cannot open shared object file");
  log(LogLevel::Error, "libcublasLt.so.13: cannot open shared object file");
  log(LogLevel::Error, "the status text");
  const Error error = capture.explain(
      {.code = ErrorCode::RunFailed, .what = "w", .native = NativeError{1, "the status text"}});
  ASSERT_TRUE(error.native);
  EXPECT_EQ(error.native->code, 1);
  EXPECT_EQ(error.native->text, "the status text\nlibcublasLt.so.13: cannot open shared object file");
}

TEST(LogCapture, ExplainsAnErrorThatHasNoTextOfOrt) {
  const LogCapture capture;
  log(LogLevel::Warning, "a reason");
  EXPECT_EQ(capture.explain({.what = "w"}).native->text, "a reason");
}

TEST(LogCapture, LeavesAnErrorAsItIsWhenNothingWasLogged) {
  const LogCapture capture;
  EXPECT_FALSE(capture.explain({.what = "w"}).native);
}

TEST(LogLevel, HasNames) {
  EXPECT_EQ(to_string(LogLevel::Verbose), "verbose");
  EXPECT_EQ(to_string(LogLevel::Info), "info");
  EXPECT_EQ(to_string(LogLevel::Warning), "warning");
  EXPECT_EQ(to_string(LogLevel::Error), "error");
  EXPECT_EQ(to_string(LogLevel::Fatal), "fatal");
  EXPECT_EQ(to_string(static_cast<LogLevel>(9)), "unknown");
}

}  // namespace
}  // namespace surefoot::ort
