// Threads and memory that sessions of one process share.
#include "tests/support/resident_memory.hpp"
#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

std::size_t threads_of_process() {
  const std::filesystem::directory_iterator tasks("/proc/self/task");
  return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

void expect_answers(const Session& session) {
  const std::vector<float> x = {1, 2, 3, 4, 5, 6};
  const Tensor tensor = Tensor::of<float>(x, {2, 3}).value();
  EXPECT_THAT(session.infer({{"x", tensor}})->as<float>("y").value(),
              ElementsAreArray(tests::dense_answer(x)));
}

struct SharedThreadsTest : tests::SessionTest {};
struct SharedArenaTest : tests::SessionTest {};

TEST_F(SharedThreadsTest, ServeEverySessionThatAsksForThem) {
  // A copy of the library is an ORT of its own, whose environment is made here.
  const auto copy = folder / "libonnxruntime.so.1";
  std::filesystem::copy_file(tests::main_library(), copy);
  const auto with_pool = Runtime::load({.library = copy, .shared_threads = SharedThreads{.intra_op = 3}});
  ASSERT_TRUE(with_pool) << to_string(with_pool.error());
  const std::size_t before = threads_of_process();
  std::vector<Session> sessions;
  for (int i = 0; i < 4; ++i)
    sessions.push_back(
        open(tests::dense_model(), {.runtime = *with_pool, .threads = {.shared = true}}).value());
  EXPECT_EQ(threads_of_process(), before);
  for (const Session& session : sessions) expect_answers(session);

  const auto own = open(tests::dense_model(), {.runtime = *with_pool, .threads = {.intra_op = 3}});
  EXPECT_EQ(threads_of_process(), before + 2) << "the calling thread is the third";
  expect_answers(*own);
}

TEST_F(SharedThreadsTest, AreRefusedWhereTheRuntimeWasStartedWithoutThem) {
  const Error session = error_of(open(tests::dense_model(), {.threads = {.shared = true}}));
  EXPECT_THAT(to_string(session), HasSubstr("load the runtime with `shared_threads`"));
  const auto later = Runtime::load({.library = tests::main_library(), .shared_threads = SharedThreads{}});
  ASSERT_FALSE(later);
  EXPECT_EQ(later.error().code, ErrorCode::InvalidState);
  EXPECT_THAT(later.error().hint, HasSubstr("where this process loads ONNX Runtime first"));
}

TEST_F(SharedThreadsTest, LeaveNoNumberToTheSession) {
  const Error error = error_of(open(tests::dense_model(), {.threads = {.intra_op = 2, .shared = true}}));
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_THAT(error.what, HasSubstr("threads are to be shared, and a number"));
}

/// How much the process grows by when a second session gives an output of 64 MiB, the first one having
/// given one and freed it.
std::int64_t growth(const Session& first, const Session& second) {
  const Tensor x = Tensor::zeros(ElementType::Float32, {8 << 20, 3}).value();
  EXPECT_TRUE(first.infer({{"x", x}}));
  const std::int64_t before = tests::resident_bytes();
  EXPECT_TRUE(second.infer({{"x", x}}));
  return tests::resident_bytes() - before;
}

TEST_F(SharedArenaTest, GivesOneSessionWhatAnotherHasFreed) {
  constexpr std::int64_t kMiB = 1 << 20;
  const SessionOptions own{.threads = {.intra_op = 1}};
  SessionOptions shared = own;
  shared.shared_arena = true;
  EXPECT_GT(growth(*open(tests::dense_model(), own), *open(tests::dense_model(), own)), 48 * kMiB);
  const auto first = open(tests::dense_model(), shared), second = open(tests::dense_model(), shared);
  EXPECT_LT(growth(*first, *second), 16 * kMiB);
  expect_answers(*second);
}

}  // namespace
}  // namespace surefoot
