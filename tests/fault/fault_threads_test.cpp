// Many threads on one session whose provider fails under them.
#include <deque>
#include <thread>

#include "tests/fault/fault_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using tests::FaultProvider;

constexpr int kThreads = 8, kCalls = 25;

using FaultInThreads = tests::FaultTest;

TEST_F(FaultInThreads, EveryCallIsAnsweredAndTheProviderIsReplacedOnce) {
  const Session session = open("run:5=fail");
  std::atomic<int> right = 0;
  {
    std::deque<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < kCalls; ++i) {
          const auto x = static_cast<float>(t * 100 + i);
          if (answer(session, {x, 1, -x}) == right_answer({x, 1, -x})) ++right;
        }
      });
  }
  EXPECT_EQ(right, kThreads * kCalls);
  EXPECT_EQ(session.provider(), "cpu");
  EXPECT_THAT(events(session), ElementsAre("faulty run"));
  EXPECT_EQ(FaultProvider::count("create"), 1);
}

TEST_F(FaultInThreads, SeveralRunAtOnceInsideTheProvider) {
  const Session session = open("run=hang:100");
  {
    std::deque<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&] { EXPECT_EQ(answer(session), right_answer()); });
  }
  EXPECT_GT(FaultProvider::max_concurrent_runs(), 1);
}

TEST_F(FaultInThreads, CallsAreAnsweredWhileRetriesPlanAnewAndProvidersComeAndFail) {
  provider.reset();
  std::optional<Session> session = tests::open_or_die(dense, {.runtime = runtime});
  const FaultProvider first(*runtime, "run:3=fail", "first");
  const FaultProvider second(*runtime, "run:3=fail", "second");
  std::atomic<bool> done = false;
  std::atomic<int> right = 0, asked = 0;
  {
    std::deque<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < kCalls || !done; ++i, ++asked) {
          const auto x = static_cast<float>(t * 100 + i);
          if (answer(*session, {x, 1, -x}) == right_answer({x, 1, -x})) ++right;
          if (session->plan().candidate("cpu") == nullptr || session->provider().empty()) --right;
        }
      });
    for (int i = 0; i < 10; ++i) EXPECT_TRUE(session->retry());
    done = true;
  }
  EXPECT_EQ(right, asked);
  EXPECT_NE(session->plan().candidate("first"), nullptr);
  EXPECT_NE(session->plan().candidate("second"), nullptr);
  session.reset();
}

TEST_F(FaultInThreads, BadAndGoodRequestsMixWithoutCost) {
  const Session session = tests::open_or_die(tests::lookup_model(), {.runtime = runtime});
  std::atomic<int> refused = 0, right = 0;
  {
    std::deque<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < kCalls; ++i) {
          const Tensor index = Tensor::of<std::int64_t>({t % 2 == 0 ? 9 : 2}, {1}).value();
          const auto outputs = session.infer({{"index", index}});
          if (!outputs)
            ++refused;
          else if (outputs->as<float>("y").value()[0] == 4)
            ++right;
        }
      });
  }
  EXPECT_EQ(refused, kThreads / 2 * kCalls);
  EXPECT_EQ(right, kThreads / 2 * kCalls);
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_EQ(FaultProvider::count("create"), 1);
}

}  // namespace
}  // namespace surefoot
