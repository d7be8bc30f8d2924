#include "provider/own_cache.hpp"

#include <gmock/gmock.h>

#include "provider/catalogue.hpp"

namespace surefoot::provider {
namespace {

using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

OptionMap options_of(const char* name, const OptionMap& given = {}, int ort_minor = 31) {
  return own_cache_options(*find(name), given, "/cache", ort_minor);
}

TEST(OwnCache, KeepsTheEnginesAndKernelTimesOfTensorRt) {
  EXPECT_THAT(
      options_of("tensorrt"),
      UnorderedElementsAre(Pair("trt_engine_cache_enable", "1"), Pair("trt_engine_cache_path", "/cache"),
                           Pair("trt_timing_cache_enable", "1"), Pair("trt_timing_cache_path", "/cache")));
}

TEST(OwnCache, IsLeftToTheCallerWhoSetAnyOfItsOptions) {
  EXPECT_THAT(options_of("tensorrt", {{"trt_engine_cache_enable", "0"}}), IsEmpty());
}

TEST(OwnCache, OfOpenVinoIsForDevicesWhoseKernelsTakeLongToBuild) {
  EXPECT_THAT(options_of("openvino"), IsEmpty());
  EXPECT_THAT(options_of("openvino", {{"device_type", "CPU"}}), IsEmpty());
  EXPECT_THAT(options_of("openvino", {{"device_type", "GPU"}}),
              UnorderedElementsAre(Pair("cache_dir", "/cache")));
}

TEST(OwnCache, IsNotAskedForOfAnOrtThatDoesNotKnowTheOption) {
  EXPECT_THAT(options_of("migraphx", {}, 22), IsEmpty());
  EXPECT_THAT(options_of("migraphx", {}, 23),
              UnorderedElementsAre(Pair("migraphx_model_cache_dir", "/cache")));
}

TEST(OwnCache, IsNothingToProvidersThatBuildNothing) { EXPECT_THAT(options_of("cpu"), IsEmpty()); }

TEST(OwnCache, NamesOnlyOptionsThatTheRowHas) {
  for (const ProviderSpec* spec : catalogue())
    for (const auto& keys : {spec->own_cache.switches, spec->own_cache.folders})
      for (const std::string_view key : keys)
        EXPECT_NE(std::ranges::find(spec->options, key, &OptionSpec::key), spec->options.end())
            << spec->name << ": " << key;
}

}  // namespace
}  // namespace surefoot::provider
