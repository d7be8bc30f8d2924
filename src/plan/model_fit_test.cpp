#include "plan/model_fit.hpp"

#include <gmock/gmock.h>

namespace surefoot {
namespace {

using testing::AllOf;
using testing::HasSubstr;

MachineFacts machine_of(int minor) {
  return {.runtime_version = "1." + std::to_string(minor) + ".0",
          .runtime_path = "/lib/libonnxruntime.so",
          .api_version = minor};
}

ModelInfo model_of(std::int64_t ir_version, std::int64_t opset, const std::string& domain = "") {
  ModelInfo model{.ir_version = ir_version};
  model.opsets.push_back({.domain = domain, .version = opset});
  return model;
}

bool fits(int minor, const ModelInfo& model) {
  return plan::check_model_fits(machine_of(minor), model).has_value();
}

TEST(ModelFit, KnowsTheNewestThatEachOrtReads) {
  struct {
    int minor;
    std::int64_t ir_version, opset;
  } rows[] = {{20, 10, 21}, {23, 11, 23}, {27, 13, 26}, {31, 13, 26}, {32, 14, 28}};
  for (const auto& [minor, ir_version, opset] : rows) {
    EXPECT_TRUE(fits(minor, model_of(ir_version, opset))) << minor;
    EXPECT_FALSE(fits(minor, model_of(ir_version + 1, opset))) << minor;
    EXPECT_FALSE(fits(minor, model_of(ir_version, opset + 1))) << minor;
  }
}

TEST(ModelFit, RefusesNoModelThatAnUnmeasuredOrtMayRead) {
  EXPECT_TRUE(fits(25, model_of(13, 26)));  // between 1.23 and 1.27
  EXPECT_FALSE(fits(25, model_of(14, 26)));
  EXPECT_TRUE(fits(33, model_of(99, 99)));
  EXPECT_TRUE(fits(0, model_of(99, 99)));
}

TEST(ModelFit, NamesBothVersionsTheLibraryAndTheWayOut) {
  const Error ir = plan::check_model_fits(machine_of(32), model_of(99, 17)).error();
  EXPECT_EQ(ir.code, ErrorCode::InvalidModel);
  EXPECT_EQ(ir.what,
            "the model has IR version 99, ONNX Runtime 1.32.0 (`/lib/libonnxruntime.so`) reads up to 14");
  const Error opset = plan::check_model_fits(machine_of(23), model_of(8, 6, "ai.onnx.ml")).error();
  EXPECT_THAT(opset.what, AllOf(HasSubstr("opset 6 of ai.onnx.ml"), HasSubstr("reads up to 5")));
  EXPECT_THAT(opset.hint, HasSubstr("export the model for opset 5"));
}

TEST(ModelFit, LeavesOpsetsToAnOrtThatIsToldToTryThem) {
  MachineFacts machine = machine_of(32);
  machine.unreleased_opsets = true;
  EXPECT_TRUE(plan::check_model_fits(machine, model_of(8, 99)));
  EXPECT_FALSE(plan::check_model_fits(machine, model_of(99, 17)));
}

TEST(ModelFit, LeavesOpsetsOfForeignDomainsToWhoBringsThem) {
  EXPECT_TRUE(fits(32, model_of(8, 99, "com.acme")));
}

TEST(ModelFit, EndsThePlan) {
  const auto plan = make_plan(machine_of(32), model_of(99, 17), {});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::InvalidModel);
}

TEST(ForeignOperators, AreThoseThatNeitherOrtNorTheModelHas) {
  ModelInfo model;
  model.ops = {{.domain = "", .op = "Relu", .count = 4},
               {.domain = "com.acme", .op = "Frob", .count = 3},
               {.domain = "com.acme", .op = "Local", .count = 2, .defined_here = true},
               {.domain = "com.microsoft", .op = "Gelu", .count = 1},
               {.domain = "ai.onnx.contrib", .op = "Tokenizer", .count = 1}};
  const std::vector<OpCount> foreign = foreign_operators(model);
  ASSERT_EQ(foreign.size(), 2u);
  EXPECT_EQ(foreign[0].op, "Frob");
  EXPECT_EQ(foreign[1].op, "Tokenizer");
}

}  // namespace
}  // namespace surefoot
