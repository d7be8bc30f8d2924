#include "surefoot/prepared_run.hpp"
#include "surefoot/explain.hpp"

#include <algorithm>
#include <thread>

#include "tests/support/allocations.hpp"
#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using onnx::tensor_type;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using tests::dense_answer;
using namespace std::chrono_literals;

/// next = state + x, float32[2]: a model with a state.
std::string counting_model() {
  onnx::ModelBuilder model;
  model.input("x", tensor_type(ElementType::Float32, {2}));
  model.input("state", tensor_type(ElementType::Float32, {2}));
  model.output("next", tensor_type(ElementType::Float32, {2}));
  model.node({.op = "Add", .inputs = {"state", "x"}, .outputs = {"next"}});
  return model.bytes();
}

/// at[1,found] = places of what is not zero in x[4]: the shape depends on the data.
std::string finding_model() {
  return tests::one_node_model({.op = "NonZero", .inputs = {"x"}, .outputs = {"y"}},
                               tensor_type(ElementType::Float32, {4}),
                               tensor_type(ElementType::Int64, {1, "found"}));
}

/// y = x after many turns of a loop: runs until it is ended.
std::string endless_model() {
  onnx::GraphBuilder body("body");
  body.input("i", tensor_type(ElementType::Int64, {}));
  body.input("go", tensor_type(ElementType::Bool, {}));
  body.input("before", tensor_type(ElementType::Float32, {1}));
  body.node({.op = "Identity", .inputs = {"go"}, .outputs = {"go_on"}});
  body.node({.op = "Add", .inputs = {"before", "one"}, .outputs = {"after"}});
  body.output("go_on", tensor_type(ElementType::Bool, {}));
  body.output("after", tensor_type(ElementType::Float32, {1}));
  onnx::ModelBuilder model;
  model.input("x", tensor_type(ElementType::Float32, {1}));
  model.input("turns", tensor_type(ElementType::Int64, {}));
  model.output("y", tensor_type(ElementType::Float32, {1}));
  const Tensor one = Tensor::of<float>({1}, {1}).value();
  model.initializer("one", one.view());
  model.node({.op = "Loop", .inputs = {"turns", "", "x"}, .outputs = {"y"}, .attributes = {{"body", body}}});
  return model.bytes();
}

template <class T>
std::vector<T> read(const PreparedRun& run, std::string_view name) {
  const auto view = run.output<T>(name).value();
  return {view.begin(), view.end()};
}

template <class R>
std::string what_of(const R& result) {
  return result ? "no error" : result.error().what;
}

struct PreparedRunTest : tests::SessionTest {
  Session dense() { return open(tests::dense_model()).value(); }
  PreparedRun prepare_dense(std::int64_t rows = 1) {
    return dense().prepare({.dimensions = {{"n", rows}}}).value();
  }
  static void put(PreparedRun& run, std::string_view name, const std::vector<float>& values) {
    std::ranges::copy(values, run.input<float>(name).value().begin());
  }
};

TEST_F(PreparedRunTest, GivesWhatInferGives) {
  PreparedRun run = prepare_dense(2);
  put(run, "x", {1, 2, 3, 4, 5, 6});
  ASSERT_TRUE(run.run());
  EXPECT_THAT(read<float>(run, "y"), ElementsAreArray(dense_answer({1, 2, 3, 4, 5, 6})));
}

TEST_F(PreparedRunTest, StartsWithInputsOfZeros) {
  PreparedRun run = prepare_dense();
  ASSERT_TRUE(run.run());
  EXPECT_THAT(read<float>(run, "y"), ElementsAreArray(dense_answer({0, 0, 0})));
}

TEST_F(PreparedRunTest, KeepsWhatWasWrittenFromRunToRun) {
  PreparedRun run = prepare_dense();
  put(run, "x", {1, 2, 3});
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(run.run());
    EXPECT_THAT(read<float>(run, "y"), ElementsAreArray(dense_answer({1, 2, 3})));
  }
  put(run, "x", {3, 2, 1});
  ASSERT_TRUE(run.run());
  EXPECT_THAT(read<float>(run, "y"), ElementsAreArray(dense_answer({3, 2, 1})));
}

TEST_F(PreparedRunTest, TellsItsInputsAndOutputs) {
  const PreparedRun run = prepare_dense(4);
  ASSERT_EQ(run.inputs().size(), 1U);
  EXPECT_EQ(run.inputs().front().name, "x");
  EXPECT_EQ(to_string(run.inputs().front().type), "float32[4,3]");
  EXPECT_EQ(to_string(run.outputs().front().type), "float32[4,2]");
}

