#include "session/fault.hpp"

#include <gtest/gtest.h>

namespace surefoot::session {
namespace {

Error of(ErrorCode code) { return {.code = code, .what = "x"}; }

TEST(Fault, ComesFromTheErrorsCode) {
  EXPECT_EQ(fault_of(of(ErrorCode::Cancelled)), Fault::Caller);
  EXPECT_EQ(fault_of(of(ErrorCode::OutOfMemory)), Fault::Memory);
  EXPECT_EQ(fault_of(of(ErrorCode::ProviderFailed)), Fault::Provider);
  EXPECT_EQ(fault_of(of(ErrorCode::RunFailed)), Fault::Unclear);
  EXPECT_EQ(fault_of(of(ErrorCode::InvalidArgument)), Fault::Unclear);
}

TEST(BlamesInputs, WhenTwoCandidatesRefuseThemInUnclearTerms) {
  EXPECT_TRUE(blames_inputs(of(ErrorCode::RunFailed), of(ErrorCode::InvalidArgument), false));
}

TEST(BlamesInputs, WhenTwoCandidatesRunOutOfMemory) {
  EXPECT_TRUE(blames_inputs(of(ErrorCode::OutOfMemory), of(ErrorCode::OutOfMemory), false));
}

TEST(BlamesInputs, NotWhenBothProvidersSayThatTheyFailed) {
  EXPECT_FALSE(blames_inputs(of(ErrorCode::ProviderFailed), of(ErrorCode::ProviderFailed), false));
}

TEST(BlamesInputs, NotWhenTheKindsDiffer) {
  EXPECT_FALSE(blames_inputs(of(ErrorCode::RunFailed), of(ErrorCode::OutOfMemory), false));
  EXPECT_FALSE(blames_inputs(of(ErrorCode::ProviderFailed), of(ErrorCode::RunFailed), false));
}

TEST(BlamesInputs, WheneverCpuCannotDoItEither) {
  for (const ErrorCode first : {ErrorCode::ProviderFailed, ErrorCode::OutOfMemory, ErrorCode::RunFailed})
    for (const ErrorCode second : {ErrorCode::ProviderFailed, ErrorCode::OutOfMemory, ErrorCode::RunFailed})
      EXPECT_TRUE(blames_inputs(of(first), of(second), true)) << to_string(first) << " " << to_string(second);
}

}  // namespace
}  // namespace surefoot::session
