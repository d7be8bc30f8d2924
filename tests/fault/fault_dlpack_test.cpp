// Inputs and outputs of prepared runs for other frameworks, on the host and on a pretended device.
#include "surefoot/prepared_run.hpp"
#include "tests/fault/fault_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using tests::dense_answer;
using tests::FaultProvider;

std::span<float> elements(const dlpack::Exported& exported, std::size_t count) {
  return {static_cast<float*>(exported->tensor.data), count};
}

struct DlpackOnHost : tests::FaultTest {
  static PreparedRun prepare(const Session& session) {
    return session.prepare({.dimensions = {{"n", 1}}}).value();
  }
  static void put(PreparedRun& run, const std::vector<float>& values) {
    std::ranges::copy(values, run.input<float>("x").value().begin());
  }
  static std::vector<float> read(const PreparedRun& run) {
    const auto y = run.output<float>("y").value();
    return {y.begin(), y.end()};
  }
};

/// The device's memory is the host's in truth, so that a test can be the other framework.
struct DlpackOnDevice : DlpackOnHost {
  void SetUp() override {
    NEED_FAULT_EP();
    runtime = tests::main_runtime();
    device.emplace("FAULTEP_DEVMEM", "1");
    provider.emplace(*runtime);
  }
  std::optional<tests::EnvironmentVariable> device;
};

TEST_F(DlpackOnHost, AnOutputIsTheMemoryThatAViewShows) {
  const Session session = open("");
  PreparedRun run = prepare(session);
  put(run, {1, 2, 3});
  ASSERT_TRUE(run.run());
  const auto y = run.output_dlpack("y").value();
  EXPECT_EQ(y->tensor.device.type, dlpack::DeviceType::Cpu);
  EXPECT_EQ(y->tensor.data, run.output_view("y").value().bytes.data());
  EXPECT_THAT(elements(y, 2), ElementsAreArray(dense_answer({1, 2, 3})));
}

TEST_F(DlpackOnHost, TheMemoryOutlivesTheRun) {
  dlpack::Exported kept;
  {
    const Session session = open("");
    PreparedRun run = prepare(session);
    put(run, {1, 2, 3});
    ASSERT_TRUE(run.run());
    kept = run.output_dlpack("y").value();
  }
  EXPECT_THAT(elements(kept, 2), ElementsAreArray(dense_answer({1, 2, 3})));
}

TEST_F(DlpackOnHost, WhatIsNotThereIsTheErrorOfAView) {
  const Session session = open("");
  PreparedRun run = prepare(session);
  EXPECT_EQ(run.output_dlpack("y").error().code, ErrorCode::InvalidState);
  EXPECT_EQ(run.output_dlpack("z").error().code, ErrorCode::NotFound);
  const auto early = run.input_dlpack("x");
  ASSERT_FALSE(early);
  EXPECT_THAT(early.error().hint, HasSubstr("warm_up"));
}

TEST_F(DlpackOnDevice, AnOutputIsTheDevicesMemoryAndOutlivesTheRun) {
  dlpack::Exported kept;
  {
    const Session session = open("");
    PreparedRun run = prepare(session);
    put(run, {1, 2, 3});
    ASSERT_TRUE(run.run());
    kept = run.output_dlpack("y").value();
    EXPECT_EQ(kept->tensor.device.type, dlpack::DeviceType::Extension);
    EXPECT_NE(kept->tensor.data, static_cast<const void*>(run.output_view("y").value().bytes.data()));
  }
  EXPECT_THAT(elements(kept, 2), ElementsAreArray(dense_answer({1, 2, 3})));
}

TEST_F(DlpackOnDevice, AnInputWrittenThereIsReadThereAndNotSent) {
  const Session session = open("");
  PreparedRun run = prepare(session);
  put(run, {1, 2, 3});
  ASSERT_TRUE(run.warm_up());
  const auto x = run.input_dlpack("x").value();
  EXPECT_THAT(elements(x, 3), ElementsAreArray({1, 2, 3}));
  FaultProvider::reset_counts();
  for (const std::vector<float>& next : {std::vector<float>{4, 5, 6}, {7, 8, 9}}) {
    std::ranges::copy(next, elements(x, 3).begin());
    ASSERT_TRUE(run.run());
    EXPECT_THAT(read(run), ElementsAreArray(dense_answer(next)));
  }
  EXPECT_EQ(FaultProvider::count("send"), 0);
  EXPECT_THAT(run.input<float>("x").value(), ElementsAreArray({7, 8, 9})) << "the host takes it back";
}

TEST_F(DlpackOnDevice, AnInputWrittenThereMovesAlongWhenTheProviderFails) {
  const Session session = open("run:3=fail");
  PreparedRun run = prepare(session);
  ASSERT_TRUE(run.warm_up());
  const auto x = run.input_dlpack("x").value();
  for (const std::vector<float>& next : {std::vector<float>{4, 5, 6}, {7, 8, 9}}) {
    std::ranges::copy(next, elements(x, 3).begin());
    ASSERT_TRUE(run.run());
    EXPECT_THAT(read(run), ElementsAreArray(dense_answer(next)));
  }
  EXPECT_EQ(session.provider(), "cpu");
}

}  // namespace
}  // namespace surefoot
