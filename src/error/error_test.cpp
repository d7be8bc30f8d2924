#include "surefoot/error.hpp"

#include <gmock/gmock.h>

#include <set>

namespace surefoot {
namespace {

struct NamedCode {
  ErrorCode code;
  int number;
  std::string_view name;
};

// C, Python, HTTP and exit codes derive from these numbers: a changed one breaks programs already built.
constexpr NamedCode kFrozen[] = {
    {ErrorCode::InvalidArgument, 1, "InvalidArgument"},
    {ErrorCode::InvalidInput, 2, "InvalidInput"},
    {ErrorCode::NotFound, 3, "NotFound"},
    {ErrorCode::InvalidModel, 4, "InvalidModel"},
    {ErrorCode::RuntimeUnavailable, 5, "RuntimeUnavailable"},
    {ErrorCode::Unsupported, 6, "Unsupported"},
    {ErrorCode::ProviderFailed, 7, "ProviderFailed"},
    {ErrorCode::RunFailed, 8, "RunFailed"},
    {ErrorCode::OutOfMemory, 9, "OutOfMemory"},
    {ErrorCode::IoFailed, 10, "IoFailed"},
    {ErrorCode::InvalidState, 11, "InvalidState"},
    {ErrorCode::Cancelled, 12, "Cancelled"},
    {ErrorCode::TimedOut, 13, "TimedOut"},
    {ErrorCode::Internal, 14, "Internal"},
};

TEST(ErrorCode, HasFrozenNumbersAndNames) {
  for (const NamedCode& each : kFrozen) {
    EXPECT_EQ(static_cast<int>(each.code), each.number);
    EXPECT_EQ(to_string(each.code), each.name);
  }
}

TEST(ErrorCode, IsUnknownOutsideOfTheList) {
  EXPECT_EQ(to_string(static_cast<ErrorCode>(0)), "Unknown");
  EXPECT_EQ(to_string(static_cast<ErrorCode>(15)), "Unknown");
  EXPECT_EQ(to_string(static_cast<ErrorCode>(-1)), "Unknown");
}

TEST(Error, IsItsClauseAloneWhenNothingElseIsKnown) {
  EXPECT_EQ(to_string(Error{.code = ErrorCode::NotFound, .what = "`a.onnx` does not exist"}),
            "`a.onnx` does not exist");
}

TEST(Error, PrintsFramesInnermostFirstThenOrtsWordsThenTheHint) {
  const Error error{.code = ErrorCode::RunFailed,
                    .what = "the model failed",
                    .doing = {"binding inputs", "running `bert.onnx`"},
                    .hint = "update the driver",
                    .native = NativeError{11, "EP_FAIL: no kernel image"}};
  EXPECT_EQ(to_string(error),
            "the model failed\n"
            "  while binding inputs\n"
            "  while running `bert.onnx`\n"
            "  ONNX Runtime (11): EP_FAIL: no kernel image\n"
            "hint: update the driver");
}

TEST(Error, GainsEnclosingFramesOnItsWayUp) {
  const Error error =
      Error{.code = ErrorCode::IoFailed, .what = "w"}.while_doing("reading").while_doing("opening");
  EXPECT_THAT(error.doing, testing::ElementsAre("reading", "opening"));
}

TEST(Error, KeepsEverythingWhenItIsCopied) {
  const Error error{.code = ErrorCode::TimedOut,
                    .what = "w",
                    .doing = {"d"},
                    .hint = "h",
                    .native = NativeError{3, "text"}};
  const Error copy = error;
  EXPECT_EQ(to_string(copy), to_string(error));
  EXPECT_EQ(copy.code, ErrorCode::TimedOut);
}

}  // namespace
}  // namespace surefoot
