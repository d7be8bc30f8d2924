#include "provider/catalogue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace surefoot::provider {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(Catalogue, ListsEachProviderOnceInTheAutomaticOrder) {
  std::vector<std::string_view> ranked;
  std::vector<std::string_view> others;
  for (const ProviderSpec* each : catalogue())
    (each->default_rank == kNoRank ? others : ranked).push_back(each->name);
  EXPECT_THAT(ranked, ElementsAre("tensorrtrtx", "tensorrt", "migraphx", "cuda", "rocm", "coreml", "qnn",
                                  "directml", "openvino", "webgpu", "cpu"));
  EXPECT_THAT(others, ElementsAre("xnnpack", "dnnl", "vitisai", "cann", "acl", "azure"));
}

TEST(Catalogue, RanksAreInTheOrderOfTheList) {
  int before = 0;
  for (const ProviderSpec* each : catalogue()) {
    if (each->default_rank == kNoRank) continue;
    EXPECT_EQ(each->default_rank, before + 1) << each->name;
    before = each->default_rank;
  }
}

TEST(Catalogue, NoNameMeansTwoProviders) {
  std::set<std::string> names;
  for (const ProviderSpec* each : catalogue()) {
    std::vector<std::string_view> own{each->name, each->ort_name};
    own.insert(own.end(), each->aliases.begin(), each->aliases.end());
    for (const std::string_view name : own) {
      EXPECT_TRUE(names.insert(std::string(name)).second) << name;
      EXPECT_EQ(find(name), each) << name;
    }
  }
}

TEST(Catalogue, EveryRowSaysHowItIsAddedAndHowToGetIt) {
  for (const ProviderSpec* each : catalogue()) {
    EXPECT_NE(each->platforms, 0) << each->name;
    EXPECT_EQ(each->append == AppendMethod::Generic, !each->append_name.empty()) << each->name;
    EXPECT_EQ(each->append == AppendMethod::None, each == &host()) << each->name;
    EXPECT_EQ(each->install.empty(), each == &host()) << each->name;
    EXPECT_EQ(each->shared_bridge, !each->library.empty()) << each->name;
  }
}

TEST(Catalogue, CompanionsAreMutual) {
  for (const ProviderSpec* each : catalogue())
    for (const std::string_view name : each->companions) {
      const ProviderSpec* other = find(name);
      ASSERT_NE(other, nullptr) << name;
      EXPECT_EQ(other->name, name) << "companions go by short names";
      EXPECT_NE(std::find(other->companions.begin(), other->companions.end(), each->name),
                other->companions.end())
          << each->name << " and " << name;
    }
}

TEST(Catalogue, DirectMlStandsAloneAndForcesItsSessionOptions) {
  const ProviderSpec* spec = find("dml");
  ASSERT_NE(spec, nullptr);
  EXPECT_THAT(spec->companions, IsEmpty());
  EXPECT_TRUE(spec->forced.memory_pattern_off);
  EXPECT_TRUE(spec->forced.sequential);
}

TEST(Catalogue, TensorRtStandsWithCudaAndMiGraphXWithRocm) {
  EXPECT_THAT(find("trt")->companions, ElementsAre("cuda"));
  EXPECT_THAT(find("migraphx")->companions, ElementsAre("rocm"));
}

// ORT 1.32's own words for the names that its generic function takes.
TEST(Catalogue, NamesForTheGenericFunctionAreThoseThatOrtTakes) {
  const std::set<std::string_view> accepted{"DML",    "QNN",      "OpenVINO", "SNPE",         "XNNPACK",
                                            "WEBNN",  "WebGPU",   "AZURE",    "JS",           "VitisAI",
                                            "CoreML", "MIGraphX", "CPU",      "NvTensorRtRtx"};
  for (const ProviderSpec* each : catalogue())
    if (each->append == AppendMethod::Generic) {
      EXPECT_EQ(accepted.count(each->append_name), 1U) << each->append_name;
    }
}

TEST(Catalogue, OptionsAreCompleteAndUnique) {
  for (const ProviderSpec* each : catalogue()) {
    std::set<std::string_view> keys;
    for (const OptionSpec& option : each->options) {
      EXPECT_TRUE(keys.insert(option.key).second) << each->name << " " << option.key;
      EXPECT_FALSE(option.meaning.empty()) << option.key;
      EXPECT_FALSE(option.meaning.ends_with('.')) << option.key;
      EXPECT_LE(option.meaning.size(), 90U) << option.key;
      EXPECT_LE(option.min, option.max) << option.key;
      EXPECT_EQ(option.type == OptionType::Enum && option.values.empty(), false) << option.key;
    }
    const GraphCaptureRule& graph = each->graph_capture;
    EXPECT_TRUE(graph.option.empty() || keys.contains(graph.option)) << each->name << " " << graph.option;
    EXPECT_EQ(graph.exists(), !graph.needs.empty()) << each->name;
    EXPECT_TRUE(graph.option.empty() || graph.entry.empty()) << each->name;
  }
}

TEST(Find, TakesOrtsNameTheShortNameAndAliasesInAnyCase) {
  for (const char* const name : {"TensorrtExecutionProvider", "tensorrt", "TRT", "TensorRT"}) {
    ASSERT_NE(find(name), nullptr) << name;
    EXPECT_EQ(find(name)->name, "tensorrt");
  }
  EXPECT_EQ(find("tensor"), nullptr);
  EXPECT_EQ(find(""), nullptr);
}

TEST(Require, GivesTheNearestSpelling) {
  const auto spec = require("tensort");
  ASSERT_FALSE(spec);
  EXPECT_EQ(spec.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(spec.error().what, "there is no provider `tensort`");
  EXPECT_EQ(spec.error().hint, "did you mean `tensorrt`?");
  EXPECT_EQ(require("CUDAExecutionProvidr").error().hint, "did you mean `CUDAExecutionProvider`?");
}

TEST(Require, ListsTheProvidersWhenNoneIsNear) {
  EXPECT_THAT(require("warpdrive").error().hint, HasSubstr("`cuda`"));
}

TEST(PluginRow, TakesAnyOptionAndStandsAlone) {
  EXPECT_TRUE(plugin_row().any_option);
  EXPECT_THAT(plugin_row().companions, IsEmpty());
  EXPECT_EQ(plugin_row().append, AppendMethod::Plugin);
}

TEST(ShortName, LeavesUnknownNamesAsTheyAre) {
  EXPECT_EQ(short_name("CUDAExecutionProvider"), "cuda");
  EXPECT_EQ(short_name("faultep"), "faultep");
}

TEST(LibraryFile, FollowsThePlatform) {
  EXPECT_EQ(library_file("onnxruntime_providers_cuda", kOnLinux), "libonnxruntime_providers_cuda.so");
  EXPECT_EQ(library_file("onnxruntime_providers_cuda", kOnWindows), "onnxruntime_providers_cuda.dll");
  EXPECT_EQ(library_file("onnxruntime_providers_dnnl", kOnMacos), "libonnxruntime_providers_dnnl.dylib");
  EXPECT_EQ(library_file("", kOnLinux), "");
}

}  // namespace
}  // namespace surefoot::provider
