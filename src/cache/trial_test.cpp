#include "cache/trial.hpp"

#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/test_folder.hpp"

namespace surefoot::cache {
namespace {

using ::testing::HasSubstr;

TEST(Trial, LeavesNothingWhenItIsOver) {
  const tests::TestFolder folder;
  { ASSERT_TRUE(Trial::begin(folder.path(), "key")); }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_TRUE(Trial::begin(folder.path(), "key"));
}

TEST(Trial, IsNotBegunBesideAnotherOfTheSame) {
  const tests::TestFolder folder;
  const auto one = Trial::begin(folder.path(), "key");
  const auto same = Trial::begin(folder.path(), "key");
  ASSERT_FALSE(same);
  EXPECT_THAT(same.error().what, HasSubstr("another session is storing it"));
  EXPECT_TRUE(Trial::begin(folder.path(), "another"));
}

TEST(Trial, ThatEndedItsProcessIsNotRepeated) {
  const tests::TestFolder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    const auto trial = Trial::begin(folder.path(), "key");
    ::_exit(trial ? 0 : 1);  // without a destructor, as a crash
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  ASSERT_EQ(status, 0);
  const auto again = Trial::begin(folder.path(), "key");
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::InvalidState);
  EXPECT_THAT(again.error().what, HasSubstr("a process ended while it tried"));
}

TEST(Trial, NeedsAFolder) {
  const tests::TestFolder folder;
  const auto trial = Trial::begin(folder / "none", "key");
  ASSERT_FALSE(trial);
  EXPECT_EQ(trial.error().code, ErrorCode::IoFailed);
}

}  // namespace
}  // namespace surefoot::cache
