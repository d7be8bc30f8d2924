// Inputs and outputs of prepared runs for other frameworks, on the host and on a pretended device.
#include "tests/fault/prepared_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using tests::dense_answer;
using tests::FaultProvider;

std::span<float> elements(const dlpack::Exported& exported, std::size_t count) {
  return {static_cast<float*>(exported->tensor.data), count};
}

struct DlpackOnHost : tests::PreparedFaultTest {};

struct DlpackOnDevice : tests::OnPretendedDevice<DlpackOnHost> {};

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
