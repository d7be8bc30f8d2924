// Bounded fuzzing with a fixed seed: whatever the bytes, opening, reading, editing and saving a model end in
// an answer or a typed error, and never look outside the file.
#include <gtest/gtest.h>

#include <random>

#include "model/made_up_models.hpp"

namespace surefoot::model {
namespace {

using onnx::ModelBuilder;

/// A small model with every form of weight, a subgraph, a function, types inside types.
std::string rich_model() {
  onnx::GraphBuilder branch("branch");
  branch.initializer("inner", floats({1, 2}, {2}).view());
  branch.node({.op = "Add", .inputs = {"x", "inner"}, .outputs = {"t"}});
  branch.output("t");
  ModelBuilder model;
  model.input("x", onnx::tensor_type(ElementType::Float32, {Dimension{.name = "n", .denotation = "D"}}));
  model.input("s", onnx::sequence_type(onnx::tensor_type(ElementType::Float32, {"n"})));
  model.initializer("w", floats({1, 2, 3}, {3}).view());
  model.initializer("text", Tensor::from_strings({"a", "b"}, {2}).value().view());
  model.initializer({.name = "far",
                     .type = ElementType::Float32,
                     .shape = {1},
                     .location = "far",
                     .offset = 0,
                     .bytes = 4});
  model.sparse_initializer("z", floats({1}, {1}).view(), Tensor::of<std::int64_t>({2}, {1}).value().view(),
                           {4});
  model.node({.op = "If", .inputs = {"x"}, .outputs = {"y"}, .attributes = {{"then_branch", branch}}});
  model.node({.op = "Constant",
              .outputs = {"c"},
              .attributes = {{"value", floats({1}, {1}).view()}, {"k", onnx::FloatList{1}}}});
  model.output("y", onnx::tensor_type(ElementType::Float32, {"n"}));
  model.function({.name = "F",
                  .domain = "d",
                  .inputs = {"i"},
                  .outputs = {"o"},
                  .nodes = {{.op = "Neg", .inputs = {"i"}, .outputs = {"o"}}}});
  return model.bytes();
}

struct HostileModels : ::testing::Test {
  std::size_t below(std::size_t limit) { return static_cast<std::size_t>(random_() % limit); }

  /// Everything that can be done with a model, with no regard to whether it works.
  void use(const std::string& bytes) {
    auto opened = Model::open(folder.write("model.onnx", bytes), {.check_external_data = false});
    if (!opened) {
      ASSERT_FALSE(opened.error().what.empty());
      return;
    }
    Model& model = *opened;
    Weights weights = model.weights();
    for (const std::string& name : weights.names()) {
      const auto data = weights.get(name);
      if (data && data->view().bytes.size() < 1000 && data->view().type == ElementType::Float32)
        (void)weights.set(name, data->clone().value());
    }
    (void)model.interface().fix("n", 2);
    (void)model.interface().add_output("t");
    Nodes nodes = model.nodes();
    for (const std::string& name : nodes.names())
      if (const auto node = nodes.get(name)) (void)nodes.set(name, *node);
    (void)nodes.check();
    if (!weights.names().empty()) (void)weights.rename(weights.names().back(), "renamed");
    (void)model.save(folder / "out.onnx");
  }

  const std::string model_ = rich_model();
  std::mt19937_64 random_{20'26};
  tests::TestFolder folder;
};

TEST_F(HostileModels, TheModelItselfIsReadAndWritten) {
  folder.write("far", "1234");
  use(model_);
  const auto saved = Model::open(folder / "out.onnx");
  ASSERT_TRUE(saved) << to_string(saved.error());
  EXPECT_EQ(saved->weights().size(), 5u);
}

TEST_F(HostileModels, EveryTruncationIsAnswered) {
  for (std::size_t size = 0; size < model_.size(); ++size) use(model_.substr(0, size));
}

TEST_F(HostileModels, ChangedBytesAreAnswered) {
  for (int round = 0; round < 3000; ++round) {
    SCOPED_TRACE(round);
    std::string bytes = model_;
    for (std::size_t change = 1 + below(3); change > 0; --change)
      bytes[below(bytes.size())] = static_cast<char>(random_() & 0xff);
    use(bytes);
  }
}

TEST_F(HostileModels, PartsThatMovedAreAnswered) {
  for (int round = 0; round < 2000; ++round) {
    SCOPED_TRACE(round);
    std::string bytes = model_;
    const std::size_t from = below(bytes.size());
    bytes.insert(below(bytes.size()), bytes.substr(from, 1 + below(64)));
    use(bytes);
  }
}

TEST_F(HostileModels, HugeLengthsAreAnswered) {
  for (std::size_t place = 0; place < model_.size(); ++place)
    use(model_.substr(0, place) + "\xff\xff\xff\xff\xff\xff\xff\xff\x7f" + model_.substr(place + 1));
}

}  // namespace
}  // namespace surefoot::model
