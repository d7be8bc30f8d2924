#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "provider/catalogue.hpp"

namespace surefoot::provider {
namespace {

using testing::HasSubstr;
using testing::Not;

Result<void> check(std::string_view provider, const OptionMap& options, int ort_minor = 0) {
  return check_options(*find(provider), options, ort_minor);
}

std::string problem(std::string_view provider, const OptionMap& options, int ort_minor = 0) {
  const auto checked = check(provider, options, ort_minor);
  return checked ? "" : checked.error().what;
}

TEST(CheckOptions, AcceptsOptionsThatTheProvidersReallyTake) {
  EXPECT_TRUE(check("cuda", {{"device_id", "0"},
                             {"gpu_mem_limit", "18446744073709551615"},
                             {"arena_extend_strategy", "kSameAsRequested"},
                             {"cudnn_conv_algo_search", "HEURISTIC"},
                             {"enable_cuda_graph", "1"},
                             {"use_tf32", "False"},
                             {"user_compute_stream", "0x7ffc00112233"}}));
  EXPECT_TRUE(check("openvino", {{"device_type", "AUTO:GPU.0,CPU"},
                                 {"num_of_threads", "4"},
                                 {"load_config", "{\"CPU\": {\"NUM_STREAMS\": \"1\"}}"}}));
  EXPECT_TRUE(check("tensorrt", {{"trt_profile_min_shapes", "x:1x3x8x8,a:b:1"},
                                 {"trt_profile_opt_shapes", "x:4x3x8x8,a:b:2"},
                                 {"trt_profile_max_shapes", "x:8x3x8x8,a:b:4"},
                                 {"trt_auxiliary_streams", "-1"}}));
  EXPECT_TRUE(check("cpu", {}));
}

TEST(CheckOptions, GivesTheNearestKey) {
  const auto checked = check("openvino", {{"devise_type", "CPU"}});
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(checked.error().what, "provider option `devise_type` is not one of openvino's");
  EXPECT_EQ(checked.error().hint, "did you mean `device_type`?");
}

TEST(CheckOptions, NamesTheWayRoundTheCheckWhenNoKeyIsNear) {
  EXPECT_EQ(check("cuda", {{"warp_factor", "9"}}).error().hint,
            "write `raw:warp_factor` to pass it on unchecked");
}

TEST(CheckOptions, PutsAllProblemsIntoOneError) {
  const auto checked =
      check("openvino", {{"devise_type", "CPU"}, {"precision", "FP99"}, {"num_streams", "many"}});
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().what, HasSubstr("`devise_type` is not one of openvino's"));
  EXPECT_THAT(checked.error().what,
              HasSubstr("`precision` of openvino is `FP99`, allowed are `FP16`, `FP32`"));
  EXPECT_THAT(checked.error().what,
              HasSubstr("`num_streams` of openvino is `many`, wanted is a whole number"));
}

TEST(CheckOptions, NamesTheRangeOfANumber) {
  EXPECT_EQ(problem("tensorrt", {{"trt_builder_optimization_level", "6"}}),
            "provider option `trt_builder_optimization_level` of tensorrt is `6`, wanted is a whole number "
            "from 0 to 5");
  EXPECT_THAT(problem("cuda", {{"device_id", "-1"}}), HasSubstr("wanted is a whole number, 0 or more"));
  EXPECT_THAT(problem("cuda", {{"device_id", "0 "}}), HasSubstr("wanted is a whole number"));
  EXPECT_THAT(problem("cuda", {{"device_id", "99999999999999999999"}}),
              HasSubstr("wanted is a whole number"));
}

TEST(CheckOptions, TakesOnOffValuesInTheFormThatTheProviderReads) {
  EXPECT_EQ(problem("cuda", {{"use_tf32", "true"}}), "");
  EXPECT_THAT(problem("cuda", {{"use_tf32", "yes"}}), HasSubstr("allowed are `0`, `1`, `true`"));
  EXPECT_THAT(problem("webgpu", {{"enableGraphCapture", "true"}}), HasSubstr("allowed are `0`, `1`"));
  EXPECT_THAT(problem("openvino", {{"enable_qdq_optimizer", "1"}}), HasSubstr("allowed are `true`, `false`"));
}

TEST(CheckOptions, RefusesEmptyValuesAndBrokenJson) {
  EXPECT_THAT(problem("tensorrt", {{"trt_engine_cache_path", ""}}), HasSubstr("not empty"));
  EXPECT_THAT(problem("openvino", {{"load_config", "{\"CPU\": "}}), HasSubstr("JSON object"));
  EXPECT_EQ(problem("openvino", {{"load_config", "/etc/openvino.json"}}), "");
}

TEST(CheckOptions, PassesMarkedKeysUnchecked) {
  EXPECT_TRUE(check("cuda", {{"raw:option_of_tomorrow", "x"}}));
  EXPECT_EQ(option_key("raw:option_of_tomorrow"), "option_of_tomorrow");
  EXPECT_EQ(option_key("device_id"), "device_id");
  EXPECT_FALSE(check("cuda", {{"raw:", "x"}}));
}

TEST(CheckOptions, RefusesAnOptionThatIsNewerThanTheRuntime) {
  EXPECT_EQ(problem("tensorrt", {{"trt_bf16_enable", "1"}}, 20),
            "provider option `trt_bf16_enable` of tensorrt needs ONNX Runtime 1.23, this is 1.20");
  EXPECT_EQ(problem("tensorrt", {{"trt_bf16_enable", "1"}}, 23), "");
  EXPECT_EQ(problem("tensorrt", {{"trt_bf16_enable", "1"}}), "");
}

TEST(CheckOptions, SaysThatAProviderHasNoOptions) {
  EXPECT_EQ(problem("cpu", {{"use_arena", "1"}}), "provider option `use_arena` was given, cpu has none");
}

TEST(CheckOptions, LeavesPluginsToJudgeThemselves) {
  EXPECT_TRUE(check_options(plugin_row(), {{"anything", ""}}));
  EXPECT_TRUE(check("vitisai", {{"log_level", "info"}}));
  EXPECT_FALSE(check("vitisai", {{"config_file", ""}})) << "known keys are checked all the same";
}

TEST(CheckOptions, TensorRtProfilesGoTogether) {
  EXPECT_EQ(problem("tensorrt", {{"trt_profile_min_shapes", "x:1x3"}, {"trt_profile_max_shapes", "x:8x3"}}),
            "`trt_profile_opt_shapes` must be given too: the smallest, usual and largest shapes go together");
  EXPECT_THAT(problem("tensorrtrtx", {{"nv_profile_min_shapes", "x:1"}}),
              HasSubstr("`nv_profile_opt_shapes`, `nv_profile_max_shapes`"));
}

class BadShapes : public testing::TestWithParam<const char*> {};

TEST_P(BadShapes, AreNamed) {
  const OptionMap options{{"trt_profile_min_shapes", GetParam()},
                          {"trt_profile_opt_shapes", "x:1"},
                          {"trt_profile_max_shapes", "x:1"}};
  EXPECT_THAT(problem("tensorrt", options), HasSubstr("wanted is name:1x3x224x224")) << GetParam();
}

INSTANTIATE_TEST_SUITE_P(All, BadShapes, testing::Values("x", "x:", ":1", "x:1x", "x:1xa", "x:1,", "x:-1"));

class GoodDevices : public testing::TestWithParam<const char*> {};
TEST_P(GoodDevices, AreAccepted) { EXPECT_EQ(problem("openvino", {{"device_type", GetParam()}}), ""); }
INSTANTIATE_TEST_SUITE_P(All, GoodDevices,
                         testing::Values("CPU", "GPU", "NPU", "GPU.1", "AUTO", "AUTO:GPU,CPU",
                                         "HETERO:NPU, CPU", "MULTI:GPU.0,GPU.1", "CPU_FP32", "AUTO:-CPU"));

class BadDevices : public testing::TestWithParam<const char*> {};
TEST_P(BadDevices, AreNamed) {
  EXPECT_THAT(problem("openvino", {{"device_type", GetParam()}}), HasSubstr("`AUTO:GPU,CPU`"));
}
INSTANTIATE_TEST_SUITE_P(All, BadDevices,
                         testing::Values("cpu", "TPU", "GPU.", "AUTO:", "AUTO:GPU,", "FOO:CPU", ":"));

TEST(CheckOptions, OpenVinoPrecisionFitsTheDevice) {
  EXPECT_THAT(problem("openvino", {{"device_type", "CPU"}, {"precision", "FP16"}}),
              HasSubstr("its device `CPU` does not compute in"));
  EXPECT_EQ(problem("openvino", {{"device_type", "GPU.1"}, {"precision", "FP16"}}), "");
}

TEST(CheckOptions, QnnBackendIsGivenOneWay) {
  EXPECT_THAT(problem("qnn", {{"backend_type", "htp"}, {"backend_path", "libQnnHtp.so"}}),
              HasSubstr("exclude each other"));
  EXPECT_THAT(problem("qnn", {{"htp_bf16_enable", "1"}}), HasSubstr("needs a `soc_model` of 88 or more"));
  EXPECT_EQ(problem("qnn", {{"htp_bf16_enable", "1"}, {"soc_model", "88"}}), "");
  EXPECT_THAT(problem("qnn", {{"enable_htp_prepare_only", "1"}, {"enable_htp_prepare_and_load", "1"}}),
              HasSubstr("exclude each other"));
}

TEST(CheckOptions, DoesNotJudgeTogetherWhatIsWrongByItself) {
  EXPECT_THAT(problem("qnn", {{"backend_type", "HTP"}, {"backend_path", "libQnnHtp.so"}}),
              Not(HasSubstr("exclude each other")));
}

}  // namespace
}  // namespace surefoot::provider
