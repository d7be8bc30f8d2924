#include "ort/append.hpp"

#include <gmock/gmock.h>

namespace surefoot::ort {
namespace {

Error with_log(const std::string& text) {
  return {.code = ErrorCode::ProviderFailed,
          .what = "Failed to load provider OpenVINO",
          .native = NativeError{1, "Failed to load provider OpenVINO\n" + text}};
}

// Texts of ORT 1.24 (OpenVINO), 1.30 (WebGPU) and 1.31 (CUDA, TensorRT).
TEST(BlamesAnOption, KnowsTheWordsOfEachProvider) {
  for (const char* text :
       {"Unknown provider option: \"devise_id\".", "Failed to parse provider option \"device_id\": …",
        "[TensorRT EP] The format of provider option 'trt_profile_min_shapes' is wrong, please follow …",
        "webgpu_provider_factory.cc:50 … ParseEpConfig(const onnxruntime::ConfigOptions&) Invalid preferred "
        "layout: x",
        "webgpu_provider_factory.cc:328 … ParseWebGpuContextConfig(const onnxruntime::ConfigOptions&) "
        "Invalid "
        "Dawn backend type: x"})
    EXPECT_TRUE(blames_an_option({.code = ErrorCode::ProviderFailed, .what = text})) << text;
}

TEST(BlamesAnOption, ReadsTheLogToo) {
  for (const char* line :
       {"ParseProviderInfo(…) Invalid provider_option key: devise_type",
        "ParsePrecision(…) [ERROR] [OpenVINO] Unsupported inference precision is selected. "
        "CPU only supports FP32, ACCURACY.",
        "ParseBooleanOption(…) [ERROR] [OpenVINO-EP] disable_dynamic_shapes should be a "
        "boolean.",
        "[ERROR] [OpenVINO-EP] Number of threads should be a number.",
        "ParseLayout(const std::string&) Invalid layout definition format: x",
        "JSON parsing error: [json.exception.parse_error.101] parse error at line 1"})
    EXPECT_TRUE(blames_an_option(with_log(line))) << line;
}

TEST(BlamesAnOption, LeavesTheMachinesFaultsToTheProvider) {
  for (const char* line :
       {"ParseDeviceType(…) [ERROR] [OpenVINO] Device GPU is not available",
        "libcublasLt.so.13: cannot open shared object file", "Failed to get a WebGPU adapter"})
    EXPECT_FALSE(blames_an_option(with_log(line))) << line;
}

}  // namespace
}  // namespace surefoot::ort
