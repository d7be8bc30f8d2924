#include "surefoot/weights.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <chrono>

#include "model/made_up_models.hpp"

namespace surefoot::model {
namespace {

using onnx::ModelBuilder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct WeightsTest : ::testing::Test {
  Model open(const ModelBuilder& builder, ModelOptions options = {}) {
    auto model = Model::open(folder.write("model.onnx", builder.bytes()), options);
    EXPECT_TRUE(model) << to_string(model.error());
    return std::move(model).value();
  }
  Error error_of_opening(const ModelBuilder& builder) {
    auto model = Model::open(folder.write("model.onnx", builder.bytes()));
    return model ? Error{.what = "it opened"} : model.error();
  }
  template <class T>
  static std::vector<T> values(const Model& model, std::string_view name) {
    auto data = model.weights().get(name);
    EXPECT_TRUE(data) << to_string(data.error());
    const auto span = data->template as<T>().value();
    return {span.begin(), span.end()};
  }
  tests::TestFolder folder;
};

TEST_F(WeightsTest, AreAMappingInTheFilesOrder) {
  const Model model = open(dense_builder());
  EXPECT_EQ(model.weights().size(), 2u);
  EXPECT_THAT(model.weights().names(), ElementsAre("w", "b"));
  EXPECT_TRUE(model.weights().contains("b"));
  EXPECT_FALSE(model.weights().contains("x"));
  const WeightInfo info = model.weights().items()[0];
  EXPECT_EQ(info.name, "w");
  EXPECT_EQ(info.type, ElementType::Float32);
  EXPECT_EQ(info.shape, (Shape{3, 2}));
  EXPECT_EQ(info.bytes, 24u);
  EXPECT_EQ(info.storage, WeightStorage::Raw);
}

TEST_F(WeightsTest, LookIntoTheMappedFile) {
  const Model model = open(dense_builder());
  auto data = model.weights().get("w");
  ASSERT_TRUE(data);
  EXPECT_TRUE(data->is_mapped());
  EXPECT_THAT(data->as<float>().value(), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(WeightsTest, OutliveTheModelTheyWereReadFrom) {
  auto data = open(dense_builder()).weights().get("b");
  ASSERT_TRUE(data);
  EXPECT_THAT(data->as<float>().value(), ElementsAre(0.5f, -0.5f));
}

TEST_F(WeightsTest, AMissingNameGivesTheNearest) {
  ModelBuilder builder;
  builder.initializer("encoder.weight", floats({1}, {1}).view());
  const Model model = open(builder);
  const auto missing = model.weights().get("encoder.wieght");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
  EXPECT_THAT(missing.error().hint, HasSubstr("encoder.weight"));
}

TEST_F(WeightsTest, SetKeepsTypeAndShape) {
  const Model model = open(dense_builder());
  EXPECT_FALSE(model.is_edited());
  ASSERT_TRUE(model.weights().set("b", floats({7, 8}, {2})));
  EXPECT_TRUE(model.is_edited());
  EXPECT_EQ(model.weights().info("b")->storage, WeightStorage::Edited);
  EXPECT_THAT(values<float>(model, "b"), ElementsAre(7, 8));
  const auto refused = model.weights().set("b", floats({7, 8, 9}, {3}));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("is float32[2], float32[3] was given"));
  EXPECT_THAT(refused.error().hint, HasSubstr("replace()"));
  EXPECT_FALSE(model.weights().set("b", Tensor::of<double>({1, 2}, {2}).value()));
}

TEST_F(WeightsTest, ReplaceChangesTypeAndShape) {
  const Model model = open(dense_builder());
  ASSERT_TRUE(model.weights().replace("b", Tensor::of<std::int64_t>({1, 2, 3}, {3}).value()));
  EXPECT_THAT(values<std::int64_t>(model, "b"), ElementsAre(1, 2, 3));
  ASSERT_TRUE(model.weights().reset("b"));
  EXPECT_THAT(values<float>(model, "b"), ElementsAre(0.5f, -0.5f));
  EXPECT_FALSE(model.is_edited());
}

TEST_F(WeightsTest, AnEmptyTensorIsNoValue) {
  const Model model = open(dense_builder());
  EXPECT_EQ(model.weights().set("b", Tensor()).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(model.weights().insert("new", Tensor()).error().code, ErrorCode::InvalidArgument);
}

TEST_F(WeightsTest, OnlyUnusedOnesCanBeErased) {
  ModelBuilder builder = dense_builder();
  builder.initializer("unused", floats({1}, {1}).view());
  const Model model = open(builder);
  const auto refused = model.weights().erase("w");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().what, HasSubstr("node `multiply` reads it"));
  ASSERT_TRUE(model.weights().erase("unused"));
  EXPECT_FALSE(model.weights().contains("unused"));
  EXPECT_THAT(model.weights().names(), ElementsAre("w", "b"));
}

TEST_F(WeightsTest, ANameThatIsTakenIsRefused) {
  const Model model = open(dense_builder());
  EXPECT_EQ(model.weights().insert("w", floats({1}, {1})).error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(model.weights().rename("w", "xw").error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(model.weights().rename("w", "").error().code, ErrorCode::InvalidArgument);
  ASSERT_TRUE(model.weights().rename("w", "kernel"));
  EXPECT_THAT(model.weights().names(), ElementsAre("kernel", "b"));
  EXPECT_THAT(values<float>(model, "kernel"), ElementsAre(1, 2, 3, 4, 5, 6));
}

TEST_F(WeightsTest, InSubgraphsAreReachedByPath) {
  onnx::GraphBuilder then_branch("then"), else_branch("else");
  then_branch.initializer("inner", floats({1}, {1}).view());
  then_branch.output("inner");
  else_branch.initializer("inner", floats({2}, {1}).view());
  else_branch.output("inner");
  ModelBuilder builder;
  builder.input("c", onnx::tensor_type(ElementType::Bool, {}));
  builder.node({.op = "If",
                .inputs = {"c"},
                .outputs = {"y"},
                .attributes = {{"then_branch", then_branch}, {"else_branch", else_branch}},
                .name = "choose"});
  builder.output("y");
  const Model model = open(builder);
  EXPECT_THAT(model.weights().names(), ElementsAre("choose>then_branch>inner", "choose>else_branch>inner"));
  EXPECT_THAT(values<float>(model, "choose>else_branch>inner"), ElementsAre(2));
  ASSERT_TRUE(model.weights().rename("choose>else_branch>inner", "mine"));
  EXPECT_TRUE(model.weights().contains("choose>else_branch>mine"));
}

TEST_F(WeightsTest, StringsComeOut) {
  ModelBuilder builder;
  builder.initializer("s", Tensor::from_strings({"a", std::string("b\0c", 3)}, {2}).value().view());
  const Model model = open(builder);
  EXPECT_THAT(values<std::string>(model, "s"), ElementsAre("a", std::string("b\0c", 3)));
  EXPECT_EQ(model.weights().info("s")->storage, WeightStorage::Typed);
}

TEST_F(WeightsTest, PackedTypesStayPacked) {
  const std::vector<std::byte> packed = pack_int4(std::vector<std::int8_t>{-8, 7, 1});
  ModelBuilder builder;
  builder.initializer("q", Tensor::from_bytes(ElementType::Int4, {3}, packed).value().view());
  const Model model = open(builder);
  const auto data = model.weights().get("q");
  ASSERT_TRUE(data);
  EXPECT_THAT(unpack_int4(data->view().bytes, 3), ElementsAre(-8, 7, 1));
}

TEST_F(WeightsTest, SparseOnesComeOutDense) {
  ModelBuilder builder;
  builder.sparse_initializer("z", floats({5, 6}, {2}).view(),
                             Tensor::of<std::int64_t>({1, 3}, {2}).value().view(), {2, 2});
  builder.sparse_initializer("c", floats({7}, {1}).view(),
                             Tensor::of<std::int64_t>({1, 0}, {1, 2}).value().view(), {2, 2});
  const Model model = open(builder);
  EXPECT_EQ(model.weights().info("z")->storage, WeightStorage::Sparse);
  EXPECT_THAT(values<float>(model, "z"), ElementsAre(0, 5, 0, 6));
  EXPECT_THAT(values<float>(model, "c"), ElementsAre(0, 0, 7, 0));
  ASSERT_TRUE(model.weights().set("z", floats({1, 2, 3, 4}, {2, 2})));
  EXPECT_THAT(values<float>(model, "z"), ElementsAre(1, 2, 3, 4));
  ASSERT_TRUE(model.weights().reset("z"));
  EXPECT_THAT(values<float>(model, "z"), ElementsAre(0, 5, 0, 6));
}

TEST_F(WeightsTest, SparsePlacesOutsideTheShapeAreRefused) {
  ModelBuilder builder;
  builder.sparse_initializer("z", floats({5}, {1}).view(), Tensor::of<std::int64_t>({4}, {1}).value().view(),
                             {2, 2});
  const auto data = open(builder).weights().get("z");
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().code, ErrorCode::InvalidModel);
  EXPECT_THAT(data.error().what, HasSubstr("an element at 4"));
}

/// A graph with one TensorProto, field by field.
template <class Write>
ModelBuilder with_tensor(ElementType type, Write write) {
  std::string bytes;
  onnx::Builder<onnx::TensorField> tensor(bytes);
  onnx::write_tensor_header(tensor, "t", type, Shape{3});
  write(tensor);
  struct Raw : ModelBuilder {
    void add(const std::string& tensor_bytes) {
      std::string& graph = const_cast<std::string&>(graph_bytes());
      graph +=
          onnx::chunk_header(static_cast<std::uint32_t>(onnx::GraphField::Initializer), tensor_bytes.size()) +
          tensor_bytes;
    }
  } builder;
  builder.add(bytes);
  return builder;
}

TEST_F(WeightsTest, TypedFieldsAreDecoded) {
  const std::int32_t halves[] = {0x3c00, 0x4000, 0xc000};
  const auto half = with_tensor(ElementType::Float16, [&](auto& tensor) {
    tensor.add_packed_int32(onnx::TensorField::Int32Data, std::begin(halves), std::end(halves));
  });
  const Model model = open(half);
  EXPECT_EQ(model.weights().info("t")->storage, WeightStorage::Typed);
  const auto values_of_half = values<Float16>(model, "t");
  EXPECT_EQ(static_cast<float>(values_of_half[2]), -2.0f);
}

TEST_F(WeightsTest, TypedFieldsOfPackedTypesCarryAByteEach) {
  const std::int32_t bytes[] = {0x21, 0x03};
  const auto model = open(with_tensor(ElementType::UInt4, [&](auto& tensor) {
    tensor.add_packed_int32(onnx::TensorField::Int32Data, std::begin(bytes), std::end(bytes));
  }));
  EXPECT_THAT(unpack_uint4(model.weights().get("t")->view().bytes, 3), ElementsAre(1, 2, 3));
}

TEST_F(WeightsTest, UnpackedFloatsAreDecoded) {
  const auto model = open(with_tensor(ElementType::Float32, [](auto& tensor) {
    for (const float value : {1.0f, 2.0f, 3.0f}) tensor.add_float(onnx::TensorField::FloatData, value);
  }));
  EXPECT_THAT(values<float>(model, "t"), ElementsAre(1, 2, 3));
}

TEST_F(WeightsTest, NegativeIntegersKeepTheirSign) {
  const std::int32_t bytes[] = {-1, -128, 127};
  const auto model = open(with_tensor(ElementType::Int8, [&](auto& tensor) {
    tensor.add_packed_int32(onnx::TensorField::Int32Data, std::begin(bytes), std::end(bytes));
  }));
  EXPECT_THAT(values<std::int8_t>(model, "t"), ElementsAre(-1, -128, 127));
}

TEST_F(WeightsTest, ElementsThatDoNotFitTheShapeAreRefused) {
  const auto model = open(with_tensor(
      ElementType::Float32, [](auto& tensor) { tensor.add_bytes(onnx::TensorField::RawData, "12345678"); }));
  const auto data = model.weights().get("t");
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().code, ErrorCode::InvalidModel);
  EXPECT_THAT(data.error().what, HasSubstr("`t` (float32[3]) holds 8 bytes, 12 are wanted"));
}

TEST_F(WeightsTest, AHugeShapeWithoutElementsIsRefusedAtOnce) {
  ModelBuilder builder;
  const Shape huge = {INT64_MAX, INT64_MAX};
  builder.initializer("huge", TensorView{.type = ElementType::Float32, .shape = huge});
  const Model model = open(builder);
  EXPECT_EQ(model.weights().get("huge").error().code, ErrorCode::InvalidModel);
}

ModelBuilder external_builder(std::initializer_list<onnx::ExternalTensor> tensors) {
  ModelBuilder builder;
  for (const onnx::ExternalTensor& tensor : tensors) builder.initializer(tensor);
  return builder;
}

TEST_F(WeightsTest, ExternalOnesAreMappedWhenTheyAreRead) {
  const float content[] = {9, 1, 2};
  folder.write("w.data", {reinterpret_cast<const char*>(content), sizeof content});
  const Model model = open(external_builder({{.name = "w",
                                              .type = ElementType::Float32,
                                              .shape = {2},
                                              .location = "w.data",
                                              .offset = 4,
                                              .bytes = 8}}));
  const auto info = model.weights().info("w");
  EXPECT_EQ(info->storage, WeightStorage::External);
  EXPECT_EQ(info->location, "w.data");
  EXPECT_EQ(info->offset, 4u);
  EXPECT_TRUE(model.weights().get("w")->is_mapped());
  EXPECT_THAT(values<float>(model, "w"), ElementsAre(1, 2));
}

TEST_F(WeightsTest, ExternalDataThatIsMissingIsRefusedUnlessTheCallerDoesWithout) {
  const auto builder = external_builder({{.name = "w",
                                          .type = ElementType::Float32,
                                          .shape = {2},
                                          .location = "w.data",
                                          .offset = 0,
                                          .bytes = 8}});
  EXPECT_THAT(error_of_opening(builder).what, HasSubstr("is missing"));
  const Model model = open(builder, {.check_external_data = false});
  EXPECT_EQ(model.weights().get("w").error().code, ErrorCode::NotFound);
}

TEST_F(WeightsTest, ExternalDataMayNotBeReadBehindItsEnd) {
  folder.write("w.data", "1234");
  const Model model = open(external_builder({{.name = "w",
                                              .type = ElementType::UInt8,
                                              .shape = {8},
                                              .location = "w.data",
                                              .offset = UINT64_MAX - 3,
                                              .bytes = 8}}),
                           {.check_external_data = false});
  const auto data = model.weights().get("w");
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().code, ErrorCode::InvalidModel);
}

TEST_F(WeightsTest, ExternalDataOutsideTheFolderIsNeverRead) {
  const Model model = open(external_builder({{.name = "w",
                                              .type = ElementType::UInt8,
                                              .shape = {1},
                                              .location = "../../etc/passwd",
                                              .offset = 0,
                                              .bytes = 1}}),
                           {.check_external_data = false});
  EXPECT_EQ(model.weights().get("w").error().code, ErrorCode::InvalidModel);
}

TEST_F(WeightsTest, ExternalDataThatLiesPartlyOverEachOtherIsRefused) {
  folder.write("w.data", std::string(16, 'x'));
  const auto at = [](std::string name, std::uint64_t offset) {
    return onnx::ExternalTensor{.name = std::move(name),
                                .type = ElementType::UInt8,
                                .shape = {8},
                                .location = "w.data",
                                .offset = offset,
                                .bytes = 8};
  };
  EXPECT_THAT(error_of_opening(external_builder({at("a", 0), at("b", 4)})).what,
              HasSubstr("`a` (bytes 0 to 8) and `b` (bytes 4 to 12)"));
  EXPECT_EQ(open(external_builder({at("a", 0), at("tied", 0), at("c", 8)})).weights().size(), 3u);
}

TEST_F(WeightsTest, AModelThatNamesItselfAsItsDataIsRefused) {
  const auto builder = external_builder({{.name = "w",
                                          .type = ElementType::UInt8,
                                          .shape = {1},
                                          .location = "./model.onnx",
                                          .offset = 0,
                                          .bytes = 1}});
  EXPECT_THAT(error_of_opening(builder).what, HasSubstr("names itself"));
}

TEST_F(WeightsTest, LinksThatLeadInACircleAreRefused) {
  std::filesystem::create_symlink("b.data", folder / "a.data");
  std::filesystem::create_symlink("a.data", folder / "b.data");
  const auto builder = external_builder({{.name = "w",
                                          .type = ElementType::UInt8,
                                          .shape = {1},
                                          .location = "a.data",
                                          .offset = 0,
                                          .bytes = 1}});
  EXPECT_THAT(error_of_opening(builder).what, HasSubstr("a.data"));
  const Model model = open(builder, {.check_external_data = false});
  EXPECT_FALSE(model.weights().get("w"));
}

long peak_kilobytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// Opens the model and reads its last bytes; returns how long opening took.
std::chrono::milliseconds open_and_touch(const std::filesystem::path& path, std::string_view weight) {
  const auto begin = std::chrono::steady_clock::now();
  auto model = Model::open(path);
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_TRUE(model) << to_string(model.error());
  const auto data = model->weights().get(weight);
  EXPECT_TRUE(data) << to_string(data.error());
  EXPECT_EQ(data->view().bytes.back(), std::byte{0});
  return std::chrono::duration_cast<std::chrono::milliseconds>(took);
}

constexpr long kMegabytesAllowed = 16;

TEST_F(WeightsTest, OfAFileOfNearly2GBOpenInMillisecondsAndMegabytes) {
  const auto path = write_hollow(folder, 1'900'000'000);
  const long before = peak_kilobytes();
  EXPECT_LT(open_and_touch(path, "big").count(), 500);
  EXPECT_LT((peak_kilobytes() - before) / 1024, kMegabytesAllowed);
}

TEST_F(WeightsTest, Of3GBBesideTheModelOpenInMillisecondsAndMegabytes) {
  constexpr std::uint64_t kBytes = 3'000'000'000;
  std::filesystem::resize_file(folder.write("big.data", ""), kBytes);
  const auto path = folder.write(
      "model.onnx",
      external_builder(
          {{.name = "big", .type = ElementType::UInt8, .shape = {kBytes}, .location = "big.data"}})
          .bytes());
  const long before = peak_kilobytes();
  EXPECT_LT(open_and_touch(path, "big").count(), 500);
  EXPECT_LT((peak_kilobytes() - before) / 1024, kMegabytesAllowed);
}

}  // namespace
}  // namespace surefoot::model