TEST_F(PreparedRunTest, AllocatesNothingOfOurs) {
  NEED_ALLOCATIONS();
  PreparedRun run = prepare_dense();
  const Session session = run.session();
  Tensor x = Tensor::zeros(ElementType::Float32, {1, 3}).value();
  Tensor y = Tensor::zeros(ElementType::Float32, {1, 2}).value();
  const Input input("x", x);
  const Output output{"y", y.mutable_view()};
  const auto allocations_of = [](const auto& call) {
    call();
    const std::size_t before = tests::allocations();
    for (int i = 0; i < 100; ++i) call();
    return tests::allocations() - before;
  };
  const auto prepared = allocations_of([&] { ASSERT_TRUE(run.run()); });
  // What ORT allocates for a run is the same at least for infer_into, which allocates nothing of ours.
  EXPECT_LE(prepared, allocations_of([&] { ASSERT_TRUE(session.infer_into({&input, 1}, {&output, 1})); }));
}

TEST_F(PreparedRunTest, RefusesOutputsBeforeTheFirstRun) {
  const PreparedRun run = prepare_dense();
  const auto y = run.output<float>("y");
  ASSERT_FALSE(y);
  EXPECT_EQ(y.error().code, ErrorCode::InvalidState);
  EXPECT_EQ(y.error().what, "there are no outputs yet: nothing has run");
}

TEST_F(PreparedRunTest, RefusesOutputsOnceAnInputWasTaken) {
  PreparedRun run = prepare_dense();
  ASSERT_TRUE(run.run());
  put(run, "x", {1, 2, 3});
  EXPECT_EQ(what_of(run.output<float>("y")),
            "the outputs are out of date: input `x` was taken to be written");
  ASSERT_TRUE(run.run());
  EXPECT_TRUE(run.output<float>("y"));
}

TEST_F(PreparedRunTest, RefusesOutputsOfARunThatFailed) {
  const Session session = open(tests::lookup_model()).value();
  PreparedRun run = session.prepare({.shapes = {{"index", {1}}}}).value();
  ASSERT_TRUE(run.run());
  run.input<std::int64_t>("index").value()[0] = 99;
  EXPECT_EQ(run.run().error().code, ErrorCode::RunFailed);
  EXPECT_EQ(what_of(run.output<float>("y")), "there are no outputs: the last run failed");
  EXPECT_EQ(session.provider(), "cpu");
}

TEST_F(PreparedRunTest, AnUnknownNameChangesNothing) {
  PreparedRun run = prepare_dense();
  ASSERT_TRUE(run.run());
  const auto typo = run.input<float>("X_");
  ASSERT_FALSE(typo);
  EXPECT_EQ(typo.error().code, ErrorCode::NotFound);
  EXPECT_THAT(typo.error().hint, HasSubstr("`x`"));
  EXPECT_TRUE(run.output<float>("y"));
  EXPECT_EQ(run.output<float>("z").error().code, ErrorCode::NotFound);
}

TEST_F(PreparedRunTest, RefusesAnotherElementType) {
  PreparedRun run = prepare_dense();
  EXPECT_EQ(run.input<double>("x").error().code, ErrorCode::InvalidArgument);
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.output<double>("y").error().code, ErrorCode::InvalidArgument);
}

TEST_F(PreparedRunTest, WritesOnlyWhatFits) {
  PreparedRun run = prepare_dense();
  const Tensor right = Tensor::of<float>({1, 2, 3}, {1, 3}).value();
  const Tensor wrong = Tensor::of<float>({1, 2, 3}, {3}).value();
  EXPECT_TRUE(run.write("x", right.view()));
  const auto refused = run.write("x", wrong.view());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidInput);
  EXPECT_EQ(refused.error().what, "input `x` is float32[3] of 12 bytes, the prepared run wants float32[1,3]");
  ASSERT_TRUE(run.run());
  EXPECT_THAT(read<float>(run, "y"), ElementsAreArray(dense_answer({1, 2, 3})));
}

TEST_F(PreparedRunTest, RefusesUnknownSizes) {
  const auto run = dense().prepare({});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(run.error().what, "the size of axis 0 (`n`) of input `x` is not known");
}

