// What a caller may ask of a session, and what ORT would accept in silence.
#include <sys/stat.h>

#include <atomic>
#include <fstream>

#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using tests::dense_model;

struct SessionOptionsTest : tests::SessionTest {
  Error error_with(SessionOptions with) { return error_of(open(dense_model(), std::move(with))); }
};

TEST_F(SessionOptionsTest, AMisspeltConfigKeyIsAnErrorWithTheNearest) {
  const Error error = error_with({.config = {{"session.disable_prepackin", "1"}}});
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_THAT(error.hint, HasSubstr("`session.disable_prepacking`"));
}

TEST_F(SessionOptionsTest, AKeyWithThePrefixPassesUnchecked) {
  EXPECT_TRUE(open(dense_model(), {.config = {{"raw:session.of_the_future", "1"}}}));
}

TEST_F(SessionOptionsTest, AMisspeltDimensionIsAnErrorWithTheNames) {
  const Error error = error_with({.dimensions = {{"m", 4}}});
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_EQ(error.what, "the model has no free dimension `m`");
  EXPECT_THAT(error.hint, HasSubstr("`n`"));
}

TEST_F(SessionOptionsTest, ALogLevelHoldsForItsSessionAlone) {
  std::atomic<int> told = 0;
  Runtime::set_log([&](const LogRecord& record) { told += record.level < LogLevel::Warning ? 1 : 0; },
                   LogLevel::Info);
  EXPECT_TRUE(open(dense_model(), {.log_level = LogLevel::Warning}));
  EXPECT_EQ(told, 0);
  EXPECT_TRUE(open(dense_model()));
  EXPECT_GT(told, 0);
  Runtime::set_log({});
  const int before = told;
  EXPECT_TRUE(open(dense_model(), {.log_level = LogLevel::Info}));
  EXPECT_EQ(told, before);
}

TEST_F(SessionOptionsTest, ANegativeSizeIsAnError) {
  EXPECT_THAT(error_with({.dimensions = {{"n", -4}}}).what, HasSubstr("`n` is set to -4"));
}

TEST_F(SessionOptionsTest, AFreeDimensionIsFixedByName) {
  const auto session = open(dense_model(), {.dimensions = {{"n", 2}}});
  ASSERT_TRUE(session);
  EXPECT_EQ(to_string(session->info().inputs[0].type), "float32[2,3]");
  EXPECT_EQ(to_string(session->info().outputs[0].type), "float32[2,2]");
  const Tensor one = Tensor::zeros(ElementType::Float32, {1, 3}).value(),
               two = Tensor::zeros(ElementType::Float32, {2, 3}).value();
  EXPECT_TRUE(session->infer({{"x", two}}));
  const auto refused = session->infer({{"x", one}});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("axis 0"));
}

std::string model_with_denotation() {
  const ValueType batch = onnx::tensor_type(
      ElementType::Float32, {Dimension{.name = "b", .denotation = "DATA_BATCH"}, Dimension{.size = 2}});
  return tests::identity_model(batch);
}

TEST_F(SessionOptionsTest, AFreeDimensionIsFixedByDenotation) {
  const auto session = open(model_with_denotation(), {.dimensions_by_denotation = {{"DATA_BATCH", 5}}});
  ASSERT_TRUE(session) << to_string(session.error());
  EXPECT_EQ(session->info().inputs[0].type.shape->front().size, 5);
  EXPECT_EQ(session->info().inputs[0].type.shape->front().denotation, "DATA_BATCH");
}

TEST_F(SessionOptionsTest, AMisspeltDenotationIsAnErrorWithTheNearest) {
  const auto session = open(model_with_denotation(), {.dimensions_by_denotation = {{"DATA_BACH", 5}}});
  EXPECT_EQ(error_of(session).code, ErrorCode::InvalidArgument);
  EXPECT_THAT(session.error().hint, HasSubstr("`DATA_BATCH`"));
}

TEST_F(SessionOptionsTest, AnUnknownProviderIsAnErrorWithTheNearest) {
  const Error error = error_with({.providers = {.prefer = {"cuad"}}});
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_THAT(to_string(error), HasSubstr("`cuda`"));
}

TEST_F(SessionOptionsTest, AMisspeltProviderOptionIsAnErrorEvenForAProviderThatIsAbsent) {
  const Error error = error_with({.providers = {.options = {{"cuda", {{"device_di", "0"}}}}}});
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_THAT(to_string(error), HasSubstr("`device_id`"));
}

TEST_F(SessionOptionsTest, ARequiredProviderThatIsAbsentIsAnError) {
  const Error error = error_with({.providers = {.only = {"tensorrt"}}});
  EXPECT_THAT(to_string(error), HasSubstr("TensorRT"));
}

