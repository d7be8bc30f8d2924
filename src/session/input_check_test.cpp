#include "session/input_check.hpp"

#include <gmock/gmock.h>

#include "onnx/model_writer.hpp"
#include "tests/support/allocations.hpp"

namespace surefoot::session {
namespace {

using onnx::tensor_type;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// image float32[batch,3,8], mask float32[batch,?], scale float32 (a scalar, may be left out), names
/// string[k].
Interface model() {
  return make_interface({{.name = "image", .type = tensor_type(ElementType::Float32, {"batch", 3, 8})},
                         {.name = "mask", .type = tensor_type(ElementType::Float32, {"batch", ""})},
                         {.name = "names", .type = tensor_type(ElementType::String, {"k"})},
                         {.name = "scale", .type = tensor_type(ElementType::Float32, {}), .required = false}},
                        {{.name = "scores", .type = tensor_type(ElementType::Float32, {"batch", 4})},
                         {.name = "labels", .type = tensor_type(ElementType::Int64, {"batch"})}});
}

Tensor zeros(ElementType type, Shape shape) { return Tensor::zeros(type, std::move(shape)).value(); }
Tensor floats(Shape shape) { return zeros(ElementType::Float32, std::move(shape)); }

/// Inputs of a call that fits, for batch 2, to be spoilt one at a time.
struct CheckInputs : ::testing::Test {
  std::vector<Input> inputs() const { return {{"image", image}, {"mask", mask}, {"names", names}}; }

  Result<void> check(const std::vector<Input>& given) {
    places.assign(given.size(), kNoPort);
    return check_inputs(of, given, places);
  }
  /// The text of the refusal, which always has the same code.
  std::string refusal(const std::vector<Input>& given) {
    const auto checked = check(given);
    if (checked) return "accepted";
    EXPECT_EQ(checked.error().code, ErrorCode::InvalidInput);
    return checked.error().what;
  }

