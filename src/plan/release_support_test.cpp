#include "plan/release_support.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "onnx/model_writer.hpp"
#include "surefoot/session.hpp"
#include "tests/support/models.hpp"
#include "tests/support/runtimes.hpp"

namespace surefoot::plan {
namespace {

using ::testing::HasSubstr;

ModelInfo model_of(std::int64_t ir, std::int64_t opset) {
  return {.ir_version = ir, .opsets = {{.domain = "", .version = opset}}};
}

TEST(ReleaseSupport, RowsAreInOrderAndNeverTakeBackWhatWasAccepted) {
  const auto rows = known_releases();
  for (std::size_t i = 1; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].minor, rows[i - 1].minor + 1);
    EXPECT_GE(rows[i].ir, rows[i - 1].ir);
    EXPECT_GE(rows[i].opset, rows[i - 1].opset);
  }
}

TEST(ReleaseSupport, TheFirstReleaseIsTheOneThatHasBothIrVersionAndOpset) {
  EXPECT_EQ(first_release_for(model_of(8, 17))->minor, 20);
  EXPECT_EQ(first_release_for(model_of(10, 22))->minor, 21);
  EXPECT_EQ(first_release_for(model_of(11, 21))->minor, 23);
  EXPECT_EQ(first_release_for(model_of(99, 17)), nullptr);
}

TEST(ReleaseSupport, ARefusalNamesBothNumbers) {
  EXPECT_EQ(refusal(support_of(20), model_of(13, 17)), "it reads IR versions up to 10, the model has 13");
  EXPECT_EQ(refusal(support_of(20), model_of(10, 22)),
            "it has opsets of ai.onnx up to 21, the model uses 22");
  EXPECT_EQ(refusal(support_of(32), model_of(10, 22)), "");
}

TEST(ReleaseSupport, ReleasesOutsideTheTableTakeTheNearestRow) {
  EXPECT_EQ(support_of(99).minor, 32);
  EXPECT_EQ(support_of(0).minor, 20);
}

/// Whether a real ORT opens a model of that IR version and opset.
bool opens(const tests::TestRuntime& which, std::int64_t ir, std::int64_t opset) {
  const auto runtime = Runtime::load({.library = which.library});
  const std::string model = tests::identity_model(onnx::tensor_type(ElementType::Float32, {1}), opset, ir);
  return Session::open(tests::bytes_of(model), {.runtime = runtime.value(), .providers = {.only = {"cpu"}}})
      .has_value();
}

TEST(ReleaseSupport, RealRuntimesAcceptWhatTheTableSaysAndNoMore) {
  NEED_RUNTIME();
  for (const tests::TestRuntime& which : tests::test_runtimes()) {
    SCOPED_TRACE(which.library);
    const auto runtime = Runtime::load({.library = which.library});
    ASSERT_TRUE(runtime) << to_string(runtime.error());
    const ReleaseSupport& row = support_of(runtime->api_version());
    EXPECT_TRUE(opens(which, row.ir, row.opset));
    EXPECT_FALSE(opens(which, row.ir + 1, row.opset));
    EXPECT_FALSE(opens(which, row.ir, row.opset + 1));
  }
}

}  // namespace
}  // namespace surefoot::plan