TEST_F(SessionOptionsTest, APreferredProviderThatIsAbsentStandsInThePlanWithItsReason) {
  const auto session = open(dense_model(), {.providers = {.prefer = {"cuda"}}});
  ASSERT_TRUE(session);
  EXPECT_EQ(session->provider(), "cpu");
  const Candidate* cuda = session->plan().candidate("cuda");
  ASSERT_NE(cuda, nullptr);
  EXPECT_EQ(cuda->verdict, Verdict::Rejected);
  EXPECT_THAT(cuda->reason->what, HasSubstr("CUDA"));
}

TEST_F(SessionOptionsTest, ThreadSettingsAreTaken) {
  for (const int count : {0, 1, 3})
    EXPECT_TRUE(
        open(dense_model(),
             {.threads = {.intra_op = count, .inter_op = count, .parallel = true, .spinning = false}}))
        << count;
}

TEST_F(SessionOptionsTest, ANegativeNumberOfThreadsIsAnError) {
  const Error error = error_with({.threads = {.intra_op = -2}});
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_EQ(error.what, "intra_op threads are set to -2");
}

TEST_F(SessionOptionsTest, TooManyThreadsAreAnErrorThatNamesTheMost) {
  EXPECT_TRUE(open(dense_model(), {.threads = {.inter_op = kMostThreads}}));  // made only when it is parallel
  const Error error = error_with({.threads = {.inter_op = kMostThreads + 1}});
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_EQ(error.what, "inter_op threads are set to 1025");
  EXPECT_EQ(error.hint, "give 1 to 1024, or 0 for ONNX Runtime's own choice");
}

TEST_F(SessionOptionsTest, EveryOptimizationLevelOpens) {
  for (const auto level : {OptimizationLevel::Disabled, OptimizationLevel::Basic, OptimizationLevel::Extended,
                           OptimizationLevel::Layout, OptimizationLevel::All})
    EXPECT_TRUE(open(dense_model(), {.optimization = level})) << to_string(level);
}

TEST_F(SessionOptionsTest, MemorySettingsAreTaken) {
  EXPECT_TRUE(open(dense_model(), {.memory_pattern = false, .cpu_arena = false}));
}

TEST_F(SessionOptionsTest, AMissingCustomOpLibraryIsNamedAndEndsTheOpen) {
  const Error error = error_with({.custom_op_libraries = {"/no/such/ops.so"}});
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_THAT(error.what, HasSubstr("/no/such/ops.so"));
}

TEST_F(SessionOptionsTest, ALibraryWithoutCustomOpsIsNamedWithWhatItLacks) {
  const Error error = error_with({.custom_op_libraries = {runtime->path()}});
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_THAT(to_string(error), AllOf(HasSubstr(runtime->path().string()), HasSubstr("RegisterCustomOps")));
}

struct Profiling : SessionOptionsTest {
  Session open_profiled(const fs::path& prefix) {
    return open(dense_model(), {.profile_prefix = prefix}).value();
  }
};

TEST_F(Profiling, WritesAFileOfWhatRan) {
  Session session = open_profiled(folder / "прогон");
  const Tensor x = Tensor::zeros(ElementType::Float32, {1, 3}).value();
  ASSERT_TRUE(session.infer({{"x", x}}));
  const auto file = session.end_profiling();
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->parent_path(), folder.path());
  std::ifstream stream(*file);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  EXPECT_THAT(text, AllOf(StartsWith("["), HasSubstr("CPUExecutionProvider")));
}

TEST_F(Profiling, EndsOnce) {
  Session session = open_profiled(folder / "profile");
  ASSERT_TRUE(session.end_profiling());
  const auto again = session.end_profiling();
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::InvalidState);
}

TEST_F(Profiling, ThatNobodyAskedForIsAnError) {
  Session session = open(dense_model()).value();
  const auto none = session.end_profiling();
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::InvalidState);
  EXPECT_THAT(none.error().hint, HasSubstr("profile_prefix"));
}

TEST_F(Profiling, IntoAMissingFolderIsAnErrorThatNamesIt) {
  const auto session = open(dense_model(), {.profile_prefix = folder / "missing" / "profile"});
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::NotFound);
  EXPECT_THAT(session.error().what, HasSubstr("missing"));
}

TEST_F(SessionOptionsTest, TheOptimizedModelIsWrittenAndOpens) {
  const fs::path file = folder / "optimized.onnx";
  ASSERT_TRUE(open(dense_model(), {.optimized_model = file}));
  EXPECT_TRUE(Session::open(file, {.runtime = *runtime}));
}

TEST_F(SessionOptionsTest, AnOptimizedModelIntoAMissingFolderIsAnErrorThatNamesIt) {
  const Error error = error_with({.optimized_model = folder / "missing" / "optimized.onnx"});
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_THAT(error.what, HasSubstr("missing` of the optimized model"));
}

}  // namespace
}  // namespace surefoot
