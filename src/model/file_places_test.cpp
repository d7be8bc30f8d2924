#include <gmock/gmock.h>

#include "model/made_up_models.hpp"
#include "tests/support/resident_memory.hpp"
#include "tests/support/runtimes.hpp"

namespace surefoot::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

constexpr std::int64_t kSize = 30'000;  // 120 kB: more than a subgraph's weights need

std::string repeated(float value) {
  const std::vector<float> content(kSize, value);
  return {reinterpret_cast<const char*>(content.data()), content.size() * sizeof(float)};
}

/// y = x + one + two + small, where `one` and `two` lie in files of their own.
onnx::ModelBuilder external_builder() {
  onnx::ModelBuilder model;
  model.input("x", onnx::tensor_type(ElementType::Float32, {"n", kSize}));
  model.initializer({.name = "one", .type = ElementType::Float32, .shape = {kSize}, .location = "one.data"});
  model.initializer(
      {.name = "two", .type = ElementType::Float32, .shape = {kSize}, .location = "below/two.data"});
  model.initializer("small", floats({0.5f}, {1}).view());
  model.node({.op = "Add", .inputs = {"x", "one"}, .outputs = {"a"}});
  model.node({.op = "Add", .inputs = {"a", "two"}, .outputs = {"b"}});
  model.node({.op = "Add", .inputs = {"b", "small"}, .outputs = {"y"}});
  model.output("y", onnx::tensor_type(ElementType::Float32, {"n", kSize}));
  return model;
}

struct FilePlacesTest : ::testing::Test {
  void SetUp() override {
    NEED_RUNTIME();
    runtime = tests::main_runtime();
  }
  std::filesystem::path write() {
    folder.write("one.data", repeated(1));
    folder.write("below/two.data", repeated(2));
    return folder.write("model.onnx", external_builder().bytes());
  }
  Model open(const std::filesystem::path& path) {
    auto model = Model::open(path, {.session = {.runtime = runtime}});
    EXPECT_TRUE(model) << to_string(model.error());
    return std::move(model).value();
  }
  static float last_of_y(const Model& model) {
    const Tensor x = Tensor::zeros(ElementType::Float32, {1, kSize}).value();
    auto outputs = model.infer({{"x", x}});
    EXPECT_TRUE(outputs) << to_string(outputs.error());
    return outputs ? outputs->as<float>("y").value().back() : -1;
  }
  static std::vector<std::string> locations(const Model& model) {
    std::vector<std::string> found;
    for (const ExternalData& data : model.session()->info().external_data) found.push_back(data.location);
    return found;
  }
  std::optional<Runtime> runtime;
  tests::TestFolder folder;
};

TEST_F(FilePlacesTest, EveryRuntimeReadsUntouchedExternalWeightsFromTheirFiles) {
  const auto path = write();
  for (const tests::TestRuntime& found : tests::test_runtimes()) {
    SCOPED_TRACE(found.library);
    runtime = Runtime::load({.library = found.library}).value();
    Model model = open(path);
    ASSERT_TRUE(model.weights().set("small", floats({4}, {1})));
    const auto created = model.create_session();
    ASSERT_TRUE(created) << to_string(created.error());
    EXPECT_EQ(last_of_y(model), 7.0f);
    if (runtime->api_version() < 23) continue;
    EXPECT_THAT(locations(model), UnorderedElementsAre("one.data", "below/two.data"));
  }
}

TEST_F(FilePlacesTest, AnEditedExternalWeightIsGivenInMemoryAndItsNeighbourIsNot) {
  Model model = open(write());
  const std::vector<float> tens(kSize, 10.0f);
  ASSERT_TRUE(model.weights().set("one", Tensor::of<float>(tens, {kSize}).value()));
  ASSERT_TRUE(model.create_session());
  EXPECT_EQ(last_of_y(model), 12.5f);
  EXPECT_THAT(locations(model), ElementsAre("below/two.data"));
}

TEST_F(FilePlacesTest, FilesBehindLinksAreReadWhereTheyLie) {
  const auto one = folder.write("blobs/aaa", repeated(1));
  const auto two = folder.write("blobs/bbb", repeated(2));
  const auto blob = folder.write("blobs/ccc", external_builder().bytes());
  std::filesystem::create_directories(folder / "snapshot/below");
  std::filesystem::create_symlink("../blobs/ccc", folder / "snapshot/model.onnx");
  std::filesystem::create_symlink("../blobs/aaa", folder / "snapshot/one.data");
  std::filesystem::create_symlink("../../blobs/bbb", folder / "snapshot/below/two.data");
  Model model = open(folder / "snapshot/model.onnx");
  ASSERT_TRUE(model.weights().set("small", floats({4}, {1})));
  const auto created = model.create_session();
  ASSERT_TRUE(created) << to_string(created.error());
  EXPECT_THAT(locations(model), UnorderedElementsAre("aaa", "bbb"));
  EXPECT_EQ(last_of_y(model), 7.0f);
}

TEST_F(FilePlacesTest, OfTwoFoldersOneIsReadAndTheOthersWeightsAreGivenInMemory) {
  write();
  const auto elsewhere = folder.write("elsewhere/two", repeated(2));
  std::filesystem::remove(folder / "below/two.data");
  std::filesystem::create_symlink(elsewhere, folder / "below/two.data");
  const auto nested = folder.write("nested/model.onnx", external_builder().bytes());
  std::filesystem::create_directory(folder / "nested/below");
  std::filesystem::rename(folder / "one.data", folder / "nested/one.data");
  std::filesystem::rename(folder / "below/two.data", folder / "nested/below/two.data");
  Model model = open(nested);
  ASSERT_TRUE(model.weights().set("small", floats({4}, {1})));
  ASSERT_TRUE(model.create_session());
  EXPECT_THAT(locations(model), ElementsAre("one.data"));
  EXPECT_EQ(last_of_y(model), 7.0f);
}

