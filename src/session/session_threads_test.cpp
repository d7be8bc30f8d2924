// One session from many threads, many sessions at once, and processes that fork.
#include <sys/wait.h>
#include <unistd.h>

#include <deque>
#include <thread>

#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using tests::dense_answer;
using tests::dense_model;

constexpr int kThreads = 8, kCalls = 50;

struct SessionThreads : tests::SessionTest {
  static bool answers_right(const Session& session, float seed) {
    const std::vector<float> x = {seed, 1, -seed, seed, seed, seed};
    const Shape shape = {2, 3};
    const auto outputs = session.infer({{"x", TensorView::of<float>(x, shape)}});
    if (!outputs) return false;
    const auto y = outputs->as<float>("y").value();
    return std::vector<float>(y.begin(), y.end()) == dense_answer(x);
  }
};

TEST_F(SessionThreads, EachGetsTheAnswerToItsOwnInputs) {
  const Session session = open(dense_model()).value();
  std::atomic<int> right = 0;
  {
    std::deque<std::jthread> threads;
    for (int t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < kCalls; ++i)
          right += answers_right(session, static_cast<float>(t * kCalls + i)) ? 1 : 0;
      });
  }
  EXPECT_EQ(right, kThreads * kCalls);
}

TEST_F(SessionThreads, SessionsOpenAndCloseBesideOneThatRuns) {
  const Session session = open(dense_model()).value();
  const std::string model = dense_model();
  std::atomic<bool> done = false;
  std::atomic<int> wrong = 0;
  std::jthread running([&] {
    for (float seed = 0; !done; ++seed) wrong += answers_right(session, seed) ? 0 : 1;
  });
  {
    std::deque<std::jthread> openers;
    for (int t = 0; t < 4; ++t)
      openers.emplace_back([&] {
        for (int i = 0; i < 5; ++i) {
          const auto other = Session::open(tests::bytes_of(model), options());
          wrong += other && answers_right(*other, 3) ? 0 : 1;
        }
      });
  }
  done = true;
  running.join();
  EXPECT_EQ(wrong, 0);
}

/// What a forked child says of its own parent's session: one letter through a pipe, or none in time.
std::string from_child(const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(5);
    const std::string text = work();
    [[maybe_unused]] const auto written = ::write(ends[1], text.data(), text.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text(256, '\0');
  const auto count = ::read(ends[0], text.data(), text.size());
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return text;
}

struct ForkedSession : SessionThreads {};

TEST_F(ForkedSession, RefusesToRunInTheChildAndSaysWhatToDo) {
  const Session session =
      open(dense_model(), {.threads = {.intra_op = 2, .inter_op = 2, .parallel = true}}).value();
  ASSERT_TRUE(answers_right(session, 1));
  const auto begin = std::chrono::steady_clock::now();
  const std::string said = from_child([&] {
    const std::vector<float> x = {1, 2, 3};
    const Shape shape = {1, 3};
    const auto outputs = session.infer({{"x", TensorView::of<float>(x, shape)}});
    return outputs ? "it ran" : std::string(to_string(outputs.error().code)) + ": " + outputs.error().hint;
  });
  EXPECT_EQ(said, "InvalidState: open the session in the child process");
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
}

TEST_F(ForkedSession, RefusesRunsIntoBuffersToo) {
  const Session session = open(dense_model()).value();
  EXPECT_EQ(from_child([&] {
              const Tensor x = Tensor::zeros(ElementType::Float32, {1, 3}).value();
              Tensor y = Tensor::zeros(ElementType::Float32, {1, 2}).value();
              const auto done = session.infer_into(std::vector<Input>{{"x", x}},
                                                   std::vector<Output>{{"y", y.mutable_view()}});
              return done ? "it ran" : std::string(to_string(done.error().code));
            }),
            "InvalidState");
}

TEST_F(ForkedSession, TheParentGoesOn) {
  const Session session = open(dense_model()).value();
  EXPECT_EQ(from_child([] { return std::string("a"); }), "a");
  EXPECT_TRUE(answers_right(session, 2));
}

TEST_F(ForkedSession, MayBeClosedInTheChild) {
  std::optional<Session> session =
      open(dense_model(), {.threads = {.intra_op = 3, .inter_op = 2, .parallel = true}}).value();
  ASSERT_TRUE(answers_right(*session, 1));
  EXPECT_EQ(from_child([&] {
              session.reset();
              return std::string("closed");
            }),
            "closed");
}

TEST_F(ForkedSession, AChildMayOpenItsOwn) {
  const Session session = open(dense_model()).value();
  EXPECT_EQ(from_child([&] {
              const auto own = open(dense_model(), {.threads = {.intra_op = 1}});
              return own && answers_right(*own, 4) ? std::string("right") : std::string("wrong");
            }),
            "right");
}

}  // namespace
}  // namespace surefoot
