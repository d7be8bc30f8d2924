#include "session/prepared_layout.hpp"

#include <gmock/gmock.h>

#include "onnx/model_writer.hpp"

namespace surefoot::session {
namespace {

using onnx::tensor_type;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// image[batch,3,height,width] and mask[batch,height] → y[batch,2], z[batch,found].
Interface two_inputs() {
  return make_interface(
      {{.name = "image", .type = tensor_type(ElementType::Float32, {"batch", 3, "height", "width"})},
       {.name = "mask", .type = tensor_type(ElementType::UInt8, {"batch", "height"})},
       {.name = "scale", .type = tensor_type(ElementType::Float32, {1}), .required = false}},
      {{.name = "y", .type = tensor_type(ElementType::Float32, {"batch", 2})},
       {.name = "z", .type = tensor_type(ElementType::Int64, {"batch", "found"})}});
}

const Interface kModel = two_inputs();

std::string what_of(const PrepareOptions& options, const Interface& model = kModel) {
  const auto layout = lay_out(model, options);
  return layout ? "it fits" : layout.error().what;
}

TEST(LayOut, TakesSizesFromDimensionsByName) {
  const auto layout = lay_out(kModel, {.dimensions = {{"batch", 2}, {"height", 4}, {"width", 5}}}).value();
  EXPECT_THAT(*layout.inputs.at(0).shape, ElementsAre(2, 3, 4, 5));
  EXPECT_THAT(*layout.inputs.at(1).shape, ElementsAre(2, 4));
  EXPECT_THAT(*layout.outputs.at(0).shape, ElementsAre(2, 2));
}

TEST(LayOut, LetsOneInputsShapeFixTheAxesOfOthers) {
  const auto layout = lay_out(kModel, {.shapes = {{"image", {2, 3, 4, 5}}}}).value();
  EXPECT_THAT(*layout.inputs.at(1).shape, ElementsAre(2, 4));
}

TEST(LayOut, LeavesAnOutputOpenWhoseAxisNoInputHas) {
  const auto layout = lay_out(kModel, {.shapes = {{"image", {2, 3, 4, 5}}}}).value();
  EXPECT_EQ(layout.outputs.at(1).port->info.name, "z");
  EXPECT_FALSE(layout.outputs.at(1).shape);
}

TEST(LayOut, KeepsOnlyTheOutputsAskedFor) {
  const auto layout = lay_out(kModel, {.shapes = {{"image", {2, 3, 4, 5}}}, .outputs = {"z"}}).value();
  ASSERT_EQ(layout.outputs.size(), 1U);
  EXPECT_EQ(layout.outputs.front().port->info.name, "z");
}

TEST(LayOut, LeavesOutAnInputThatMayBeUnlessItHasAShape) {
  PrepareOptions options{.shapes = {{"image", {2, 3, 4, 5}}}};
  EXPECT_EQ(lay_out(kModel, options).value().inputs.size(), 2U);
  options.shapes["scale"] = {1};
  EXPECT_EQ(lay_out(kModel, options).value().inputs.size(), 3U);
}

TEST(LayOut, NamesEverySizeThatStaysUnknown) {
  const std::string what = what_of({.dimensions = {{"height", 4}}});
  EXPECT_THAT(what, HasSubstr("3 problems"));
  EXPECT_THAT(what, HasSubstr("the size of axis 0 (`batch`) of input `image` is not known"));
  EXPECT_THAT(what, HasSubstr("the size of axis 3 (`width`) of input `image` is not known"));
  EXPECT_THAT(what, HasSubstr("the size of axis 0 (`batch`) of input `mask` is not known"));
}

TEST(LayOut, WantsAShapeWhereNoRankIsDeclared) {
  const Interface model = make_interface({{.name = "x", .type = tensor_type(ElementType::Float32)}}, {});
  EXPECT_EQ(what_of({}, model), "input `x` declares no rank, and no shape is given for it");
  EXPECT_EQ(what_of({.shapes = {{"x", {2, 2}}}}, model), "it fits");
}

TEST(LayOut, RefusesAnUnknownDimensionWithTheNearest) {
  EXPECT_THAT(what_of({.shapes = {{"image", {1, 3, 4, 4}}}, .dimensions = {{"hieght", 4}}}),
              HasSubstr("the model has no free dimension `hieght`; did you mean `height`?"));
}

TEST(LayOut, RefusesAnUnknownInputWithTheNearest) {
  EXPECT_THAT(what_of({.shapes = {{"imgae", {1, 3, 4, 4}}}}), HasSubstr("did you mean `image`?"));
}

TEST(LayOut, RefusesAShapeThatTheModelDoesNotTake) {
  EXPECT_THAT(what_of({.shapes = {{"image", {1, 4, 4, 4}}}}),
              HasSubstr("input `image` cannot have the shape [1,4,4,4]: the model wants "
                        "float32[batch,3,height,width]"));
  EXPECT_THAT(what_of({.shapes = {{"image", {1, 3, 4}}}}), HasSubstr("cannot have the shape [1,3,4]"));
  EXPECT_THAT(what_of({.shapes = {{"image", {1, 3, -4, 4}}}}), HasSubstr("cannot have the shape"));
}

TEST(LayOut, RefusesTwoSizesForOneName) {
  EXPECT_EQ(what_of({.shapes = {{"image", {1, 3, 4, 4}}, {"mask", {2, 4}}}}), "`batch` is 1 and 2 at once");
  EXPECT_THAT(what_of({.dimensions = {{"batch", -1}}}), HasSubstr("dimension `batch` is set to -1"));
}

TEST(LayOut, TakesTwoSizesForAxesThatShareOnlyAPlaceholder) {
  const Interface model =
      make_interface({{.name = "x", .type = tensor_type(ElementType::Float32, {"?", "?"})}}, {});
  EXPECT_EQ(what_of({.shapes = {{"x", {2, 3}}}}, model), "it fits");
}

TEST(LayOut, PointsToInferForWhatIsNoTensorOfNumbers) {
  const Interface strings =
      make_interface({{.name = "s", .type = tensor_type(ElementType::String, {1})}}, {});
  auto layout = lay_out(strings, {});
  ASSERT_FALSE(layout);
  EXPECT_EQ(layout.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(layout.error().what, HasSubstr("input `s` is string[1]"));
  EXPECT_THAT(layout.error().hint, HasSubstr("`infer`"));

  const Interface list = make_interface(
      {}, {{.name = "items", .type = onnx::sequence_type(tensor_type(ElementType::Float32, {1}))}});
  EXPECT_THAT(what_of({}, list), HasSubstr("output `items` is seq(float32[1])"));
}

}  // namespace
}  // namespace surefoot::session
