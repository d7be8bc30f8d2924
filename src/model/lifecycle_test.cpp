#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/made_up_models.hpp"
#include "surefoot/explain.hpp"
#include "surefoot/prepared_run.hpp"
#include "tests/support/resident_memory.hpp"
#include "tests/support/runtimes.hpp"

namespace surefoot::model {
namespace {

using onnx::ModelBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = ModelEvent::Kind;

struct LifecycleTest : ::testing::Test {
  void SetUp() override {
    NEED_RUNTIME();
    runtime = tests::main_runtime();
  }
  Model open(const ModelBuilder& builder, ModelOptions options = {}) {
    options.session.runtime = runtime;
    auto model = Model::open(folder.write("model.onnx", builder.bytes()), std::move(options));
    EXPECT_TRUE(model) << to_string(model.error());
    return std::move(model).value();
  }
  static std::vector<float> run(const Model& model, const std::vector<float>& x = {1, 1, 1}) {
    const Tensor input = Tensor::of<float>(x, {static_cast<std::int64_t>(x.size() / 3), 3}).value();
    auto outputs = model.infer({{"x", input}});
    EXPECT_TRUE(outputs) << to_string(outputs.error());
    if (!outputs) return {};
    const auto values = outputs->as<float>("y").value();
    return {values.begin(), values.end()};
  }
  static std::vector<Kind> kinds(const Model& model) {
    std::vector<Kind> found;
    for (const ModelEvent& event : model.session_events()) found.push_back(event.kind);
    return found;
  }
  std::optional<Runtime> runtime;
  tests::TestFolder folder;
};

TEST_F(LifecycleTest, ASessionRunsTheModelAsItIs) {
  Model model = open(dense_builder());
  ASSERT_TRUE(model.create_session());
  EXPECT_TRUE(model.has_session());
  EXPECT_THAT(run(model), ElementsAre(9.5f, 11.5f));
}

TEST_F(LifecycleTest, RunningWithoutOneSaysWhatToCall) {
  Model model = open(dense_builder());
  auto session = model.session();
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::InvalidState);
  EXPECT_THAT(session.error().what, HasSubstr("has no session: none was created yet"));
  EXPECT_THAT(session.error().hint, HasSubstr("`create_session()` first"));
  EXPECT_EQ(slug_of(session.error()), "session-not-created");
}

TEST_F(LifecycleTest, ReleasingTwiceIsFineAndIsSaid) {
  Model model = open(dense_builder());
  ASSERT_TRUE(model.create_session());
  model.release_session();
  model.release_session();
  EXPECT_FALSE(model.has_session());
  EXPECT_THAT(model.session().error().what, HasSubstr("it was released"));
  ASSERT_TRUE(model.create_session());
  EXPECT_THAT(kinds(model), ElementsAre(Kind::Created, Kind::Released, Kind::Created));
}

TEST_F(LifecycleTest, WhyTheLastCreationFailedIsShown) {
  Model model = open(dense_builder());
  SessionOptions wrong{.runtime = runtime};
  wrong.providers.only = {"cuda"};
  ASSERT_FALSE(model.create_session(wrong));
  const auto session = model.session();
  ASSERT_FALSE(session);
  EXPECT_THAT(session.error().what, HasSubstr("creating it failed: "));
  EXPECT_THAT(kinds(model), ElementsAre(Kind::Failed));
}

TEST_F(LifecycleTest, ASessionThatCannotBeReplacedStays) {
  Model model = open(dense_builder());
  ASSERT_TRUE(model.create_session());
  ASSERT_FALSE(model.create_session({{"bacth", 2}}));
  EXPECT_THAT(run(model), ElementsAre(9.5f, 11.5f));
}

TEST_F(LifecycleTest, NothingChangedIsFree) {
  Model model = open(dense_builder());
  ASSERT_TRUE(model.create_session());
  ASSERT_TRUE(model.create_session());
  ASSERT_TRUE(model.create_session({.runtime = runtime}));
  EXPECT_THAT(kinds(model), ElementsAre(Kind::Created));
}

TEST_F(LifecycleTest, OtherDimensionsReplaceItAndAnEventSaysSo) {
  Model model = open(dense_builder());
  ASSERT_TRUE(model.create_session({{"n", 1}}));
  ASSERT_TRUE(model.create_session({{"n", 2}}));
  EXPECT_THAT(kinds(model), ElementsAre(Kind::Created, Kind::Replaced));
  EXPECT_EQ(model.session_events().back().reason, "`n` is 2, was 1");
  EXPECT_THAT(run(model, {1, 1, 1, 0, 0, 0}), ElementsAre(9.5f, 11.5f, 0.5f, -0.5f));
}

TEST_F(LifecycleTest, ASmallEditedWeightIsUsed) {
  Model model = open(dense_builder());
  ASSERT_TRUE(model.create_session());
  ASSERT_TRUE(model.weights().set("b", floats({100, 200}, {2})));
  EXPECT_THAT(run(model), ElementsAre(9.5f, 11.5f));
  ASSERT_TRUE(model.create_session());
  EXPECT_EQ(model.session_events().back().reason, "weight `b` differs");
  EXPECT_THAT(run(model), ElementsAre(109, 212));
  ASSERT_TRUE(model.weights().reset("b"));
  ASSERT_TRUE(model.create_session());
  EXPECT_THAT(run(model), ElementsAre(9.5f, 11.5f));
}

/// y[n,k] = x[n,k] + w with a weight of `size` floats, all 1, which is folded into nothing.
ModelBuilder large_builder(std::int64_t size) {
  ModelBuilder model;
  model.input("x", onnx::tensor_type(ElementType::Float32, {"n", size}));
  const std::vector<float> ones(static_cast<std::size_t>(size), 1.0f);
  model.initializer("w", Tensor::of<float>(ones, {size}).value().view());
  model.node({.op = "Add", .inputs = {"x", "w"}, .outputs = {"y"}});
  model.output("y", onnx::tensor_type(ElementType::Float32, {"n", size}));
  return model;
}

std::vector<float> run_large(const Model& model, std::int64_t size) {
  const Tensor x = Tensor::zeros(ElementType::Float32, {1, size}).value();
  auto outputs = model.infer({{"x", x}});
  EXPECT_TRUE(outputs) << to_string(outputs.error());
  const auto values = outputs->as<float>("y").value();
  return {values.begin(), values.end()};
}

TEST_F(LifecycleTest, LargeWeightsAreUsedWhereTheyLie) {
  constexpr std::int64_t kSize = 100'000;
  Model model = open(large_builder(kSize));
  ASSERT_TRUE(model.weights().set("w", Tensor::of<float>(std::vector<float>(kSize, 3.0f), {kSize}).value()));
  ASSERT_TRUE(model.create_session());
  EXPECT_EQ(run_large(model, kSize), std::vector<float>(kSize, 3.0f));
}

TEST_F(LifecycleTest, AnEditedWeightIsWhatOptimizersFold) {
  // Two constants are multiplied when the session is made: the product must be that of the edited one.
  constexpr std::int64_t kSize = 1000;
  ModelBuilder builder = large_builder(kSize);
  builder.initializer("two", floats({2}, {1}).view());
  builder.node({.op = "Mul", .inputs = {"w", "two"}, .outputs = {"double"}});
  builder.output("double", onnx::tensor_type(ElementType::Float32, {kSize}));
  Model model = open(builder);
  ASSERT_TRUE(model.weights().set("w", Tensor::of<float>(std::vector<float>(kSize, 5.0f), {kSize}).value()));
  ASSERT_TRUE(model.create_session());
  const Tensor x = Tensor::zeros(ElementType::Float32, {1, kSize}).value();
  auto outputs = model.infer({{"x", x}});
  ASSERT_TRUE(outputs) << to_string(outputs.error());
  EXPECT_EQ(outputs->as<float>("double").value()[999], 10.0f);
}

TEST_F(LifecycleTest, ExternalWeightsAndGraphEditsGoTogether) {
  constexpr std::int64_t kSize = 5000;
  const std::vector<float> content(kSize, 4.0f);
  folder.write("w.data", {reinterpret_cast<const char*>(content.data()), content.size() * 4});
  ModelBuilder builder;
  builder.input("x", onnx::tensor_type(ElementType::Float32, {"n", kSize}));
  builder.initializer({.name = "w", .type = ElementType::Float32, .shape = {kSize}, .location = "w.data"});
  builder.node({.op = "Add", .inputs = {"x", "w"}, .outputs = {"sum"}});
  builder.node({.op = "Neg", .inputs = {"sum"}, .outputs = {"y"}});
  builder.output("y", onnx::tensor_type(ElementType::Float32, {"n", kSize}));
  Model model = open(builder);
  ASSERT_TRUE(model.interface().add_output("sum"));
  ASSERT_TRUE(model.create_session());
  EXPECT_EQ(run_large(model, kSize)[4999], -4.0f);
  const Tensor x = Tensor::zeros(ElementType::Float32, {1, kSize}).value();
  EXPECT_EQ(model.infer({{"x", x}})->as<float>("sum").value()[0], 4.0f);
}

TEST_F(LifecycleTest, ASessionOutlivesItsModel) {
  constexpr std::int64_t kSize = 10'000;
  std::optional<Session> session;
  {
    Model model = open(large_builder(kSize));
    ASSERT_TRUE(
        model.weights().set("w", Tensor::of<float>(std::vector<float>(kSize, 3.0f), {kSize}).value()));
    ASSERT_TRUE(model.create_session());
    session = *model.session();
  }
  const Tensor x = Tensor::zeros(ElementType::Float32, {1, kSize}).value();
  EXPECT_EQ(session->infer({{"x", x}})->as<float>("y").value()[9999], 3.0f);
}

TEST_F(LifecycleTest, TheTypeOfAnInnerValueIsInferredAndNothingIsEdited) {
  Model model = open(dense_builder());
  ASSERT_TRUE(model.create_session());
  const auto type = model.infer_type("xw");
  ASSERT_TRUE(type) << to_string(type.error());
  EXPECT_EQ(type->element, ElementType::Float32);
  ASSERT_EQ(type->shape->size(), 2u);
  EXPECT_EQ((*type->shape)[0].name, "n");
  EXPECT_EQ((*type->shape)[1].size, 2);
  EXPECT_EQ(model.infer_type("y")->shape, type->shape);
  EXPECT_FALSE(model.is_edited());
  ASSERT_TRUE(model.create_session());
  EXPECT_THAT(kinds(model), ElementsAre(Kind::Created));
  EXPECT_THAT(model.infer_type("xww").error().hint, HasSubstr("`xw`"));
}

TEST_F(LifecycleTest, AScalarsInferredTypeHasNoAxesAndThatOfAnUnknownRankNoShape) {
  if (runtime->api_version() < 24) GTEST_SKIP() << "ONNX Runtime tells them apart from 1.24 on";
  ModelBuilder builder = dense_builder();
  builder.input("sizes", onnx::tensor_type(ElementType::Int64, {"axes"}));
  builder.node({.op = "ReduceSum", .inputs = {"y"}, .outputs = {"sum"}, .attributes = {{"keepdims", 0}}});
  builder.node({.op = "Reshape", .inputs = {"y", "sizes"}, .outputs = {"any"}});
  Model model = open(builder);
  const auto scalar = model.infer_type("sum"), unknown = model.infer_type("any");
  ASSERT_TRUE(scalar) << to_string(scalar.error());
  ASSERT_TRUE(unknown) << to_string(unknown.error());
  EXPECT_EQ(to_string(*scalar), "float32");
  EXPECT_EQ(to_string(*unknown), "float32[...]");
}

TEST_F(LifecycleTest, PreparedRunsComeFromTheSession) {
  Model model = open(dense_builder());
  EXPECT_EQ(model.prepare({}).error().code, ErrorCode::InvalidState);
  ASSERT_TRUE(model.create_session({{"n", 1}}));
  const auto prepared = model.prepare({});
  EXPECT_TRUE(prepared) << to_string(prepared.error());
}

TEST_F(LifecycleTest, AutoCreateMakesOneOnFirstUse) {
  Model model = open(dense_builder(), {.auto_create = true});
  EXPECT_FALSE(model.has_session());
  EXPECT_THAT(run(model), ElementsAre(9.5f, 11.5f));
  EXPECT_TRUE(model.has_session());
}

TEST_F(LifecycleTest, AForkedChildIsToldThatTheSessionDidNotComeAlong) {
  Model model = open(dense_builder());
  ASSERT_TRUE(model.create_session());
  const pid_t child = ::fork();
  if (child == 0) {
    const auto session = model.session();
    const bool told = !session && session.error().what.find("before fork()") != std::string::npos;
    ::_exit(told && !model.has_session() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(LifecycleTest, AForkedChildMakesItsOwnWithAutoCreate) {
  // One thread: none has to be started in the child.
  Model model = open(dense_builder(), {.auto_create = true, .session = {.threads = {.intra_op = 1}}});
  ASSERT_THAT(run(model), ElementsAre(9.5f, 11.5f));
  const pid_t child = ::fork();
  if (child == 0) {
    const Tensor x = floats({1, 1, 1}, {1, 3});
    auto outputs = model.infer({{"x", x}});
    const bool right = outputs && outputs->as<float>("y").value()[0] == 9.5f;
    ::_exit(right && model.session_events().back().reason == "the process was forked" ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(LifecycleTest, ACopyIsToldThatTheSessionDidNotComeAlong) {
  Model copy = open(dense_builder(), {.copied_by = "pickling"});
  const auto session = copy.session();
  ASSERT_FALSE(session);
  EXPECT_THAT(session.error().what, HasSubstr("created before pickling did not come along"));
  EXPECT_THAT(session.error().hint, HasSubstr("`create_session()` on the copy"));
  EXPECT_EQ(slug_of(session.error()), "session-not-created");
  ASSERT_TRUE(copy.create_session());
  copy.release_session();
  EXPECT_THAT(copy.session().error().what, HasSubstr("it was released"));
}

TEST_F(LifecycleTest, EngineBuildersAreLeftOutUnlessTheCallerNamesProviders) {
  Model model = open(dense_builder());
  ASSERT_TRUE(model.create_session());
  const Candidate* left_out = model.session()->plan().candidate(engine_builders().front());
  EXPECT_TRUE(left_out == nullptr || left_out->verdict == Verdict::Rejected);
}

TEST_F(LifecycleTest, ReleasingGivesTheMemoryBack) {
  constexpr std::int64_t kSize = 30'000'000;
  Model model = open(large_builder(kSize));
  ASSERT_TRUE(model.create_session());
  const std::int64_t with_session = tests::resident_bytes();
  model.release_session();
  EXPECT_GT(with_session - tests::resident_bytes(), kSize * 4 / 2);
}

/// Two weights of which the second lies at an address that float32 does not allow, and an edit of a third.
ModelBuilder untouched_builder(std::int64_t size) {
  ModelBuilder builder = large_builder(size);
  builder.initializer("odd", Tensor::zeros(ElementType::UInt8, {1}).value().view());
  const std::vector<float> twos(static_cast<std::size_t>(size), 2.0f);
  builder.initializer("more", Tensor::of<float>(twos, {size}).value().view());
  builder.initializer("b", floats({0.5f}, {1}).view());
  builder.node({.op = "Mul", .inputs = {"y", "more"}, .outputs = {"twice"}});
  builder.node({.op = "Add", .inputs = {"twice", "b"}, .outputs = {"z"}});
  builder.output("z", onnx::tensor_type(ElementType::Float32, {"n", size}));
  return builder;
}

float last_of_z(const Model& model, std::int64_t size) {
  const Tensor x = Tensor::zeros(ElementType::Float32, {1, size}).value();
  auto outputs = model.infer({{"x", x}});
  EXPECT_TRUE(outputs) << to_string(outputs.error());
  return outputs ? outputs->as<float>("z").value().back() : -1;
}

TEST_F(LifecycleTest, WhatWasNotEditedIsReadFromTheFileByEveryRuntime) {
  constexpr std::int64_t kSize = 2001;
  for (const tests::TestRuntime& found : tests::test_runtimes()) {
    SCOPED_TRACE(found.library);
    auto loaded = Runtime::load({.library = found.library});
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    Model model = open(untouched_builder(kSize));
    ASSERT_TRUE(model.weights().set("b", floats({1}, {1})));
    const auto created = model.create_session({.runtime = *loaded});
    ASSERT_TRUE(created) << to_string(created.error());
    EXPECT_EQ(model.session()->info().external_data.size(), loaded->api_version() >= 23 ? 2u : 0u);
    EXPECT_EQ(last_of_z(model, kSize), 3.0f);
  }
}

TEST_F(LifecycleTest, AFileThatWasReplacedIsNotReadAgain) {
  constexpr std::int64_t kSize = 2000;
  Model model = open(untouched_builder(kSize));
  ASSERT_TRUE(model.weights().set("b", floats({1}, {1})));
  ASSERT_TRUE(model.save(model.path(), {.placement = WeightPlacement::External}));
  ASSERT_TRUE(model.create_session());
  EXPECT_TRUE(model.session()->info().external_data.empty());
  EXPECT_EQ(last_of_z(model, kSize), 3.0f);
}

TEST_F(LifecycleTest, ASessionWhoseFileWasReplacedOpensNoOtherCandidateFromIt) {
  Model model = open(untouched_builder(2000));
  ASSERT_TRUE(model.weights().set("b", floats({1}, {1})));
  ASSERT_TRUE(model.create_session());
  Session session = *model.session();
  ASSERT_TRUE(session.retry());
  ASSERT_TRUE(model.save(model.path(), {.placement = WeightPlacement::External}));
  const auto retried = session.retry();
  ASSERT_FALSE(retried);
  EXPECT_THAT(to_string(retried.error()), HasSubstr("was replaced since the model was opened"));
}

TEST_F(LifecycleTest, AModelBehindALinkIsReadWhereItLies) {
  const auto blob = folder.write("blobs/abc", untouched_builder(2000).bytes());
  std::filesystem::create_directory(folder / "snapshot");
  std::filesystem::create_symlink(blob, folder / "snapshot/model.onnx");
  auto model = Model::open(folder / "snapshot/model.onnx", {.session = {.runtime = runtime}});
  ASSERT_TRUE(model) << to_string(model.error());
  ASSERT_TRUE(model->weights().set("b", floats({1}, {1})));
  const auto created = model->create_session();
  ASSERT_TRUE(created) << to_string(created.error());
  EXPECT_EQ(model->session()->info().external_data.size(), 2u);
  EXPECT_EQ(last_of_z(*model, 2000), 3.0f);
}

TEST_F(LifecycleTest, EditsReachEveryRuntimeFrom120On) {
  constexpr std::int64_t kSize = 2000;
  for (const tests::TestRuntime& found : tests::test_runtimes()) {
    SCOPED_TRACE(found.library);
    auto loaded = Runtime::load({.library = found.library});
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    Model model = open(large_builder(kSize));
    ASSERT_TRUE(
        model.weights().set("w", Tensor::of<float>(std::vector<float>(kSize, 7.0f), {kSize}).value()));
    const auto created = model.create_session({.runtime = *loaded});
    ASSERT_TRUE(created) << to_string(created.error());
    EXPECT_EQ(run_large(model, kSize)[1999], 7.0f);
  }
}

}  // namespace
}  // namespace surefoot::model
