#include "surefoot/patch.hpp"

#include <gmock/gmock.h>

#include "model/made_up_models.hpp"
#include "tests/support/runtimes.hpp"

namespace surefoot::model {
namespace {

using onnx::ModelBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct PatchTest : ::testing::Test {
  Model open(const ModelBuilder& builder, ModelOptions options = {}) {
    auto model = Model::open(folder.write("model.onnx", builder.bytes()), std::move(options));
    EXPECT_TRUE(model) << to_string(model.error());
    return std::move(model).value();
  }
  template <class T = float>
  static std::vector<T> values(const Model& model, std::string_view name) {
    auto data = model.weights().get(name);
    EXPECT_TRUE(data) << to_string(data.error());
    const auto span = data->template as<T>().value();
    return {span.begin(), span.end()};
  }
  static Patch patch(Model& model, std::string name, std::variant<Tensor, LowRankDelta> change) {
    std::vector<WeightPatch> patches;
    patches.push_back({std::move(name), std::move(change)});
    auto made = model.patch(std::move(patches));
    EXPECT_TRUE(made) << to_string(made.error());
    return std::move(made).value();
  }
  tests::TestFolder folder;
};

/// For the weight `w` of dense_builder(), [3,2]: rank 1, so that w[i][j] gets scale · a[i] · b[j].
LowRankDelta delta(std::initializer_list<float> a, std::initializer_list<float> b, double scale) {
  return {floats(a, {3, 1}), floats(b, {1, 2}), scale};
}

TEST_F(PatchTest, ADeltaIsAddedAndTakenBackBitForBit) {
  Model model = open(dense_builder());
  {
    const Patch scope = patch(model, "w", delta({1, 0, 2}, {10, 100}, 0.5));
    EXPECT_THAT(values(model, "w"), ElementsAre(6, 52, 3, 4, 15, 106));
    EXPECT_TRUE(model.is_edited());
  }
  EXPECT_THAT(values(model, "w"), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_TRUE(model.weights().get("w")->is_mapped());
  EXPECT_FALSE(model.is_edited());
}

TEST_F(PatchTest, AReplacementIsTakenBack) {
  Model model = open(dense_builder());
  Patch scope = patch(model, "b", floats({7, 8}, {2}));
  EXPECT_THAT(values(model, "b"), ElementsAre(7, 8));
  ASSERT_TRUE(scope.release());
  ASSERT_TRUE(scope.release());
  EXPECT_FALSE(scope.is_active());
  EXPECT_THAT(values(model, "b"), ElementsAre(0.5f, -0.5f));
}

TEST_F(PatchTest, PatchesOnEachOtherEndInAnyOrder) {
  // A third and a tenth do not add up exactly: undoing by subtraction would leave a trace.
  Model model = open(dense_builder());
  const std::vector<float> file = values(model, "w");
  Patch only_second = patch(model, "w", delta({0.1f, 0.2f, 0.3f}, {0.7f, 0.9f}, 1));
  const std::vector<float> second_alone = values(model, "w");
  ASSERT_TRUE(only_second.release());
  Patch first = patch(model, "w", delta({1.0f / 3, 1, 1e8f}, {1.0f / 3, 1e-8f}, 1));
  Patch second = patch(model, "w", delta({0.1f, 0.2f, 0.3f}, {0.7f, 0.9f}, 1));
  Patch third = patch(model, "w", delta({1, 1, 1}, {1, 1}, 1e6));
  ASSERT_TRUE(first.release());
  ASSERT_TRUE(third.release());
  EXPECT_EQ(values(model, "w"), second_alone);
  ASSERT_TRUE(second.release());
  EXPECT_EQ(values(model, "w"), file);
}

TEST_F(PatchTest, AReplacementHidesWhatIsBelowItAndDeltasGoOnTop) {
  Model model = open(dense_builder());
  Patch below = patch(model, "w", delta({1, 1, 1}, {100, 100}, 1));
  Patch replacement = patch(model, "w", floats({0, 0, 0, 0, 0, 0}, {3, 2}));
  Patch above = patch(model, "w", delta({1, 2, 3}, {1, 1}, 1));
  EXPECT_THAT(values(model, "w"), ElementsAre(1, 1, 2, 2, 3, 3));
  ASSERT_TRUE(replacement.release());
  EXPECT_THAT(values(model, "w"), ElementsAre(102, 103, 105, 106, 108, 109));
}

TEST_F(PatchTest, AWeightThatIsSetMeanwhileKeepsItsPatches) {
  Model model = open(dense_builder());
  Patch scope = patch(model, "b", LowRankDelta{floats({1, 2}, {2, 1}), floats({1}, {1, 1}), 10});
  ASSERT_TRUE(model.weights().set("b", floats({100, 200}, {2})));
  EXPECT_THAT(values(model, "b"), ElementsAre(110, 220));
  EXPECT_EQ(model.weights().replace("b", floats({1}, {1})).error().code, ErrorCode::InvalidState);
  EXPECT_EQ(model.weights().reset("b").error().code, ErrorCode::InvalidState);
  ASSERT_TRUE(scope.release());
  EXPECT_THAT(values(model, "b"), ElementsAre(100, 200));
}

TEST_F(PatchTest, HalvesAreSummedInFloat32AndRoundedOnce) {
  // 2048 + 1 + 1 stays 2048 when each sum is rounded to float16; summed in float32 it is 2050.
  ModelBuilder builder;
  const Float16 start[] = {Float16(2048.0f)};
  builder.initializer("h", Tensor::of<Float16>(start, {1, 1}).value().view());
  Model model = open(builder);
  const Patch scope = patch(model, "h", LowRankDelta{floats({1, 1}, {1, 2}), floats({1, 1}, {2, 1}), 1});
  EXPECT_EQ(static_cast<float>(values<Float16>(model, "h")[0]), 2050.0f);
}

TEST_F(PatchTest, ConvolutionsTakeDeltasWithTheirAxes) {
  ModelBuilder builder;
  builder.initializer("k", Tensor::zeros(ElementType::Float32, {2, 1, 1, 2}).value().view());
  Model model = open(builder);
  const Patch scope =
      patch(model, "k", LowRankDelta{floats({1, 2}, {2, 1, 1, 1}), floats({3, 4}, {1, 1, 1, 2}), 1});
  EXPECT_THAT(values(model, "k"), ElementsAre(3, 4, 6, 8));
}

TEST_F(PatchTest, WhatDoesNotFitChangesNothing) {
  Model model = open(dense_builder());
  std::vector<WeightPatch> patches;
  patches.push_back({"b", floats({7, 8}, {2})});
  patches.push_back({"w", LowRankDelta{floats({1, 1}, {2, 1}), floats({1, 1}, {1, 2})}});
  const auto refused = model.patch(std::move(patches));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("a delta of [3,r] and [r,2] is wanted, [2,1] and [1,2] came"));
  EXPECT_THAT(values(model, "b"), ElementsAre(0.5f, -0.5f));
  std::vector<WeightPatch> unknown;
  unknown.push_back({"ww", floats({1}, {1})});
  EXPECT_EQ(model.patch(std::move(unknown)).error().code, ErrorCode::NotFound);
}

TEST_F(PatchTest, ASparseWeightIsSparseAgainAfterwards) {
  ModelBuilder builder;
  builder.sparse_initializer("z", floats({5}, {1}).view(), Tensor::of<std::int64_t>({1}, {1}).value().view(),
                             {3});
  Model model = open(builder);
  {
    const Patch scope = patch(model, "z", floats({1, 2, 3}, {3}));
    EXPECT_THAT(values(model, "z"), ElementsAre(1, 2, 3));
  }
  EXPECT_THAT(values(model, "z"), ElementsAre(0, 5, 0));
  ASSERT_TRUE(model.save(folder / "out.onnx"));
  EXPECT_EQ(content_of(folder / "out.onnx"), content_of(folder / "model.onnx"));
}

TEST_F(PatchTest, APatchMayOutliveItsModel) {
  std::optional<Patch> scope;
  {
    Model model = open(dense_builder());
    scope.emplace(patch(model, "b", floats({7, 8}, {2})));
  }
  EXPECT_TRUE(scope->release());
}

TEST_F(PatchTest, SessionsFollow) {
  NEED_RUNTIME();
  Model model = open(dense_builder(), {.session = {.runtime = tests::main_runtime()}});
  const Tensor x = floats({1, 1, 1}, {1, 3});
  const auto run = [&] {
    EXPECT_TRUE(model.create_session());
    const auto outputs = model.infer({{"x", x}});
    const auto y = outputs->as<float>("y").value();
    return std::vector<float>(y.begin(), y.end());
  };
  const std::vector<float> before = run();
  {
    const Patch scope = patch(model, "w", delta({1, 1, 1}, {10, 20}, 1));
    EXPECT_THAT(run(), ElementsAre(before[0] + 30, before[1] + 60));
  }
  EXPECT_EQ(run(), before);
  EXPECT_EQ(model.session_events().size(), 3u);
}

}  // namespace
}  // namespace surefoot::model
