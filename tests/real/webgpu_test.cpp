// The library on WebGPU. Run by test_webgpu.py, in a process that finds the Vulkan driver and an ONNX Runtime
// with WebGPU in it.
#include <gmock/gmock.h>

#include <cmath>

#include "surefoot/prepared_run.hpp"
#include "tests/support/models.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAreArray;
using ::testing::FloatNear;
using ::testing::Pointwise;

struct WebGpu : ::testing::Test {
  static Session open(const std::string& model, GraphCapture capture = GraphCapture::Off) {
    return Session::open(tests::bytes_of(model),
                         {.providers = {.only = {"webgpu"}}, .graph_capture = capture})
        .value();
  }
  static PreparedRun prepare(const Session& session) {
    return session.prepare({.dimensions = {{"n", 1}}}).value();
  }
  static void expect_answer(PreparedRun& run, const std::vector<float>& x) {
    std::ranges::copy(x, run.input<float>("x").value().begin());
    const auto done = run.run();
    ASSERT_TRUE(done) << to_string(done.error());
    EXPECT_THAT(run.output<float>("y").value(), Pointwise(FloatNear(1e-3F), tests::dense_answer(x)));
  }
  const std::string dense = tests::dense_model();
  const std::string accumulating = tests::accumulating_model();
};

TEST_F(WebGpu, APreparedRunSeesEachChangeOfItsInputs) {
  const Session session = open(dense);
  PreparedRun run = prepare(session);
  for (float i = 0; i < 4; ++i) expect_answer(run, {i, 2, 3});
}

TEST_F(WebGpu, ACapturedGraphSeesEachChangeOfItsInputs) {
  const Session session = open(dense, GraphCapture::Require);
  PreparedRun run = prepare(session);
  for (float i = 0; i < 4; ++i) expect_answer(run, {i, 2, 3});
  EXPECT_TRUE(run.graph().captured);
}

TEST_F(WebGpu, SeveralGraphsOfASessionReplayInTurnAndPlainRunsBetweenThem) {
  const Session session = open(dense, GraphCapture::Require);
  PreparedRun one = prepare(session), other = session.prepare({.dimensions = {{"n", 2}}}).value();
  const Tensor x = Tensor::of<float>({7, 8, 9}, {1, 3}).value();
  for (float i = 0; i < 3; ++i) {
    expect_answer(one, {i, 2, 3});
    expect_answer(other, {i, 5, 6, 1, i, 3});
    const auto plain = session.infer({{"x", x}});
    ASSERT_TRUE(plain) << to_string(plain.error());
    EXPECT_THAT(plain->as<float>("y").value(), Pointwise(FloatNear(1e-3F), tests::dense_answer({7, 8, 9})));
  }
}

TEST_F(WebGpu, AGraphIsCapturedAnewWhenOtherMemoryIsBound) {
  const Session session = open(dense, GraphCapture::Require);
  PreparedRun run = prepare(session);
  expect_answer(run, {1, 2, 3});
  Tensor x = Tensor::of<float>({4, 5, 6}, {1, 3}).value();
  ASSERT_TRUE(run.bind_input("x", x.view()));
  for (float first = 4; first < 7; ++first) {
    reinterpret_cast<float*>(x.mutable_bytes().data())[0] = first;
    ASSERT_TRUE(run.run());
    EXPECT_THAT(run.output<float>("y").value(),
                Pointwise(FloatNear(1e-3F), tests::dense_answer({first, 5, 6})));
  }
}

TEST_F(WebGpu, WhatIsFedBackStaysOnTheDeviceWithAndWithoutGraphs) {
  for (const GraphCapture capture : {GraphCapture::Off, GraphCapture::Require}) {
    const Session session = open(accumulating, capture);
    PreparedRun run = session.prepare({}).value();
    ASSERT_TRUE(run.feed_back("total", "sum"));
    std::ranges::fill(run.input<float>("x").value(), 1.0F);
    for (int i = 1; i <= 6; ++i) {
      const auto done = run.run();
      ASSERT_TRUE(done) << to_string(done.error());
      EXPECT_EQ(run.output<float>("total").value()[3], static_cast<float>(i));
    }
    std::ranges::fill(run.input<float>("sum").value(), 10.0F);
    ASSERT_TRUE(run.run());
    EXPECT_EQ(run.output<float>("total").value()[0], 11.0F);
  }
}

TEST_F(WebGpu, AnOutputIsHandedOverAsABufferOfTheDevice) {
  const Session session = open(dense);
  PreparedRun run = prepare(session);
  expect_answer(run, {1, 2, 3});
  const auto y = run.output_dlpack("y");
  ASSERT_TRUE(y) << to_string(y.error());
  EXPECT_EQ((*y)->tensor.device.type, dlpack::DeviceType::WebGpu);
  EXPECT_NE((*y)->tensor.data, nullptr);
}

TEST_F(WebGpu, RunsInTheBackgroundGiveTheirOutputsToWhoWaits) {
  const Session session = open(dense, GraphCapture::Require);
  PreparedRun run = prepare(session);
  std::ranges::copy(std::vector<float>{1, 2, 3}, run.input<float>("x").value().begin());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(run.run_async().get());
  EXPECT_THAT(run.output<float>("y").value(), Pointwise(FloatNear(1e-3F), tests::dense_answer({1, 2, 3})));
}

}  // namespace
}  // namespace surefoot