TEST_F(PreparedRunTest, ReadsAndWritesTheCallersMemory) {
  PreparedRun run = prepare_dense();
  Tensor x = Tensor::of<float>({1, 2, 3}, {1, 3}).value();
  Tensor y = Tensor::zeros(ElementType::Float32, {1, 2}).value();
  ASSERT_TRUE(run.bind_input("x", x.view()));
  ASSERT_TRUE(run.bind_output("y", y.mutable_view()));
  ASSERT_TRUE(run.run());
  EXPECT_THAT(y.as<float>().value(), ElementsAreArray(dense_answer({1, 2, 3})));
  EXPECT_EQ(run.output<float>("y").value().data(), y.as<float>().value().data());
  reinterpret_cast<float*>(x.mutable_bytes().data())[0] = 5;
  ASSERT_TRUE(run.run());
  EXPECT_THAT(y.as<float>().value(), ElementsAreArray(dense_answer({5, 2, 3})));
  EXPECT_THAT(what_of(run.input<float>("x")), HasSubstr("not the prepared run's own"));
}

TEST_F(PreparedRunTest, ExplainsMemoryThatIsNotAligned) {
  PreparedRun run = prepare_dense();
  alignas(16) std::array<std::byte, 13> bytes = {};
  const Shape shape = {1, 3};
  const auto bound = run.bind_input("x", {ElementType::Float32, shape, std::span(bytes).subspan(1)});
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(bound.error().what, HasSubstr("float32 wants a multiple of 4"));
  const auto small = run.bind_input("x", {ElementType::Float32, shape, std::span(bytes).first(8)});
  EXPECT_EQ(small.error().code, ErrorCode::InvalidInput);
}

TEST_F(PreparedRunTest, FeedsAStateBackWithoutCopying) {
  PreparedRun run = open(counting_model()).value().prepare({}).value();
  ASSERT_TRUE(run.feed_back("next", "state"));
  put(run, "state", {100, 200});
  put(run, "x", {1, 2});
  std::vector<const float*> places;
  for (float i = 1; i <= 4; ++i) {
    ASSERT_TRUE(run.run());
    EXPECT_THAT(read<float>(run, "next"), ElementsAre(100 + i, 200 + 2 * i));
    places.push_back(run.output<float>("next").value().data());
  }
  EXPECT_EQ(places[0], places[2]);
  EXPECT_EQ(places[1], places[3]);
  EXPECT_NE(places[0], places[1]);
}

TEST_F(PreparedRunTest, StartsAFedBackStateAnewWhereItIsWritten) {
  PreparedRun run = open(counting_model()).value().prepare({}).value();
  ASSERT_TRUE(run.feed_back("next", "state"));
  put(run, "x", {1, 1});
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(run.run());
  put(run, "state", {0, 0});
  ASSERT_TRUE(run.run());
  EXPECT_THAT(read<float>(run, "next"), ElementsAre(1, 1));
}

TEST_F(PreparedRunTest, RefusesAFeedbackThatDoesNotFit) {
  PreparedRun run = prepare_dense();
  EXPECT_EQ(what_of(run.feed_back("y", "x")),
            "output `y` is float32[1,2], and cannot be input `x`: float32[1,3]");
  EXPECT_EQ(run.feed_back("y", "z").error().code, ErrorCode::NotFound);
}

TEST_F(PreparedRunTest, RefusesToFeedOneOutputBackTwice) {
  PreparedRun run = open(counting_model()).value().prepare({}).value();
  ASSERT_TRUE(run.feed_back("next", "state"));
  EXPECT_EQ(what_of(run.feed_back("next", "x")), "the memory of output `next` is fed back already");
}

TEST_F(PreparedRunTest, ReadsWhatAnotherOneGave) {
  PreparedRun first = open(counting_model()).value().prepare({}).value();
  PreparedRun second = open(counting_model()).value().prepare({}).value();
  ASSERT_TRUE(second.bind_input("x", first, "next"));
  put(first, "x", {1, 2});
  put(second, "state", {10, 10});
  ASSERT_TRUE(first.run());
  ASSERT_TRUE(second.run());
  EXPECT_THAT(read<float>(second, "next"), ElementsAre(11, 12));
  Tensor elsewhere = Tensor::zeros(ElementType::Float32, {2}).value();
  EXPECT_EQ(what_of(first.bind_output("next", elsewhere.mutable_view())),
            "the memory of output `next` is read by another prepared run");
}

TEST_F(PreparedRunTest, KeepsTheMemoryOfASourceThatIsGone) {
  PreparedRun second = open(counting_model()).value().prepare({}).value();
  {
    PreparedRun first = open(counting_model()).value().prepare({}).value();
    put(first, "x", {1, 2});
    ASSERT_TRUE(first.run());
    ASSERT_TRUE(second.bind_input("x", first, "next"));
  }
  ASSERT_TRUE(second.run());
  EXPECT_THAT(read<float>(second, "next"), ElementsAre(1, 2));
}

