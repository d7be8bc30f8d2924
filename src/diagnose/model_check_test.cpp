#include "surefoot/model_check.hpp"

#include <gmock/gmock.h>

#include "onnx/model_writer.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot {
namespace {

using onnx::ModelBuilder;
using onnx::tensor_type;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr ElementType kFloat = ElementType::Float32;

/// Checks a model out of a file of its own.
ModelCheck checked(const ModelBuilder& model, std::span<const RuntimeFound> runtimes = {}) {
  const tests::TestFolder folder;
  return check_model(folder.write("m.onnx", model.bytes()), runtimes).value();
}

/// The finding of that topic, or one that says that there is none.
ModelFinding found(const ModelCheck& check, std::string_view topic) {
  for (const ModelFinding& finding : check.findings)
    if (finding.topic == topic) return finding;
  return {.topic = "none"};
}

/// x[n,6] → y through the nodes given.
ModelBuilder with(std::initializer_list<onnx::Node> nodes, onnx::Axis first = "n") {
  ModelBuilder model;
  model.input("x", tensor_type(kFloat, {first, 6}));
  model.output("y");
  for (const onnx::Node& node : nodes) model.node(node);
  return model;
}

void add_shape(ModelBuilder& model, const std::vector<std::int64_t>& sizes) {
  const Tensor shape = Tensor::of<std::int64_t>(sizes, {static_cast<std::int64_t>(sizes.size())}).value();
  model.initializer("shape", shape.view());
}

TEST(ModelCheck, AModelWithoutAnythingInItsWayHasNoFinding) {
  const ModelCheck check = checked(with({{.op = "Relu", .inputs = {"x"}, .outputs = {"y"}}}, 1));
  EXPECT_THAT(check.findings, IsEmpty());
  EXPECT_TRUE(check.is_ready());
  EXPECT_EQ(check.first_runtime, "1.20");
}

TEST(ModelCheck, NamesTheFirstOnnxRuntimeThatAcceptsTheModel) {
  ModelBuilder model = with({{.op = "Relu", .inputs = {"x"}, .outputs = {"y"}}}, 1);
  model.ir_version(11);
  const RuntimeFound found_ones[] = {
      {.path = "/a/libonnxruntime.so", .version = "1.20.1", .api_version = 20},
      {.path = "/b/libonnxruntime.so", .version = "1.32.0", .api_version = 32}};
  const ModelCheck check = checked(model, found_ones);
  EXPECT_EQ(check.first_runtime, "1.23");
  ASSERT_EQ(check.runtimes.size(), 2u);
  EXPECT_EQ(check.runtimes[1].refuses, "");
  const ModelFinding finding = found(check, "runtime");
  EXPECT_EQ(finding.severity, Severity::Warning);
  EXPECT_EQ(finding.what, "1 of the 2 ONNX Runtimes found refuses the model (IR 11, ai.onnx 17)");
  EXPECT_THAT(
      finding.details,
      ElementsAre("1.20.1 (`/a/libonnxruntime.so`): it reads IR versions up to 10, the model has 11"));
  EXPECT_EQ(finding.slug, "model-ir-too-new");
  EXPECT_TRUE(check.is_ready());
}

TEST(ModelCheck, AModelNewerThanEveryOnnxRuntimeIsAnError) {
  ModelBuilder model = with({{.op = "Relu", .inputs = {"x"}, .outputs = {"y"}}}, 1);
  model.opset("", 99);
  const ModelCheck check = checked(model);
  EXPECT_EQ(check.first_runtime, "");
  EXPECT_EQ(found(check, "runtime").slug, "model-opset-too-new");
  EXPECT_FALSE(check.is_ready());
}

TEST(ModelCheck, ForeignOperatorsAreNamedWithWhoBringsThem) {
  const ModelCheck check =
      checked(with({{.op = "Swirl", .inputs = {"x"}, .outputs = {"s"}, .domain = "com.acme"},
                    {.op = "BertTokenizer", .inputs = {"s"}, .outputs = {"y"}, .domain = "ai.onnx.contrib"}},
                   1));
  ASSERT_EQ(check.findings.size(), 2u);
  EXPECT_THAT(check.findings[0].hint, HasSubstr("onnxruntime-extensions"));
  EXPECT_EQ(check.findings[1].what, "operators of the domain `com.acme` are not ONNX Runtime's own");
  EXPECT_THAT(check.findings[1].details, ElementsAre("Swirl x1"));
  EXPECT_FALSE(check.is_ready());
}

TEST(ModelCheck, FunctionsOfTheModelItselfAreNotForeign) {
  ModelBuilder model = with({{.op = "Twice", .inputs = {"x"}, .outputs = {"y"}, .domain = "local"}}, 1);
  model.function({.name = "Twice",
                  .domain = "local",
                  .inputs = {"a"},
                  .outputs = {"b"},
                  .nodes = {{.op = "Add", .inputs = {"a", "a"}, .outputs = {"b"}}},
                  .opsets = {{"", 17}}});
  EXPECT_THAT(checked(model).findings, IsEmpty());
}

TEST(ModelCheck, ABatchThatAReshapeFixesIsNamed) {
  ModelBuilder model =
      with({{.op = "Relu", .inputs = {"x"}, .outputs = {"r"}},
            {.op = "Reshape", .inputs = {"r", "shape"}, .outputs = {"y"}, .name = "flatten"}});
  add_shape(model, {1, -1});
  const ModelFinding finding = found(checked(model), "batch");
  EXPECT_EQ(finding.severity, Severity::Warning);
  EXPECT_THAT(finding.details, ElementsAre("`flatten` reshapes to [1,-1]"));
}

TEST(ModelCheck, AReshapeThatKeepsTheBatchOrHasNoneIsFine) {
  ModelBuilder keeps = with({{.op = "Reshape", .inputs = {"x", "shape"}, .outputs = {"y"}}});
  add_shape(keeps, {0, 3, 2});
  EXPECT_EQ(found(checked(keeps), "batch").topic, "none");
  ModelBuilder fixed = with({{.op = "Reshape", .inputs = {"x", "shape"}, .outputs = {"y"}}}, 1);
  add_shape(fixed, {1, 3, 2});
  EXPECT_EQ(found(checked(fixed), "batch").topic, "none");
}

TEST(ModelCheck, AReshapedWeightOrShapeIsNoBatch) {
  ModelBuilder model = with({{.op = "Shape", .inputs = {"x"}, .outputs = {"s"}},
                             {.op = "Reshape", .inputs = {"s", "shape"}, .outputs = {"y"}}});
  add_shape(model, {2, 1});
  EXPECT_EQ(found(checked(model), "batch").topic, "none");
}

TEST(ModelCheck, NodesWhoseSizesDependOnTheDataAreNamed) {
  const ModelCheck check =
      checked(with({{.op = "NonZero", .inputs = {"x"}, .outputs = {"y"}, .name = "hits"}}, 1));
  EXPECT_THAT(found(check, "shapes").details, ElementsAre("`hits` (NonZero)"));
  EXPECT_THAT(found(check, "graph capture").details, ElementsAre("`hits` (NonZero)"));
  EXPECT_EQ(found(check, "shapes").slug, "tensorrt-needs-shapes");
}

TEST(ModelCheck, AShapeComputedFromShapesIsKnown) {
  const ModelCheck check = checked(with({{.op = "Shape", .inputs = {"x"}, .outputs = {"s"}},
                                         {.op = "Reshape", .inputs = {"x", "s"}, .outputs = {"y"}}}));
  EXPECT_EQ(found(check, "shapes").topic, "none");
}

TEST(ModelCheck, TheShapeOfWhatDependsOnTheDataIsNot) {
  const ModelCheck check =
      checked(with({{.op = "NonZero", .inputs = {"x"}, .outputs = {"z"}, .name = "hits"},
                    {.op = "Shape", .inputs = {"z"}, .outputs = {"s"}},
                    {.op = "Expand", .inputs = {"x", "s"}, .outputs = {"y"}, .name = "wide"}},
                   1));
  EXPECT_THAT(found(check, "shapes").details, ElementsAre("`hits` (NonZero)", "`wide` (Expand)"));
}

TEST(ModelCheck, FreeDimensionsAreListedWithTheirInputs) {
  const ModelFinding finding =
      found(checked(with({{.op = "Relu", .inputs = {"x"}, .outputs = {"y"}}})), "dimensions");
  EXPECT_EQ(finding.severity, Severity::Note);
  EXPECT_THAT(finding.details, ElementsAre("`x`: float32[n,6]"));
}

TEST(ModelCheck, ControlFlowForbidsGraphCapture) {
  onnx::GraphBuilder branch("b");
  branch.output("r", tensor_type(kFloat, {1}));
  const ModelCheck check = checked(with({{.op = "If",
                                          .inputs = {"x"},
                                          .outputs = {"y"},
                                          .attributes = {{"then_branch", branch}, {"else_branch", branch}},
                                          .name = "choose"}},
                                        1));
  EXPECT_THAT(found(check, "graph capture").details, ElementsAre("`choose` (If)"));
  EXPECT_EQ(found(check, "graph capture").slug, "graph-capture-control-flow");
}

TEST(ModelCheck, HalfPrecisionIsNotedForTheCpu) {
  ModelBuilder model;
  model.input("x", tensor_type(ElementType::Float16, {1}));
  model.output("y", tensor_type(ElementType::Float16, {1}));
  model.node({.op = "Relu", .inputs = {"x"}, .outputs = {"y"}});
  const ModelFinding finding = found(checked(model), "types");
  EXPECT_EQ(finding.severity, Severity::Note);
  EXPECT_EQ(finding.slug, "cpu-only-fp16");
  EXPECT_EQ(slug_of({.code = ErrorCode::Internal, .what = finding.what}), "cpu-only-fp16");
}

TEST(ModelCheck, ALocaleIsNamedWithItsNode) {
  ModelBuilder model;
  model.input("x", tensor_type(ElementType::String, {1}));
  model.output("y", tensor_type(ElementType::String, {1}));
  model.node({.op = "StringNormalizer",
              .inputs = {"x"},
              .outputs = {"y"},
              .attributes = {{"locale", "tr_TR"}},
              .name = "lower"});
  EXPECT_THAT(found(checked(model), "text").details, ElementsAre("`lower`: tr_TR"));
}

TEST(ModelCheck, MissingWeightsAreAnErrorAndPresentOnesAreListed) {
  ModelBuilder model = with({{.op = "Add", .inputs = {"x", "w"}, .outputs = {"y"}}}, 1);
  model.initializer(
      {.name = "w", .type = kFloat, .shape = {6}, .location = "w.bin", .offset = 8, .bytes = 24});
  const ModelFinding missing = found(checked(model), "weights");
  EXPECT_EQ(missing.severity, Severity::Error);
  EXPECT_EQ(missing.slug, "external-data-missing");
  const tests::TestFolder folder;
  folder.write("w.bin", std::string(32, '\0'));
  const ModelCheck check = check_model(folder.write("m.onnx", model.bytes())).value();
  EXPECT_EQ(found(check, "weights").severity, Severity::Note);
  EXPECT_THAT(found(check, "weights").details, ElementsAre("`w.bin`: 1 tensor, bytes 8 to 32"));
}

TEST(ModelCheck, ErrorsComeBeforeWarningsAndNotes) {
  const ModelCheck check =
      checked(with({{.op = "NonZero", .inputs = {"x"}, .outputs = {"z"}},
                    {.op = "Swirl", .inputs = {"z"}, .outputs = {"y"}, .domain = "com.acme"}}));
  std::vector<Severity> severities;
  for (const ModelFinding& finding : check.findings) severities.push_back(finding.severity);
  EXPECT_TRUE(std::ranges::is_sorted(severities));
  EXPECT_EQ(severities.front(), Severity::Error);
}

TEST(ModelCheck, AFileThatIsNoModelIsTheErrorOfInspect) {
  const tests::TestFolder folder;
  const auto check = check_model(folder.write("m.onnx", "<!DOCTYPE html>"));
  ASSERT_FALSE(check);
  EXPECT_THAT(check.error().what, HasSubstr("an HTML page"));
}

}  // namespace
}  // namespace surefoot