  Interface of = model();
  Tensor image = floats({2, 3, 8}), mask = floats({2, 5}), scale = floats({});
  Tensor names = zeros(ElementType::String, {3});
  std::vector<std::size_t> places;
};

TEST_F(CheckInputs, AcceptsAnyOrderAndFillsThePlaces) {
  ASSERT_TRUE(check({{"names", names}, {"image", image}, {"mask", mask}}));
  EXPECT_THAT(places, ElementsAre(2, 0, 1));
}

TEST_F(CheckInputs, WhatIsNotRequiredMayBeGivenOrLeftOut) {
  EXPECT_TRUE(check(inputs()));
  EXPECT_TRUE(check({{"image", image}, {"mask", mask}, {"names", names}, {"scale", scale}}));
}

TEST_F(CheckInputs, AllocatesNothingWhenAllIsWell) {
  NEED_ALLOCATIONS();
  const std::vector<Input> given = inputs();
  places.assign(given.size(), kNoPort);
  const std::size_t before = tests::allocations();
  const bool fits = check_inputs(of, given, places).has_value();
  const std::size_t after = tests::allocations();
  EXPECT_TRUE(fits);
  EXPECT_EQ(after - before, 0u);
}

TEST_F(CheckInputs, GivesTheNearestNameOfAnUnknownOne) {
  EXPECT_EQ(refusal({{"image", image}, {"mask", mask}, {"names", names}, {"scales", scale}}),
            "input `scales` is not the model's; did you mean `scale`?");
}

TEST_F(CheckInputs, ListsTheNamesWhenNoneIsNear) {
  EXPECT_THAT(
      refusal({{"image", image}, {"mask", mask}, {"names", names}, {"xyzzy", scale}}),
      AllOf(StartsWith("input `xyzzy` is not the model's"), HasSubstr("`image`, `mask`, `names`, `scale`")));
}

TEST_F(CheckInputs, NamesWhatIsMissingWithItsType) {
  EXPECT_EQ(refusal({{"image", image}, {"names", names}}), "input `mask` is missing: float32[batch,?]");
}

TEST_F(CheckInputs, RefusesAnInputThatIsGivenTwice) {
  EXPECT_EQ(refusal({{"image", image}, {"mask", mask}, {"names", names}, {"image", image}}),
            "input `image` is given twice");
}

TEST_F(CheckInputs, RefusesAnotherElementType) {
  const Tensor doubles = zeros(ElementType::Float64, {2, 3, 8});
  EXPECT_EQ(refusal({{"image", doubles}, {"mask", mask}, {"names", names}}),
            "input `image` is float64[2,3,8], model wants float32[batch,3,8]");
}

TEST_F(CheckInputs, RefusesAnotherRank) {
  const Tensor flat = floats({2, 24});
  EXPECT_EQ(refusal({{"image", flat}, {"mask", mask}, {"names", names}}),
            "input `image` has 2 axes [2,24], model wants 3: float32[batch,3,8]");
}

TEST_F(CheckInputs, RefusesAnotherFixedSizeAndNamesTheAxis) {
  const Tensor wide = floats({2, 3, 9});
  EXPECT_EQ(refusal({{"image", wide}, {"mask", mask}, {"names", names}}),
            "input `image` has axis 2 of size 9, model wants 8: float32[batch,3,8]");
}

TEST_F(CheckInputs, RefusesBytesThatDoNotFillTheShape) {
  const Shape shape = {2, 3, 8};
  const TensorView cut{.type = ElementType::Float32, .shape = shape, .bytes = image.bytes().first(100)};
  EXPECT_EQ(refusal({{"image", cut}, {"mask", mask}, {"names", names}}),
            "input `image` has 100 bytes, float32[2,3,8] wants 192");
}

TEST_F(CheckInputs, RefusesStringsThatDoNotFillTheShape) {
  const Shape shape = {4};
  const TensorView few{.type = ElementType::String, .shape = shape, .strings = names.strings()};
  EXPECT_EQ(refusal({{"image", image}, {"mask", mask}, {"names", few}}),
            "input `names` has 3 strings, shape [4] wants 4");
}

TEST_F(CheckInputs, RefusesNegativeAndOverflowingSizes) {
  const Shape negative = {2, -1}, huge = {2, std::int64_t{1} << 62};
  for (const Shape* shape : {&negative, &huge}) {
    const TensorView view{.type = ElementType::Float32, .shape = *shape, .bytes = mask.bytes()};
    EXPECT_THAT(refusal({{"image", image}, {"mask", view}, {"names", names}}),
                HasSubstr("input `mask` has the impossible shape"));
  }
}

TEST_F(CheckInputs, RefusesTwoInputsThatDifferInASharedSize) {
  const Tensor one = floats({1, 5});
  EXPECT_EQ(refusal({{"image", image}, {"mask", one}, {"names", names}}),
            "inputs `image` and `mask` share the size `batch`, but have 2 and 1");
}

TEST_F(CheckInputs, RefusesOneInputThatDiffersInASizeOfItsOwn) {
  of = make_interface({{.name = "square", .type = tensor_type(ElementType::Float32, {"n", "n"})}}, {});
  const Tensor oblong = floats({2, 3}), square = floats({3, 3});
  EXPECT_EQ(refusal({{"square", oblong}}),
            "inputs `square` and `square` share the size `n`, but have 2 and 3");
  EXPECT_TRUE(check({{"square", square}}));
}

TEST_F(CheckInputs, ZeroIsASizeLikeAnyOther) {
  const Tensor no_image = floats({0, 3, 8}), no_mask = floats({0, 5}), none = zeros(ElementType::String, {0});
  EXPECT_TRUE(check({{"image", no_image}, {"mask", no_mask}, {"names", none}}));
  EXPECT_THAT(refusal({{"image", no_image}, {"mask", mask}, {"names", none}}), HasSubstr("but have 0 and 2"));
}

TEST_F(CheckInputs, AScalarIsNotAVectorOfOne) {
  const Tensor vector = floats({1});
  EXPECT_EQ(refusal({{"image", image}, {"mask", mask}, {"names", names}, {"scale", vector}}),
            "input `scale` has 1 axis [1], model wants 0: float32");
}

TEST_F(CheckInputs, AnUnstatedRankTakesAnyShape) {
  of = make_interface({{.name = "x", .type = tensor_type(ElementType::Float32)}}, {});
  for (const Shape& shape : {Shape{}, Shape{7}, Shape{1, 2, 3, 4}}) {
    const Tensor x = floats(shape);
    EXPECT_TRUE(check({{"x", x}})) << to_string(shape);
  }
}

TEST_F(CheckInputs, TellsAllProblemsOfACallAtOnce) {
  const Tensor doubles = zeros(ElementType::Float64, {2, 3, 8}), flat = floats({2});
  const auto text = refusal({{"image", doubles}, {"mask", flat}, {"nmaes", names}});
  EXPECT_THAT(text, StartsWith("4 problems with the inputs"));
  EXPECT_THAT(text, HasSubstr("\n  input `nmaes` is not the model's; did you mean `names`?"));
  EXPECT_THAT(text, HasSubstr("\n  input `image` is float64[2,3,8]"));
  EXPECT_THAT(text, HasSubstr("\n  input `mask` has 1 axis"));
  EXPECT_THAT(text, HasSubstr("\n  input `names` is missing"));
}

TEST_F(CheckInputs, NamesEachMissingInputOfAnEmptyCall) {
  EXPECT_THAT(refusal({}), AllOf(HasSubstr("`image`"), HasSubstr("`mask`"), HasSubstr("`names`")));
}

TEST_F(CheckInputs, WorksBeyondWhatFitsOnTheStack) {
  std::vector<ValueInfo> many;
  for (int i = 0; i < 60; ++i)
    many.push_back({.name = "x" + std::to_string(i),
                    .type = tensor_type(ElementType::Float32, {Dimension{.name = "n" + std::to_string(i)}})});
  of = make_interface(many, {});
  const Tensor x = floats({2});
  std::vector<Input> given;
  for (const ValueInfo& info : many) given.emplace_back(info.name, x);
  EXPECT_TRUE(check(given));
  given.pop_back();
  EXPECT_EQ(refusal(given), "input `x59` is missing: float32[n59]");
}

/// seq(float32[?]), map(int64,float32), optional(float32[2]).
struct CheckOtherKinds : CheckInputs {
  CheckOtherKinds() {
    of = make_interface({{.name = "items",
                          .type = onnx::sequence_type(tensor_type(ElementType::Float32, {""})),
                          .required = false},
                         {.name = "table",
                          .type = onnx::map_type(ElementType::Int64, tensor_type(ElementType::Float32)),
                          .required = false},
                         {.name = "maybe",
                          .type = onnx::optional_type(tensor_type(ElementType::Float32, {2})),
                          .required = false}},
                        {});
  }
  static Value sequence_of(ElementType type) {
    Sequence sequence;
    for (int i = 0; i < 2; ++i) sequence.items.emplace_back(zeros(i == 0 ? ElementType::Float32 : type, {3}));
    return sequence;
  }
  static Value map_of(ElementType key, ElementType value, std::int64_t keys, std::int64_t values) {
    return Map{zeros(key, {keys}), zeros(value, {values})};
  }
};

TEST_F(CheckOtherKinds, AcceptsEachKindWhereItIsWanted) {
  const Value items = sequence_of(ElementType::Float32), none, empty = Sequence{};
  const Value table = map_of(ElementType::Int64, ElementType::Float32, 2, 2);
  const Tensor two = floats({2});
  EXPECT_TRUE(check({{"items", items}, {"table", table}, {"maybe", none}}));
  EXPECT_TRUE(check({{"items", empty}, {"maybe", two}}));
}

TEST_F(CheckOtherKinds, RefusesOneKindForAnother) {
  const Value items = sequence_of(ElementType::Float32), none;
  const Tensor two = floats({2});
  EXPECT_THAT(refusal({{"items", two}}),
              HasSubstr("input `items` is float32[2], model wants seq(float32[?])"));
  EXPECT_EQ(refusal({{"maybe", items}}), "input `maybe` is a sequence, model wants optional(float32[2])");
  EXPECT_EQ(refusal({{"items", none}}), "input `items` is absent, model wants seq(float32[?])");
}

TEST_F(CheckOtherKinds, RefusesAnItemOfAnotherTypeAndSaysWhich) {
  const Value items = sequence_of(ElementType::Int64);
  EXPECT_EQ(refusal({{"items", items}}), "input `items` has int64[3] as item 1, model wants seq(float32[?])");
}

TEST_F(CheckOtherKinds, RefusesAMapOfOtherTypesOrWithKeysAndValuesThatDiffer) {
  const Value strings = map_of(ElementType::String, ElementType::Float32, 2, 2);
  const Value uneven = map_of(ElementType::Int64, ElementType::Float32, 2, 3);
  EXPECT_EQ(refusal({{"table", strings}}),
            "input `table` has keys string[2] and values float32[2], model wants map(int64,float32), one "
            "value a key");
  EXPECT_THAT(refusal({{"table", uneven}}), HasSubstr("keys int64[2] and values float32[3]"));
}

/// Buffers for outputs of model(), batch 2.
struct CheckOutputs : ::testing::Test {
  std::string refusal(const std::vector<Output>& given) {
    std::vector<std::size_t> places(given.size());
    const auto checked = check_outputs(of, given, places);
    return checked ? "accepted" : checked.error().what;
  }
  Interface of = model();
  Tensor scores = floats({2, 4}), labels = zeros(ElementType::Int64, {2});
};

TEST_F(CheckOutputs, AcceptsAnySubset) {
  EXPECT_EQ(refusal({{"labels", labels.mutable_view()}}), "accepted");
  EXPECT_EQ(refusal({{"labels", labels.mutable_view()}, {"scores", scores.mutable_view()}}), "accepted");
}

TEST_F(CheckOutputs, RefusesUnknownRepeatedAndNoOutputs) {
  EXPECT_EQ(refusal({{"score", scores.mutable_view()}}),
            "output `score` is not the model's; did you mean `scores`?");
  EXPECT_EQ(refusal({{"scores", scores.mutable_view()}, {"scores", scores.mutable_view()}}),
            "output `scores` is given twice");
  EXPECT_EQ(refusal({}), "no output is given");
}

TEST_F(CheckOutputs, RefusesAnotherTypeSizeOrLength) {
  Tensor wide = floats({2, 5});
  const Shape shape = {2, 4};
  EXPECT_EQ(refusal({{"scores", labels.mutable_view()}}),
            "output `scores` is int64[2], model wants float32[batch,4]");
  EXPECT_EQ(refusal({{"scores", wide.mutable_view()}}),
            "output `scores` has axis 1 of size 5, model wants 4: float32[batch,4]");
  EXPECT_EQ(refusal({{"scores", {ElementType::Float32, shape, scores.mutable_bytes().first(8)}}}),
            "output `scores` has 8 bytes, float32[2,4] wants 32");
}

}  // namespace
}  // namespace surefoot::session