TEST_F(FilePlacesTest, ADataFileThatWasReplacedSinceIsNotReadByOrt) {
  Model model = open(write());
  ASSERT_EQ(model.weights().get("one")->as<float>()->front(), 1.0f);  // and so it is mapped
  std::filesystem::rename(folder / "one.data", folder / "old.data");
  folder.write("one.data", repeated(100));
  ASSERT_TRUE(model.weights().set("small", floats({4}, {1})));
  ASSERT_TRUE(model.create_session());
  EXPECT_THAT(locations(model), ElementsAre("below/two.data"));
  EXPECT_EQ(last_of_y(model), 7.0f);
}

TEST_F(FilePlacesTest, ASessionWhoseDataFileWasReplacedOpensNoOtherCandidateFromIt) {
  Model model = open(write());
  ASSERT_TRUE(model.weights().set("small", floats({4}, {1})));
  ASSERT_TRUE(model.create_session());
  Session session = *model.session();
  ASSERT_TRUE(session.retry());
  std::filesystem::rename(folder / "one.data", folder / "old.data");
  folder.write("one.data", repeated(100));
  const auto retried = session.retry();
  ASSERT_FALSE(retried);
  EXPECT_THAT(to_string(retried.error()), HasSubstr("was replaced since the model was opened"));
}

TEST_F(FilePlacesTest, ThreeGigabytesBesideAnEditedModelAreNeitherSerialisedNorCopied) {
  constexpr std::int64_t kRows = 1'500'000'000;
  if (runtime->api_version() < 23) GTEST_SKIP() << "ONNX Runtime reads them from their files from 1.23 on";
  onnx::ModelBuilder builder;
  builder.input("row", onnx::tensor_type(ElementType::Int64, {1}));
  for (const std::string name : {"left", "right"}) {
    std::filesystem::resize_file(folder.write(name, ""), kRows);
    builder.initializer({.name = name, .type = ElementType::UInt8, .shape = {kRows}, .location = name});
    builder.node({.op = "Gather", .inputs = {name, "row"}, .outputs = {"of_" + name}});
    builder.output("of_" + name, onnx::tensor_type(ElementType::UInt8, {1}));
  }
  builder.initializer("small", floats({0.5f}, {1}).view());
  builder.node({.op = "Identity", .inputs = {"small"}, .outputs = {"y"}});
  builder.output("y", onnx::tensor_type(ElementType::Float32, {1}));
  Model model = open(folder.write("model.onnx", builder.bytes()));
  ASSERT_TRUE(model.weights().set("small", floats({4}, {1})));
  const std::int64_t before = tests::resident_bytes();
  const auto created = model.create_session();
  ASSERT_TRUE(created) << to_string(created.error());
  EXPECT_LT(tests::resident_bytes() - before, 200 << 20);
  const std::int64_t last[] = {kRows - 1};
  auto outputs = model.infer({{"row", Tensor::of<std::int64_t>(last, {1}).value()}});
  ASSERT_TRUE(outputs) << to_string(outputs.error());
  EXPECT_EQ(outputs->as<std::uint8_t>("of_right").value()[0], 0);
  EXPECT_EQ(outputs->as<float>("y").value()[0], 4.0f);
}

/// An If whose branches add weights of their own that lie outside.
TEST_F(FilePlacesTest, LargeExternalWeightsOfSubgraphsAreReadFromTheirFilesToo) {
  folder.write("one.data", repeated(1));
  const auto branch = [](const char* op) {
    onnx::GraphBuilder graph(op);
    graph.initializer(
        {.name = "inner", .type = ElementType::Float32, .shape = {kSize}, .location = "one.data"});
    graph.node({.op = op, .inputs = {"x", "inner"}, .outputs = {std::string("of_") + op}});
    graph.output(std::string("of_") + op, onnx::tensor_type(ElementType::Float32, {"n", kSize}));
    return graph;
  };
  onnx::ModelBuilder builder;
  builder.input("x", onnx::tensor_type(ElementType::Float32, {"n", kSize}));
  builder.input("adds", onnx::tensor_type(ElementType::Bool, {}));
  builder.initializer("small", floats({0.5f}, {1}).view());
  builder.node({.op = "If",
                .inputs = {"adds"},
                .outputs = {"chosen"},
                .attributes = {{"then_branch", branch("Add")}, {"else_branch", branch("Sub")}}});
  builder.node({.op = "Add", .inputs = {"chosen", "small"}, .outputs = {"y"}});
  builder.output("y", onnx::tensor_type(ElementType::Float32, {"n", kSize}));
  Model model = open(folder.write("model.onnx", builder.bytes()));
  ASSERT_TRUE(model.weights().set("small", floats({4}, {1})));
  const auto created = model.create_session();
  ASSERT_TRUE(created) << to_string(created.error());
  EXPECT_THAT(locations(model), ElementsAre("one.data", "one.data"));
  const Tensor x = Tensor::zeros(ElementType::Float32, {1, kSize}).value();
  const bool adds[] = {false};
  const Tensor condition = Tensor::of<bool>(adds, {}).value();
  auto outputs = model.infer({{"x", x}, {"adds", condition}});
  ASSERT_TRUE(outputs) << to_string(outputs.error());
  EXPECT_EQ(outputs->as<float>("y").value().front(), 3.0f);
}

}  // namespace
}  // namespace surefoot::model
