#include "surefoot/memory.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "diagnose/memory_policies.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::Not;

constexpr std::int64_t kMiB = 1 << 20;

TEST(MemorySavings, AreThoseBeyondNoise) {
  const MemoryUse without{.opening = 40 * kMiB, .opened = 40 * kMiB, .largest = kMiB, .further = 40 * kMiB};
  const MemoryUse with{
      .opening = 30 * kMiB, .opened = 39 * kMiB, .largest = kMiB - 1000, .further = 50 * kMiB};
  const MemoryUse noise{.opening = kMiB};
  const MemoryUse saved = diagnose::savings(without, with, noise);
  EXPECT_EQ(saved.opening, 10 * kMiB);
  EXPECT_EQ(saved.opened, 0) << "less than a twentieth";
  EXPECT_EQ(saved.largest, 0) << "a thousand bytes";
  EXPECT_EQ(saved.further, 0) << "it is more";
  EXPECT_EQ(diagnose::savings(without, with, {.opening = 6 * kMiB}).opening, 0) << "within twice the noise";
}

std::vector<std::string> names_of(const SessionOptions& options) {
  std::vector<std::string> names;
  for (const auto& wanted : diagnose::policies_for(options, "cache")) names.push_back(wanted.policy.name);
  return names;
}

TEST(MemoryPolicies, AreThoseThatTheOptionsLeaveOpen) {
  EXPECT_EQ(names_of({}).size(), 7U);
  EXPECT_EQ(names_of({}).back(), "shared arena");
  EXPECT_THAT(names_of({.cpu_arena = false}),
              ElementsAre("no memory pattern", "cache", "cache, nothing packed"));
  EXPECT_THAT(names_of({.memory_pattern = false}), Not(Contains("no memory pattern")));
  EXPECT_THAT(names_of({.cache = CacheOptions{}}), Not(Contains(::testing::StartsWith("cache"))));
}

struct MeasureMemory : tests::SessionTest {
  void SetUp() override {
    NEED_ALLOCATIONS();  // a sanitizer keeps what was freed
    SessionTest::SetUp();
  }

  Result<MemoryReport> measure(const std::string& model, const Tensor& largest,
                               const Tensor& smallest) const {
    const std::vector<Input> large = {{"x", largest}}, small = {{"x", smallest}};
    SessionOptions one_thread = options();
    one_thread.threads.intra_op = 1;
    return measure_memory(folder.write("model.onnx", model),
                          {.session = one_thread, .largest = large, .smallest = small});
  }
};

const MemoryPolicy& policy(const MemoryReport& report, std::string_view name) {
  return *std::ranges::find(report.policies, name, &MemoryPolicy::name);
}

Tensor zeros(Shape shape) { return Tensor::zeros(ElementType::Float32, std::move(shape)).value(); }

TEST_F(MeasureMemory, FindsWhatTheArenaKeepsAndThePoliciesThatFreeIt) {
  const auto report = measure(tests::dense_model(), zeros({4 << 20, 3}), zeros({1, 3}));
  ASSERT_TRUE(report) << to_string(report.error());
  constexpr std::int64_t kOutput = 32 * kMiB;
  EXPECT_GE(report->use.largest, kOutput);
  EXPECT_GE(report->use.smallest, kOutput) << "the arena keeps it";
  EXPECT_GE(report->use.further, kOutput);
  EXPECT_LT(report->use.opened, kMiB * 8);
  const MemoryPolicy& no_arena = policy(*report, "no arena");
  EXPECT_GE(no_arena.saved.smallest, kOutput - kMiB * 4);
  EXPECT_LT(no_arena.use.smallest, kMiB * 4);
  EXPECT_GE(policy(*report, "shared arena").saved.further, kOutput - kMiB * 4);
  EXPECT_EQ(policy(*report, "weights outside the arena").saved.smallest, 0);
}

/// y[n,2048] = x[n,2048] · w: 16 MiB of weights.
std::string heavy_model() {
  onnx::ModelBuilder model("heavy");
  model.input("x", onnx::tensor_type(ElementType::Float32, {"n", 2048}));
  model.output("y", onnx::tensor_type(ElementType::Float32, {"n", 2048}));
  model.initializer("w", zeros({2048, 2048}).view());
  model.node({.op = "MatMul", .inputs = {"x", "w"}, .outputs = {"y"}});
  return model.bytes();
}

TEST_F(MeasureMemory, CountsTheWeightsForEachSession) {
  const Tensor x = zeros({1, 2048});
  const auto report = measure(heavy_model(), x, x);
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->weight_bytes, 16U * kMiB);
  EXPECT_GT(report->file_bytes, report->weight_bytes);
  EXPECT_EQ(report->provider, "cpu");
  EXPECT_GE(report->use.opening, report->use.opened);
  EXPECT_GE(report->use.opened, 15 * kMiB);
  EXPECT_GE(report->use.further, 15 * kMiB);
  EXPECT_EQ(policy(*report, "no memory pattern").saved.further, 0);
}

TEST_F(MeasureMemory, SaysWhyTheModelDoesNotRun) {
  const Tensor wrong = zeros({1, 5});
  const auto report = measure(tests::dense_model(), wrong, wrong);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::InvalidInput);
}

}  // namespace
}  // namespace surefoot
