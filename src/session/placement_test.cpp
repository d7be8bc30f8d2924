#include "session/placement.hpp"

#include "ort/environment.hpp"
#include "ort/session_options.hpp"
#include "tests/support/session_fixture.hpp"

namespace surefoot::session {
namespace {

using ::testing::HasSubstr;

/// A model that is open on the CPU of that runtime.
std::shared_ptr<const ort::Session> opened_on(const Runtime& runtime, const std::string& model) {
  const auto options = ort::make_options(runtime.environment(), {}).value();
  return ort::Session::open(runtime.environment(), {}, tests::bytes_of(model), options).value();
}

TEST(CheckPlacement, GivesANoteWhereOrtTellsNothing) {
  NEED_RUNTIME();
  const std::string model = tests::dense_model();
  const Candidate other{.name = "other", .providers = {"other", "cpu"}};
  int asked = 0;
  for (const tests::TestRuntime& installed : tests::test_runtimes()) {
    const Runtime runtime = Runtime::load({.library = installed.library}).value();
    if (runtime.api_version() >= 24) continue;
    ++asked;
    const auto placed = check_placement(*opened_on(runtime, model), other);
    ASSERT_TRUE(placed) << to_string(placed.error());
    ASSERT_TRUE(*placed);
    EXPECT_EQ((*placed)->code, ErrorCode::Unsupported);
    EXPECT_THAT((*placed)->what, HasSubstr("whether `other` took any node cannot be known"));
    EXPECT_THAT((*placed)->what, HasSubstr("1.24"));
  }
  if (asked == 0) GTEST_SKIP() << "no ONNX Runtime before 1.24 is laid out";
}

TEST(CheckPlacement, IsSureOfTheCpu) {
  NEED_RUNTIME();
  const std::string model = tests::dense_model();
  const auto placed =
      check_placement(*opened_on(tests::main_runtime(), model), {.name = "cpu", .providers = {"cpu"}});
  ASSERT_TRUE(placed);
  EXPECT_FALSE(*placed);
}

}  // namespace
}  // namespace surefoot::session