TEST_F(PreparedRunTest, FollowsAnOutputWhoseShapeDependsOnTheData) {
  PreparedRun run = open(finding_model()).value().prepare({}).value();
  EXPECT_EQ(to_string(run.outputs().front().type), "int64[...]");
  const std::vector<std::vector<float>> inputs = {
      {1, 0, 1, 0}, {0, 1, 0, 1}, {1, 1, 1, 0}, {0, 0, 0, 0}, {0, 0, 0, 1}};
  const std::vector<std::vector<std::int64_t>> found = {{0, 2}, {1, 3}, {0, 1, 2}, {}, {3}};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    put(run, "x", inputs[i]);
    ASSERT_TRUE(run.run()) << i;
    EXPECT_THAT(read<std::int64_t>(run, "y"), ElementsAreArray(found[i]));
    EXPECT_THAT(run.output_view("y").value().shape,
                ElementsAre(1, static_cast<std::int64_t>(found[i].size())));
  }
  EXPECT_TRUE(run.session().events().empty());
}

/// Calls the number of what it finds by the name of its input's size.
std::string misnaming_model() {
  return tests::one_node_model({.op = "NonZero", .inputs = {"x"}, .outputs = {"y"}},
                               tensor_type(ElementType::Float32, {"n"}),
                               tensor_type(ElementType::Int64, {1, "n"}));
}

TEST_F(PreparedRunTest, FollowsAnOutputWhoseSizeIsNotTheOneThatItsNameSays) {
  PreparedRun run = open(misnaming_model()).value().prepare({.dimensions = {{"n", 3}}}).value();
  put(run, "x", {1, 0, 1});
  ASSERT_TRUE(run.run());
  EXPECT_THAT(read<std::int64_t>(run, "y"), ElementsAre(0, 2));
}

TEST_F(PreparedRunTest, WritesToMemoryThatItIsLentForAsLongAsItFits) {
  Tensor y = Tensor::zeros(ElementType::Int64, {1, 3}).value();
  const Session session = open(misnaming_model()).value();
  for (const bool is_lent : {true, false}) {
    PreparedRun run = session.prepare({.dimensions = {{"n", 3}}}).value();
    ASSERT_TRUE(is_lent ? run.lend_output("y", y.mutable_view()) : run.bind_output("y", y.mutable_view()));
    put(run, "x", {1, 1, 1});
    ASSERT_TRUE(run.run());
    EXPECT_EQ(run.output_view("y").value().bytes.data(), y.bytes().data());
    put(run, "x", {1, 0, 1});
    ASSERT_EQ(run.run().has_value(), is_lent) << "memory that is bound is kept to";
    if (!is_lent) continue;
    EXPECT_THAT(read<std::int64_t>(run, "y"), ElementsAre(0, 2));
  }
}

TEST_F(PreparedRunTest, GivesAnOutputLastingMemoryOnceARunToldItsShape) {
  PreparedRun run = open(finding_model()).value().prepare({}).value();
  put(run, "x", {1, 0, 1, 0});
  ASSERT_TRUE(run.run());
  const auto* place = run.output<std::int64_t>("y").value().data();
  put(run, "x", {0, 1, 1, 0});
  ASSERT_TRUE(run.run());
  EXPECT_EQ(run.output<std::int64_t>("y").value().data(), place);
}

TEST_F(PreparedRunTest, AClonesMemoryIsItsOwn) {
  PreparedRun run = open(counting_model()).value().prepare({}).value();
  ASSERT_TRUE(run.feed_back("next", "state"));
  put(run, "x", {1, 1});
  ASSERT_TRUE(run.run());
  PreparedRun other = run.clone().value();
  put(other, "x", {5, 5});
  for (int i = 0; i < 2; ++i) ASSERT_TRUE(other.run());
  EXPECT_THAT(read<float>(other, "next"), ElementsAre(10, 10));
  EXPECT_THAT(read<float>(run, "next"), ElementsAre(1, 1));
}

TEST_F(PreparedRunTest, ClonesRunOnThreadsOfTheirOwn) {
  const PreparedRun run = prepare_dense();
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, x = static_cast<float>(i)] {
      PreparedRun mine = run.clone().value();
      put(mine, "x", {x, x, x});
      for (int turn = 0; turn < 50; ++turn) {
        ASSERT_TRUE(mine.run());
        ASSERT_THAT(read<float>(mine, "y"), ElementsAreArray(dense_answer({x, x, x})));
      }
    });
}

