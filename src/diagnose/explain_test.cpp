#include "surefoot/explain.hpp"

#include <gmock/gmock.h>

#include <chrono>

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<std::string> slugs(const std::vector<Explanation>& explanations) {
  std::vector<std::string> slugs;
  for (const Explanation& explanation : explanations) slugs.push_back(explanation.entry->slug);
  return slugs;
}

constexpr std::string_view kGpuLog =
    "2026-01-02 03:04:05 [E:onnxruntime:Default, provider_bridge_ort.cc:2251] Failed to load library "
    "libonnxruntime_providers_cuda.so with error: libcublasLt.so.13: cannot open shared object file: No such "
    "file or directory\n"
    "UserWarning: Specified provider 'CUDAExecutionProvider' is not in available provider names.Available "
    "providers: 'CPUExecutionProvider'\n"
    "Some nodes were not assigned to the preferred execution providers which may or may not have an negative "
    "impact on performance.\n";

TEST(Explain, TextThatNoPatternKnowsGivesNothing) {
  EXPECT_THAT(explain("the cat sat on the libcublas mat"), IsEmpty());
  EXPECT_THAT(explain(""), IsEmpty());
  EXPECT_THAT(explain("short"), IsEmpty());
}

TEST(Explain, ErrorsComeBeforeWarningsAndTheMoreExactFirst) {
  EXPECT_THAT(slugs(explain(kGpuLog)),
              ElementsAre("cuda-library-missing", "provider-not-in-build", "nodes-left-on-cpu"));
}

TEST(Explain, OnePlaceIsExplainedByTheMostExactPatternAlone) {
  EXPECT_THAT(
      slugs(explain("dlopen: libcublasLt.so.12: cannot open shared object file: No such file or directory")),
      ElementsAre("cuda-library-missing"));
  EXPECT_THAT(
      slugs(explain("dlopen: libwhatever.so.1: cannot open shared object file: No such file or directory")),
      ElementsAre("library-needs-library"));
}

TEST(Explain, NamesAndPathsOfTheTextGoIntoTheAdvice) {
  const auto explanations = explain(kGpuLog);
  ASSERT_FALSE(explanations.empty());
  const Explanation& first = explanations.front();
  EXPECT_EQ(first.line, 1u);
  EXPECT_EQ(first.fill("CUDA <major> for <library>, <unknown>"),
            "CUDA 13 for libonnxruntime_providers_cuda.so, <unknown>");
  EXPECT_THAT(first.excerpt, ::testing::StartsWith("Failed to load library"));
}

TEST(Explain, AnEntryIsGivenOnceHoweverOftenItsMessageStands) {
  std::string log;
  for (int i = 0; i < 3; ++i) log += "12:00 std::bad_alloc thrown\n";
  const auto explanations = explain(log);
  ASSERT_THAT(slugs(explanations), ElementsAre("host-memory-exhausted"));
  EXPECT_EQ(explanations[0].line, 1u);
}

TEST(Explain, AnErrorIsExplainedByOrtsWordsToo) {
  const Error error{.code = ErrorCode::ProviderFailed,
                    .what = "opening failed",
                    .native = NativeError{
                        .code = 1, .text = "CUDA failure 100: no CUDA-capable device is detected ; GPU=-1"}};
  EXPECT_EQ(slug_of(error), "cuda-no-device");
  EXPECT_EQ(slug_of({.code = ErrorCode::Internal, .what = "something else"}), "");
}

TEST(Explain, EntriesAreFoundByTheirNames) {
  ASSERT_NE(find_error_entry("model-ir-too-new"), nullptr);
  EXPECT_THAT(find_error_entry("model-ir-too-new")->meaning, HasSubstr("newer than this ONNX Runtime"));
  EXPECT_EQ(find_error_entry("no-such-entry"), nullptr);
}

TEST(Explain, AMegabyteOfLogTakesLittleTime) {
  std::string log;
  while (log.size() < 1'000'000)
    log +=
        "2026-01-02 03:04:05.678 [I:onnxruntime:, bfc_arena.cc:317 AllocateRawInternal] Extending BFCArena "
        "for Cpu. "
        "bin_num:20 (requested) num_bytes: 504000000 Failed to load\n";
  log += kGpuLog;
  const auto begin = std::chrono::steady_clock::now();
  const auto explanations = explain(log);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_EQ(slugs(explanations).front(), "cuda-library-missing");
  EXPECT_LT(took.count(), 0.5);  // 4 ms in a release build; sanitizers and busy machines need their share
}

TEST(Explain, ALineOfAMegabyteTakesLittleTime) {
  std::string line;
  while (line.size() < 1'000'000) line += "Failed to load library x with error: ";
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_THAT(explain(line), IsEmpty());
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(took.count(), 1.0);
}

}  // namespace
}  // namespace surefoot
