#include "surefoot/nodes.hpp"

#include <gmock/gmock.h>

#include "model/made_up_models.hpp"
#include "tests/support/runtimes.hpp"

namespace surefoot::model {
namespace {

using onnx::ModelBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = GraphProblem::Kind;

struct NodesTest : ::testing::Test {
  Model open(const ModelBuilder& builder, ModelOptions options = {}) {
    auto model = Model::open(folder.write("model.onnx", builder.bytes()), std::move(options));
    EXPECT_TRUE(model) << to_string(model.error());
    return std::move(model).value();
  }
  Model reopened(const Model& model) {
    const auto saved = model.save(folder / "out.onnx");
    EXPECT_TRUE(saved) << to_string(saved.error());
    return Model::open(folder / "out.onnx").value();
  }
  static std::vector<Kind> problems(const Model& model) {
    std::vector<Kind> kinds;
    for (const GraphProblem& problem : model.nodes().check()) kinds.push_back(problem.kind);
    return kinds;
  }
  tests::TestFolder folder;
};

/// An If with a node and a weight in each branch, and a function with one node.
ModelBuilder nested_builder() {
  onnx::GraphBuilder then_branch("then"), else_branch("else");
  then_branch.initializer("inner", floats({1}, {1}).view());
  then_branch.node({.op = "Add", .inputs = {"x", "inner"}, .outputs = {"t"}, .name = "add"});
  then_branch.output("t");
  else_branch.node({.op = "Neg", .inputs = {"x"}, .outputs = {"e"}});
  else_branch.output("e");
  ModelBuilder model;
  model.input("c", onnx::tensor_type(ElementType::Bool, {}));
  model.input("x", onnx::tensor_type(ElementType::Float32, {1}));
  model.node({.op = "If",
              .inputs = {"c"},
              .outputs = {"y"},
              .attributes = {{"then_branch", then_branch}, {"else_branch", else_branch}},
              .name = "choose"});
  model.output("y", onnx::tensor_type(ElementType::Float32, {1}));
  model.function({.name = "F",
                  .domain = "d",
                  .inputs = {"i"},
                  .outputs = {"o"},
                  .attributes = {"alpha"},
                  .nodes = {{.op = "LeakyRelu",
                             .inputs = {"i"},
                             .outputs = {"o"},
                             .attributes = {{"alpha", onnx::Attribute::Reference{"alpha", 1}}}}},
                  .opsets = {{"", 17}}});
  model.opset("d", 1);
  return model;
}

TEST_F(NodesTest, AreAMappingWithPathsIntoSubgraphsAndFunctions) {
  const Model model = open(nested_builder());
  EXPECT_THAT(model.nodes().names(), ElementsAre("choose", "choose>then_branch>add",
                                                 "choose>else_branch>Neg#0", "d:F()>LeakyRelu#0"));
  EXPECT_EQ(model.nodes().get("choose>else_branch>Neg#0")->inputs, std::vector<std::string>{"x"});
  EXPECT_EQ(model.nodes().get("d:F()>LeakyRelu#0")->find("alpha")->reference, "alpha");
  const auto missing = model.nodes().get("chose");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
  EXPECT_THAT(missing.error().hint, HasSubstr("`choose`"));
}

TEST_F(NodesTest, NodesOfOneNameAreToldApart) {
  ModelBuilder builder;
  for (const char* output : {"a", "b"})
    builder.node({.op = "Identity", .inputs = {"x"}, .outputs = {output}, .name = "same"});
  EXPECT_THAT(open(builder).nodes().names(), ElementsAre("same", "Identity#1"));
}

TEST_F(NodesTest, AttributesOfEveryKindComeOutAndGoBackUnchanged) {
  ModelBuilder builder;
  onnx::GraphBuilder graph("g");
  graph.output("x");
  builder.node({.op = "Many",
                .inputs = {"", "x"},
                .outputs = {"y"},
                .attributes = {{"i", 7},
                               {"f", 0.5f},
                               {"s", "text"},
                               {"ints", onnx::IntList{1, -2}},
                               {"floats", onnx::FloatList{1.5f, 2.5f}},
                               {"strings", onnx::StringList{"a", ""}},
                               {"tensor", floats({1, 2}, {2}).view()},
                               {"type", onnx::tensor_type(ElementType::Float32, {1})},
                               {"graph", graph}},
                .domain = "d",
                .name = "many"});
  const Model model = open(builder);
  const auto node = model.nodes().get("many");
  ASSERT_TRUE(node) << to_string(node.error());
  EXPECT_EQ(std::get<std::int64_t>(node->find("i")->value), 7);
  EXPECT_EQ(std::get<float>(node->find("f")->value), 0.5f);
  EXPECT_EQ(std::get<std::string>(node->find("s")->value), "text");
  EXPECT_THAT(std::get<std::vector<std::int64_t>>(node->find("ints")->value), ElementsAre(1, -2));
  EXPECT_THAT(std::get<std::vector<float>>(node->find("floats")->value), ElementsAre(1.5f, 2.5f));
  EXPECT_THAT(std::get<std::vector<std::string>>(node->find("strings")->value), ElementsAre("a", ""));
  EXPECT_EQ(std::get<std::shared_ptr<const Tensor>>(node->find("tensor")->value)->shape(), Shape{2});
  EXPECT_EQ(node->find("type")->kind, NodeAttribute::Kind::Type);
  EXPECT_EQ(node->find("graph")->kind, NodeAttribute::Kind::Graph);
  ASSERT_TRUE(model.nodes().set("many", *node));
  reopened(model);
  EXPECT_EQ(content_of(folder / "out.onnx"), content_of(folder / "model.onnx"));
}

TEST_F(NodesTest, ASetNodeChangesOnlyWhatDiffers) {
  const Model model = open(dense_builder());
  Node node = model.nodes().get("multiply").value();
  node.op = "Gemm";
  node.inputs = {"x", "w", "b"};
  node.attributes.push_back({.name = "alpha", .value = 2.0f});
  ASSERT_TRUE(model.nodes().set("multiply", node));
  const Node saved = reopened(model).nodes().get("multiply").value();
  EXPECT_EQ(saved.op, "Gemm");
  EXPECT_EQ(saved.inputs.size(), 3u);
  EXPECT_EQ(std::get<float>(saved.find("alpha")->value), 2.0f);
  EXPECT_EQ(saved.outputs, std::vector<std::string>{"xw"});
  EXPECT_EQ(model.nodes().set("multiply", Node{}).error().code, ErrorCode::InvalidArgument);
}

TEST_F(NodesTest, AnInsertedNodeStandsBehindWhatItReads) {
  const Model model = open(dense_builder());
  const auto name = model.nodes().insert({.op = "Relu", .inputs = {"xw"}, .outputs = {"positive"}});
  ASSERT_TRUE(name);
  Node add = model.nodes().get("Add#1").value();
  add.inputs[0] = "positive";
  ASSERT_TRUE(model.nodes().set("Add#1", add));
  EXPECT_THAT(problems(model), ElementsAre());
  const Model saved = reopened(model);
  EXPECT_THAT(saved.nodes().names(), ElementsAre("multiply", "Relu#1", "Add#2"));
  EXPECT_EQ(model.nodes().insert({.op = "Relu", .name = "multiply"}).error().code,
            ErrorCode::InvalidArgument);
}

TEST_F(NodesTest, NodesInSubgraphsAndFunctionsAreEditedToo) {
  const Model model = open(nested_builder());
  ASSERT_TRUE(model.nodes().insert({.op = "Abs", .inputs = {"x"}, .outputs = {"a"}, .name = "abs"},
                                   "choose>else_branch"));
  Node neg = model.nodes().get("choose>else_branch>Neg#0").value();
  neg.inputs = {"a"};
  ASSERT_TRUE(model.nodes().set("choose>else_branch>Neg#0", neg));
  ASSERT_TRUE(model.nodes().rename("choose", "decide"));
  ASSERT_TRUE(model.nodes().rename("d:F()>LeakyRelu#0", "leak"));
  EXPECT_TRUE(model.weights().contains("decide>then_branch>inner"));
  EXPECT_THAT(problems(model), ElementsAre());
  const Model saved = reopened(model);
  EXPECT_THAT(saved.nodes().names(), ElementsAre("decide", "decide>then_branch>add", "decide>else_branch>abs",
                                                 "decide>else_branch>Neg#1", "d:F()>leak"));
  EXPECT_EQ(model.nodes().insert({.op = "Abs"}, "decide>els_branch").error().code, ErrorCode::NotFound);
}

TEST_F(NodesTest, ARemovedNodeTakesItsSubgraphsAlong) {
  const Model model = open(nested_builder());
  ASSERT_TRUE(model.nodes().remove("choose"));
  EXPECT_THAT(model.nodes().names(), ElementsAre("d:F()>LeakyRelu#0"));
  EXPECT_EQ(model.weights().size(), 0u);
  EXPECT_THAT(problems(model), ElementsAre(Kind::DanglingInput));
  EXPECT_THAT(model.nodes().check()[0].what, HasSubstr("output `y` is given by no node"));
}

TEST_F(NodesTest, AGraphAttributeThatIsTakenOverBringsItsNodes) {
  const Model model = open(nested_builder());
  Node choose = model.nodes().get("choose").value();
  choose.name = "again";
  choose.outputs = {"y2"};
  ASSERT_TRUE(model.nodes().insert(choose));
  EXPECT_TRUE(model.nodes().contains("again>then_branch>add"));
  EXPECT_TRUE(model.weights().contains("again>then_branch>inner"));
  choose.attributes.pop_back();
  ASSERT_TRUE(model.nodes().set("again", choose));
  EXPECT_FALSE(model.nodes().contains("again>else_branch>Neg#0"));
  EXPECT_TRUE(model.nodes().contains("again>then_branch>add"));
}

TEST_F(NodesTest, DanglingInputsAndDuplicateOutputsAreFound) {
  ModelBuilder builder;
  builder.input("x", onnx::tensor_type(ElementType::Float32, {1}));
  builder.node({.op = "Add", .inputs = {"x", "absent"}, .outputs = {"y"}, .name = "add"});
  builder.node({.op = "Neg", .inputs = {"x", ""}, .outputs = {"y"}, .name = "neg"});
  builder.output("y", onnx::tensor_type(ElementType::Float32, {1}));
  const auto found = open(builder).nodes().check();
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].kind, Kind::DuplicateOutput);
  EXPECT_EQ(found[0].node, "neg");
  EXPECT_EQ(found[1].what, "node `add` reads `absent`, which nothing gives");
}