TEST_F(PreparedRunTest, EndsAtItsDeadlineAndGoesOnAfterwards) {
  PreparedRun run = open(endless_model()).value().prepare({}).value();
  run.input<std::int64_t>("turns").value()[0] = std::int64_t{1} << 60;
  const auto ended = run.run(20ms);
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::TimedOut);
  EXPECT_THAT(ended.error().what, HasSubstr("ended at its limit of 20.0 ms"));
  EXPECT_EQ(slug_of(ended.error()), "run-time-limit");
  run.input<std::int64_t>("turns").value()[0] = 3;
  ASSERT_TRUE(run.run(10s));
  EXPECT_THAT(read<float>(run, "y"), ElementsAre(3));
}

TEST_F(PreparedRunTest, IsCancelledFromAnotherThread) {
  PreparedRun run = open(endless_model()).value().prepare({}).value();
  run.input<std::int64_t>("turns").value()[0] = std::int64_t{1} << 60;
  std::future<Result<void>> running = run.run_async();
  EXPECT_EQ(what_of(run.run()), "a run of this prepared run is under way");
  EXPECT_EQ(what_of(run.input<float>("x")), "a run of this prepared run is under way");
  run.cancel();
  const Result<void> ended = running.get();
  ASSERT_FALSE(ended);
  EXPECT_EQ(ended.error().code, ErrorCode::Cancelled);
  run.cancel();  // nothing is under way: the next run is not ended
  run.input<std::int64_t>("turns").value()[0] = 2;
  ASSERT_TRUE(run.run());
  EXPECT_THAT(read<float>(run, "y"), ElementsAre(2));
}

TEST_F(PreparedRunTest, CallsBackWhenAnAsynchronousRunIsDone) {
  PreparedRun run = prepare_dense();
  put(run, "x", {1, 2, 3});
  std::promise<Result<void>> done;
  ASSERT_TRUE(run.run_async([&](Result<void> result) { done.set_value(std::move(result)); }));
  ASSERT_TRUE(done.get_future().get());
  EXPECT_THAT(read<float>(run, "y"), ElementsAreArray(dense_answer({1, 2, 3})));
}

TEST_F(PreparedRunTest, EndsARunThatIsUnderWayWhenItIsDestroyed) {
  std::future<Result<void>> running;
  {
    PreparedRun run = open(endless_model()).value().prepare({}).value();
    run.input<std::int64_t>("turns").value()[0] = std::int64_t{1} << 60;
    running = run.run_async();
  }
  EXPECT_EQ(running.get().error().code, ErrorCode::Cancelled);
}

TEST_F(PreparedRunTest, KeepsItsSessionAlive) {
  std::optional<PreparedRun> run;
  {
    const Session session = dense();
    run = session.prepare({.dimensions = {{"n", 1}}}).value();
  }
  EXPECT_TRUE(run->run());
}

TEST_F(PreparedRunTest, PointsToInferWhereStringsGoIn) {
  const auto run = open(tests::identity_model(tensor_type(ElementType::String, {1}))).value().prepare({});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(run.error().hint, HasSubstr("`infer`"));
}

TEST_F(PreparedRunTest, RefusesAMisspeltRunEntry) {
  const auto run = dense().prepare(
      {.dimensions = {{"n", 1}}, .config = {{"memory.enable_memory_arena_shrinkag", "cpu:0"}}});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::InvalidArgument);
}

TEST_F(PreparedRunTest, RunsOnEveryRuntime) {
  for (const tests::TestRuntime& each : tests::test_runtimes()) {
    const auto loaded = Runtime::load({.library = each.library});
    SCOPED_TRACE(each.library);
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    const Session session =
        open(finding_model(), {.runtime = *loaded, .providers = {.only = {"cpu"}}}).value();
    PreparedRun run = session.prepare({}).value();
    for (const std::vector<float>& x : {std::vector<float>{1, 0, 1, 0}, {1, 1, 1, 0}, {0, 0, 0, 1}}) {
      put(run, "x", x);
      const auto done = run.run();
      ASSERT_TRUE(done) << to_string(done.error());
      EXPECT_EQ(static_cast<std::ptrdiff_t>(read<std::int64_t>(run, "y").size()),
                std::ranges::count(x, 1.0f));
    }
  }
}

}  // namespace
}  // namespace surefoot
