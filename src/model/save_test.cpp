#include <gmock/gmock.h>

#include "model/made_up_models.hpp"

namespace surefoot::model {
namespace {

namespace fs = std::filesystem;
using onnx::ModelBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct SaveTest : ::testing::Test {
  Model open(const fs::path& path) {
    auto model = Model::open(path);
    EXPECT_TRUE(model) << to_string(model.error());
    return std::move(model).value();
  }
  Model open(const ModelBuilder& builder) { return open(folder.write("model.onnx", builder.bytes())); }
  Model save_and_open(const Model& model, const SaveOptions& options = {},
                      const fs::path& name = "out.onnx") {
    const auto saved = model.save(folder / name, options);
    EXPECT_TRUE(saved) << to_string(saved.error());
    return open(folder / name);
  }
  static std::vector<float> floats_of(const Model& model, std::string_view name) {
    auto data = model.weights().get(name);
    EXPECT_TRUE(data) << to_string(data.error());
    const auto values = data->as<float>().value();
    return {values.begin(), values.end()};
  }
  tests::TestFolder folder;
};

/// Two weights of three floats each in `weights/all.bin`.
ModelBuilder external_builder(const tests::TestFolder& folder) {
  const float content[] = {1, 2, 3, 4, 5, 6};
  folder.write("weights/all.bin", {reinterpret_cast<const char*>(content), sizeof content});
  ModelBuilder builder;
  for (std::uint64_t i = 0; i < 2; ++i)
    builder.initializer({.name = i == 0 ? "a" : "b",
                         .type = ElementType::Float32,
                         .shape = {3},
                         .location = "weights/all.bin",
                         .offset = i * 12,
                         .bytes = 12});
  return builder;
}

TEST_F(SaveTest, AnUntouchedModelComesOutByteForByte) {
  // An unknown field, and one whose length takes more bytes than it needs.
  const std::string odd =
      dense_builder().bytes() + std::string("\xc2\x3e\x03odd", 6) + std::string("\x72\x80\x00", 3);
  const auto path = folder.write("model.onnx", odd);
  save_and_open(open(path));
  EXPECT_EQ(content_of(folder / "out.onnx"), odd);
}

TEST_F(SaveTest, WhatWasSetAndPutBackComesOutByteForByte) {
  const Model model = open(dense_builder());
  ASSERT_TRUE(model.weights().set("b", floats({1, 2}, {2})));
  ASSERT_TRUE(model.weights().reset("b"));
  save_and_open(model);
  EXPECT_EQ(content_of(folder / "out.onnx"), content_of(folder / "model.onnx"));
}

TEST_F(SaveTest, AnEditChangesOnlyItsOwnBytes) {
  const Model model = open(dense_builder());
  ASSERT_TRUE(model.weights().set("b", floats({7, 8}, {2})));
  EXPECT_THAT(floats_of(save_and_open(model), "b"), ElementsAre(7, 8));
  std::string wanted = content_of(folder / "model.onnx");
  const float before[] = {0.5f, -0.5f}, after[] = {7, 8};
  const auto at = wanted.find(std::string(reinterpret_cast<const char*>(before), sizeof before));
  wanted.replace(at, sizeof after, reinterpret_cast<const char*>(after), sizeof after);
  EXPECT_EQ(content_of(folder / "out.onnx"), wanted);
}

TEST_F(SaveTest, ItsOwnFileMayBeReplaced) {
  const Model model = open(dense_builder());
  ASSERT_TRUE(model.weights().set("b", floats({7, 8}, {2})));
  ASSERT_TRUE(model.save(model.path()));
  EXPECT_THAT(floats_of(open(model.path()), "b"), ElementsAre(7, 8));
  EXPECT_THAT(floats_of(model, "w"), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(SaveTest, ReplacedInsertedErasedAndRenamedWeightsAreWritten) {
  ModelBuilder builder = dense_builder();
  builder.initializer("unused", floats({1}, {1}).view());
  const Model model = open(builder);
  ASSERT_TRUE(model.weights().replace("b", Tensor::of<std::int64_t>({1, 2, 3}, {3, 1}).value()));
  ASSERT_TRUE(model.weights().insert("new", Tensor::from_strings({"x", ""}, {2}).value()));
  ASSERT_TRUE(model.weights().erase("unused"));
  ASSERT_TRUE(model.weights().rename("w", "kernel"));
  const Model saved = save_and_open(model);
  EXPECT_THAT(saved.weights().names(), ElementsAre("kernel", "b", "new"));
  EXPECT_EQ(saved.weights().info("b")->shape, (Shape{3, 1}));
  EXPECT_THAT(saved.weights().get("new")->as<std::string>().value(), ElementsAre("x", ""));
  EXPECT_FALSE(saved.weights().erase("kernel"));  // the node reads it under its new name
}

TEST_F(SaveTest, ASparseWeightThatIsSetIsWrittenDense) {
  ModelBuilder builder;
  builder.sparse_initializer("z", floats({5}, {1}).view(), Tensor::of<std::int64_t>({1}, {1}).value().view(),
                             {3});
  const Model model = open(builder);
  ASSERT_TRUE(model.weights().set("z", floats({1, 2, 3}, {3})));
  const Model saved = save_and_open(model);
  EXPECT_EQ(saved.weights().info("z")->storage, WeightStorage::Raw);
  EXPECT_THAT(floats_of(saved, "z"), ElementsAre(1, 2, 3));
}

TEST_F(SaveTest, ExternalDataComesAlongByteForByte) {
  const Model model = open(external_builder(folder));
  const Model saved = save_and_open(model, {}, "elsewhere/out.onnx");
  EXPECT_EQ(content_of(folder / "elsewhere/out.onnx"), content_of(folder / "model.onnx"));
  EXPECT_EQ(content_of(folder / "elsewhere/weights/all.bin"), content_of(folder / "weights/all.bin"));
  EXPECT_THAT(floats_of(saved, "b"), ElementsAre(4, 5, 6));
}

TEST_F(SaveTest, ASetExternalWeightStaysOutsideAndTheOldFileAsItWas) {
  const Model model = open(external_builder(folder));
  const std::string before = content_of(folder / "weights/all.bin");
  ASSERT_TRUE(model.weights().set("b", floats({7, 8, 9}, {3})));
  const Model saved = save_and_open(model);
  EXPECT_EQ(saved.weights().info("b")->location, "out.onnx.data");
  EXPECT_THAT(floats_of(saved, "a"), ElementsAre(1, 2, 3));
  EXPECT_THAT(floats_of(saved, "b"), ElementsAre(7, 8, 9));
  EXPECT_EQ(content_of(folder / "weights/all.bin"), before);
}

TEST_F(SaveTest, AModelCanReplaceItselfTogetherWithItsData) {
  const Model model = open(external_builder(folder));
  ASSERT_TRUE(
      model.save(folder / "a.onnx", {.placement = WeightPlacement::External, .external_from_bytes = 0}));
  const Model first = open(folder / "a.onnx");
  ASSERT_TRUE(first.weights().set("b", floats({7, 8, 9}, {3})));
  ASSERT_TRUE(first.save(folder / "a.onnx"));
  const Model second = open(folder / "a.onnx");
  EXPECT_THAT(floats_of(second, "a"), ElementsAre(1, 2, 3));
  EXPECT_THAT(floats_of(second, "b"), ElementsAre(7, 8, 9));
  EXPECT_THAT(floats_of(first, "a"), ElementsAre(1, 2, 3));
}

TEST_F(SaveTest, WeightsGoOutsideFromASizeOn) {
  const Model model = open(dense_builder());
  const Model saved =
      save_and_open(model, {.placement = WeightPlacement::External, .external_from_bytes = 20});
  EXPECT_EQ(saved.weights().info("w")->storage, WeightStorage::External);
  EXPECT_EQ(saved.weights().info("b")->storage, WeightStorage::Raw);
  EXPECT_THAT(floats_of(saved, "w"), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(SaveTest, WeightsGoOutsideEachInAFileOfItsOwn) {
  const Model model = open(dense_builder());
  const Model saved = save_and_open(
      model, {.placement = WeightPlacement::External, .external_from_bytes = 0, .one_file = false});
  EXPECT_EQ(saved.weights().info("w")->location, "out.onnx.weights/0-w");
  EXPECT_EQ(fs::file_size(folder / "out.onnx.weights/1-b"), 8u);
}

TEST_F(SaveTest, LargeWeightsBeginOnAPage) {
  ModelBuilder builder;
  builder.initializer("small", floats({1}, {1}).view());
  builder.initializer("large", Tensor::zeros(ElementType::UInt8, {1 << 20}).value().view());
  const Model saved =
      save_and_open(open(builder), {.placement = WeightPlacement::External, .external_from_bytes = 0});
  EXPECT_EQ(saved.weights().info("large")->offset, 65536u);
}

TEST_F(SaveTest, WeightsGoInside) {
  const Model model = open(external_builder(folder));
  fs::create_directory(folder / "alone");
  const Model saved = save_and_open(model, {.placement = WeightPlacement::Inside}, "alone/out.onnx");
  EXPECT_FALSE(fs::exists(folder / "alone/weights"));
  EXPECT_EQ(saved.weights().info("b")->storage, WeightStorage::Raw);
  EXPECT_THAT(floats_of(saved, "b"), ElementsAre(4, 5, 6));
}

TEST_F(SaveTest, AFileOf2GiBIsRefusedBeforeAnythingIsWritten) {
  const Model model = open(write_hollow(folder, (std::uint64_t{1} << 31) - 500));
  ASSERT_TRUE(model.weights().insert("more", Tensor::zeros(ElementType::UInt8, {1000}).value()));
  const auto saved = model.save(folder / "out.onnx");
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(saved.error().hint, HasSubstr("External"));
  EXPECT_FALSE(fs::exists(folder / "out.onnx"));
}

TEST_F(SaveTest, AFolderThatIsMissingIsAnError) {
  const auto saved = open(dense_builder()).save(folder / "absent/out.onnx");
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, ErrorCode::IoFailed);
}

}  // namespace
}  // namespace surefoot::model