TEST_F(NodesTest, CyclesAndWrongOrderAreToldApart) {
  ModelBuilder cycle;
  cycle.input("x", onnx::tensor_type(ElementType::Float32, {1}));
  cycle.node({.op = "Add", .inputs = {"x", "b"}, .outputs = {"a"}, .name = "first"});
  cycle.node({.op = "Neg", .inputs = {"a"}, .outputs = {"b"}, .name = "second"});
  cycle.output("b", onnx::tensor_type(ElementType::Float32, {1}));
  EXPECT_THAT(problems(open(cycle)), ElementsAre(Kind::Cycle, Kind::Cycle));
  ModelBuilder order;
  order.input("x", onnx::tensor_type(ElementType::Float32, {1}));
  order.node({.op = "Neg", .inputs = {"a"}, .outputs = {"b"}, .name = "early"});
  order.node({.op = "Neg", .inputs = {"x"}, .outputs = {"a"}, .name = "late"});
  order.output("b", onnx::tensor_type(ElementType::Float32, {1}));
  EXPECT_THAT(problems(open(order)), ElementsAre(Kind::Order));
}

TEST_F(NodesTest, ACycleThroughASubgraphIsFound) {
  onnx::GraphBuilder branch("b");
  branch.node({.op = "Neg", .inputs = {"after"}, .outputs = {"t"}});
  branch.output("t");
  ModelBuilder builder;
  builder.input("c", onnx::tensor_type(ElementType::Bool, {}));
  builder.node({.op = "If",
                .inputs = {"c"},
                .outputs = {"y"},
                .attributes = {{"then_branch", branch}, {"else_branch", branch}},
                .name = "if"});
  builder.node({.op = "Neg", .inputs = {"y"}, .outputs = {"after"}, .name = "neg"});
  builder.output("after", onnx::tensor_type(ElementType::Float32, {1}));
  EXPECT_THAT(problems(open(builder)), ElementsAre(Kind::Cycle, Kind::Cycle));
}

TEST_F(NodesTest, ASessionIsRefusedBeforeOrtIsAsked) {
  NEED_RUNTIME();
  Model model = open(dense_builder(), {.session = {.runtime = tests::main_runtime()}});
  ASSERT_TRUE(model.nodes().remove("multiply"));
  const auto created = model.create_session();
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().code, ErrorCode::InvalidModel);
  EXPECT_THAT(created.error().what, HasSubstr("node `Add#1` reads `xw`, which nothing gives"));
}

TEST_F(NodesTest, ASessionRunsTheEditedGraph) {
  NEED_RUNTIME();
  Model model = open(dense_builder(), {.session = {.runtime = tests::main_runtime()}});
  Node add = model.nodes().get("Add#1").value();
  add.op = "Sub";
  ASSERT_TRUE(model.nodes().set("Add#1", add));
  ASSERT_TRUE(model.create_session());
  const Tensor x = floats({1, 1, 1}, {1, 3});
  EXPECT_THAT(model.infer({{"x", x}})->as<float>("y").value(), ElementsAre(8.5f, 12.5f));
}

}  // namespace
}  // namespace surefoot::model
