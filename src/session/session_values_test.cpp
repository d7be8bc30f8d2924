// Every kind of value, in and out.
#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using onnx::tensor_type;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::SizeIs;

struct SessionValues : tests::SessionTest {
  /// The output of a model with one input and one output, or a None and the error.
  Value through(const std::string& model, const Value& x) {
    const Session session = open(model).value();
    auto outputs = session.infer({{"x", x}});
    EXPECT_TRUE(outputs) << to_string(outputs.error());
    return outputs ? std::move((*outputs)[0]) : Value();
  }
  static std::string identity(const ValueType& type) { return tests::identity_model(type, 21, 10); }
};

/// A tensor whose bytes all differ, as far as the type allows.
Tensor patterned(ElementType type, Shape shape) {
  Tensor tensor = Tensor::zeros(type, std::move(shape)).value();
  std::uint8_t next = 0;
  for (std::byte& byte : tensor.mutable_bytes())
    byte = std::byte(type == ElementType::Bool ? next++ % 2 : next++ * 7);
  return tensor;
}

TEST_F(SessionValues, TensorsOfEveryTypeThatTheCpuCopiesComeBackBitForBit) {
  for (const ElementType type :
       {ElementType::Float32, ElementType::Float64, ElementType::Float16, ElementType::BFloat16,
        ElementType::Int8, ElementType::Int16, ElementType::Int32, ElementType::Int64, ElementType::UInt8,
        ElementType::UInt16, ElementType::UInt32, ElementType::UInt64, ElementType::Bool,
        ElementType::Float8E4M3FN, ElementType::Float8E4M3FNUZ, ElementType::Float8E5M2,
        ElementType::Float8E5M2FNUZ}) {
    const Value x(patterned(type, {2, 3}));
    const Value y = through(identity(tensor_type(type, {2, 3})), x);
    ASSERT_NE(y.tensor(), nullptr) << to_string(type);
    EXPECT_EQ(y.tensor()->type(), type);
    EXPECT_EQ(y.tensor()->shape(), (Shape{2, 3}));
    EXPECT_TRUE(std::ranges::equal(y.tensor()->bytes(), x.tensor()->bytes())) << to_string(type);
  }
}

TEST_F(SessionValues, Float16HoldsNumbers) {
  const Value x(Tensor::of<Float16>({Float16(1.5f), Float16(-2.0f)}, {2}).value());
  const std::string cast =
      tests::one_node_model({.op = "Cast", .inputs = {"x"}, .outputs = {"y"}, .attributes = {{"to", 1}}},
                            tensor_type(ElementType::Float16, {2}), tensor_type(ElementType::Float32, {2}));
  EXPECT_THAT(through(cast, x).as<float>().value(), ElementsAre(1.5f, -2.0f));
}

TEST_F(SessionValues, BFloat16AndFloat8ComeOutOfACast) {
  const Value x(Tensor::of<float>({1.5f, -2.0f}, {2}).value());
  const auto cast_to = [](ElementType type, std::int64_t number) {
    return tests::one_node_model(
        {.op = "Cast", .inputs = {"x"}, .outputs = {"y"}, .attributes = {{"to", number}}},
        tensor_type(ElementType::Float32, {2}), tensor_type(type, {2}), 19, 9);
  };
  const Value bf16 = through(cast_to(ElementType::BFloat16, 16), x);
  ASSERT_THAT(bf16.as<BFloat16>().value(), SizeIs(2));
  EXPECT_EQ(static_cast<float>(bf16.as<BFloat16>().value()[0]), 1.5f);
  const Value fp8 = through(cast_to(ElementType::Float8E4M3FN, 17), x);
  EXPECT_EQ(static_cast<float>(fp8.as<Float8E4M3FN>().value()[1]), -2.0f);
}

TEST_F(SessionValues, PackedIntegersGoInTwoToAByte) {
  onnx::ModelBuilder model;
  model.opset("", 21);
  model.ir_version(10);
  model.input("x", tensor_type(ElementType::Int4, {3}));
  model.output("y", tensor_type(ElementType::Float32, {3}));
  const Tensor half = Tensor::of<float>({0.5f}, {}).value();
  model.initializer("scale", half.view());
  model.node({.op = "DequantizeLinear", .inputs = {"x", "scale"}, .outputs = {"y"}});
  const std::array packed = {std::byte{0xe1}, std::byte{0x07}};  // 1, -2, 7
  const Value x(Tensor::from_bytes(ElementType::Int4, {3}, packed).value());
  EXPECT_THAT(through(model.bytes(), x).as<float>().value(), ElementsAre(0.5f, -1, 3.5f));
}

TEST_F(SessionValues, PackedIntegersComeOutTwoToAByte) {
  onnx::ModelBuilder model;
  model.opset("", 21);
  model.ir_version(10);
  model.input("x", tensor_type(ElementType::Float32, {3}));
  model.output("y", tensor_type(ElementType::UInt4, {3}));
  const Tensor one = Tensor::of<float>({1}, {}).value();
  const Tensor zero = Tensor::zeros(ElementType::UInt4, {}).value();
  model.initializer("scale", one.view());
  model.initializer("zero", zero.view());
  model.node({.op = "QuantizeLinear", .inputs = {"x", "scale", "zero"}, .outputs = {"y"}});
  const Value y = through(model.bytes(), Tensor::of<float>({1, 15, 7}, {3}).value());
  EXPECT_EQ(y.tensor()->type(), ElementType::UInt4);
  EXPECT_THAT(y.tensor()->bytes(), ElementsAre(std::byte{0xf1}, std::byte{0x07}));
}

TEST_F(SessionValues, StringsKeepEveryByte) {
  const std::vector<std::string> words = {"",    "ß", "日本", std::string("a\0b", 3), std::string(1000, 'x'),
                                          "tail"};
  const Value x(Tensor::from_strings(words, {2, 3}).value());
  const Value y = through(identity(tensor_type(ElementType::String, {2, 3})), x);
  EXPECT_EQ(y.tensor()->shape(), (Shape{2, 3}));
  EXPECT_THAT(y.tensor()->strings(), ElementsAreArray(words));
}

TEST_F(SessionValues, ScalarsHaveNoAxes) {
  for (const ElementType type : {ElementType::Int64, ElementType::Float32, ElementType::String}) {
    const Value x(Tensor::zeros(type, {}).value());
    const Value y = through(identity(tensor_type(type, {})), x);
    EXPECT_EQ(y.tensor()->type(), type);
    EXPECT_EQ(y.tensor()->shape(), Shape{});
  }
}

TEST_F(SessionValues, AnAxisMayHaveNoSize) {
  for (const ElementType type : {ElementType::Float32, ElementType::String, ElementType::Bool}) {
    const Value x(Tensor::zeros(type, {2, 0, 3}).value());
    const Value y = through(identity(tensor_type(type, {2, "n", 3})), x);
    EXPECT_EQ(y.tensor()->shape(), (Shape{2, 0, 3})) << to_string(type);
    EXPECT_THAT(y.tensor()->bytes(), SizeIs(0));
  }
}

TEST_F(SessionValues, ARunIntoBuffersTakesScalarsAndNoSizes) {
  const Session session = open(identity(tensor_type(ElementType::Float32, {"n"}))).value();
  const Tensor none = Tensor::zeros(ElementType::Float32, {0}).value();
  Tensor into = Tensor::zeros(ElementType::Float32, {0}).value();
  EXPECT_TRUE(
      session.infer_into(std::vector<Input>{{"x", none}}, std::vector<Output>{{"y", into.mutable_view()}}));
}

const ValueType kVector = tensor_type(ElementType::Float32, {"n"});
const ValueType kVectors = onnx::sequence_type(tensor_type(ElementType::Float32, {"n"}));

Value vectors(std::initializer_list<std::initializer_list<float>> rows) {
  Sequence sequence;
  for (const auto& row : rows)
    sequence.items.emplace_back(Tensor::of<float>(row, {static_cast<std::int64_t>(row.size())}).value());
  return sequence;
}

TEST_F(SessionValues, SequencesComeBackItemByItem) {
  const Value y = through(identity(kVectors), vectors({{1, 2}, {}, {3}}));
  ASSERT_NE(y.sequence(), nullptr);
  ASSERT_THAT(y.sequence()->items, SizeIs(3));
  EXPECT_THAT(y.sequence()->items[0].as<float>().value(), ElementsAre(1, 2));
  EXPECT_THAT(y.sequence()->items[1].as<float>().value(), SizeIs(0));
  EXPECT_THAT(y.sequence()->items[2].as<float>().value(), ElementsAre(3));
}

TEST_F(SessionValues, AnEmptySequenceComesBackEmpty) {
  const Value y = through(identity(kVectors), Sequence{});
  ASSERT_NE(y.sequence(), nullptr);
  EXPECT_THAT(y.sequence()->items, SizeIs(0));
}

TEST_F(SessionValues, SequencesOfStringsComeBack) {
  Sequence words;
  words.items.emplace_back(Tensor::from_strings({"a", "bc"}, {2}).value());
  const Value y = through(identity(onnx::sequence_type(tensor_type(ElementType::String, {"n"}))),
                          Value(std::move(words)));
  EXPECT_THAT(y.sequence()->items[0].as<std::string>().value(), ElementsAre("a", "bc"));
}

TEST_F(SessionValues, ASequenceIsMadeFromTensors) {
  const std::string pair = tests::one_node_model(
      {.op = "SequenceConstruct", .inputs = {"x", "x"}, .outputs = {"y"}}, kVector, kVectors);
  const Value y = through(pair, Tensor::of<float>({4}, {1}).value());
  ASSERT_THAT(y.sequence()->items, SizeIs(2));
  EXPECT_THAT(y.sequence()->items[1].as<float>().value(), ElementsAre(4));
}

TEST_F(SessionValues, ATensorIsTakenOutOfASequence) {
  onnx::ModelBuilder model;
  model.input("x", kVectors);
  model.input("at", tensor_type(ElementType::Int64, {}));
  model.output("y", kVector);
  model.node({.op = "SequenceAt", .inputs = {"x", "at"}, .outputs = {"y"}});
  const Session session = open(model.bytes()).value();
  const Value x = vectors({{1, 2}, {3}});
  const Tensor at = Tensor::of<std::int64_t>({1}, {}).value();
  EXPECT_THAT(session.infer({{"x", x}, {"at", at}})->as<float>("y").value(), ElementsAre(3));
}

TEST_F(SessionValues, ATensorIsAddedToASequenceThatMayBeEmpty) {
  onnx::ModelBuilder model;
  model.input("x", kVectors);
  model.input("item", kVector);
  model.output("y", kVectors);
  model.node({.op = "SequenceInsert", .inputs = {"x", "item"}, .outputs = {"y"}});
  const Session session = open(model.bytes()).value();
  const Tensor item = Tensor::of<float>({9}, {1}).value();
  const Value empty = Sequence{}, one = vectors({{1, 2}});
  EXPECT_THAT((*session.infer({{"x", one}, {"item", item}}))[0].sequence()->items, SizeIs(2));
  EXPECT_THAT((*session.infer({{"x", empty}, {"item", item}}))[0].sequence()->items, SizeIs(1));
}

TEST_F(SessionValues, ASequenceWithAnItemOfAnotherTypeNeverReachesOrt) {
  const Session session = open(identity(kVectors)).value();
  Sequence mixed;
  mixed.items.emplace_back(Tensor::zeros(ElementType::Int64, {2}).value());
  const Value x(std::move(mixed));
  const auto outputs = session.infer({{"x", x}});
  ASSERT_FALSE(outputs);
  EXPECT_EQ(outputs.error().code, ErrorCode::InvalidInput);
  EXPECT_THAT(outputs.error().what, HasSubstr("int64[2] as item 0"));
}

TEST_F(SessionValues, MapsComeOutWithKeysAndValues) {
  const ValueType maps =
      onnx::sequence_type(onnx::map_type(ElementType::String, tensor_type(ElementType::Float32)));
  const std::string zipmap =
      tests::one_node_model({.op = "ZipMap",
                             .inputs = {"x"},
                             .outputs = {"y"},
                             .attributes = {{"classlabels_strings", onnx::StringList{"cat", "dog"}}},
                             .domain = "ai.onnx.ml"},
                            tensor_type(ElementType::Float32, {"n", 2}), maps);
  const Value y = through(zipmap, Tensor::of<float>({0.25f, 0.75f, 1, 0}, {2, 2}).value());
  ASSERT_NE(y.sequence(), nullptr);
  ASSERT_THAT(y.sequence()->items, SizeIs(2));
  const Map* first = y.sequence()->items[0].map();
  ASSERT_NE(first, nullptr);
  EXPECT_THAT(first->keys.as<std::string>().value(), ElementsAre("cat", "dog"));
  EXPECT_THAT(first->values.as<float>().value(), ElementsAre(0.25f, 0.75f));
}

TEST_F(SessionValues, MapsOfIntegerKeysComeOut) {
  const ValueType maps =
      onnx::sequence_type(onnx::map_type(ElementType::Int64, tensor_type(ElementType::Float32)));
  const std::string zipmap =
      tests::one_node_model({.op = "ZipMap",
                             .inputs = {"x"},
                             .outputs = {"y"},
                             .attributes = {{"classlabels_int64s", onnx::IntList{7, 3}}},
                             .domain = "ai.onnx.ml"},
                            tensor_type(ElementType::Float32, {"n", 2}), maps);
  const Value y = through(zipmap, Tensor::of<float>({0.25f, 0.75f}, {1, 2}).value());
  EXPECT_THAT(y.sequence()->items[0].map()->keys.as<std::int64_t>().value(), ElementsAre(3, 7));
  EXPECT_THAT(y.sequence()->items[0].map()->values.as<float>().value(), ElementsAre(0.75f, 0.25f));
}

TEST_F(SessionValues, MapsGoIn) {
  const std::string vectorizer =
      tests::one_node_model({.op = "DictVectorizer",
                             .inputs = {"x"},
                             .outputs = {"y"},
                             .attributes = {{"string_vocabulary", onnx::StringList{"a", "b", "c"}}},
                             .domain = "ai.onnx.ml"},
                            onnx::map_type(ElementType::String, tensor_type(ElementType::Float32, {})),
                            tensor_type(ElementType::Float32, {1, 3}));
  const Value x(Map{Tensor::from_strings({"c", "a"}, {2}).value(), Tensor::of<float>({3, 1}, {2}).value()});
  EXPECT_THAT(through(vectorizer, x).as<float>().value(), ElementsAre(1, 0, 3));
}

TEST_F(SessionValues, AMapOfOtherKeysNeverReachesOrt) {
  const std::string vectorizer =
      tests::one_node_model({.op = "DictVectorizer",
                             .inputs = {"x"},
                             .outputs = {"y"},
                             .attributes = {{"int64_vocabulary", onnx::IntList{1, 2}}},
                             .domain = "ai.onnx.ml"},
                            onnx::map_type(ElementType::Int64, tensor_type(ElementType::Float32, {})),
                            tensor_type(ElementType::Float32, {1, 2}));
  const Session session = open(vectorizer).value();
  const Value x(Map{Tensor::from_strings({"c"}, {1}).value(), Tensor::of<float>({3}, {1}).value()});
  EXPECT_EQ(session.infer({{"x", x}}).error().code, ErrorCode::InvalidInput);
}

/// y = whether x is there.
std::string has_model(const ValueType& held) {
  return tests::one_node_model({.op = "OptionalHasElement", .inputs = {"x"}, .outputs = {"y"}},
                               onnx::optional_type(held), tensor_type(ElementType::Bool, {}), 18);
}

struct OptionalValues : SessionValues {
  /// "yes", "no", or the error.
  static std::string has(const Session& session, const std::vector<Input>& inputs) {
    const auto outputs = session.infer(inputs);
    if (!outputs) return to_string(outputs.error());
    return outputs->as<bool>("y").value()[0] ? "yes" : "no";
  }
};

TEST_F(OptionalValues, APresentTensorIsThere) {
  const Session session = open(has_model(kVector)).value();
  const Tensor x = Tensor::of<float>({1, 2}, {2}).value();
  EXPECT_EQ(has(session, {{"x", x}}), "yes");
}

TEST_F(OptionalValues, AnAbsentOneMayBeGivenAsNoneOrLeftOut) {
  for (const ValueType& held : {kVector, tensor_type(ElementType::String, {"n"}), kVectors}) {
    const Session session = open(has_model(held)).value();
    EXPECT_FALSE(session.info().inputs[0].required);
    const Value none;
    EXPECT_EQ(has(session, {{"x", none}}), "no") << to_string(held);
    EXPECT_EQ(has(session, {}), "no") << to_string(held);
  }
}

TEST_F(OptionalValues, APresentSequenceIsThere) {
  const Session session = open(has_model(kVectors)).value();
  const Value x = vectors({{1}}), empty = Sequence{};
  EXPECT_EQ(has(session, {{"x", x}}), "yes");
  EXPECT_EQ(has(session, {{"x", empty}}), "yes");
}

TEST_F(OptionalValues, NoneIsRefusedWhereTheInputIsNotOptional) {
  const Session session = open(identity(kVectors)).value();
  const Value none;
  EXPECT_EQ(session.infer({{"x", none}}).error().code, ErrorCode::InvalidInput);
}

TEST_F(OptionalValues, AnOptionalComesOutAsItsContentOrNone) {
  const ValueType maybe = onnx::optional_type(kVector);
  const Session session = open(tests::identity_model(maybe, 18)).value();
  const Tensor x = Tensor::of<float>({1, 2}, {2}).value();
  EXPECT_THAT(session.infer({{"x", x}})->as<float>("y").value(), ElementsAre(1, 2));
  const Value none;
  EXPECT_EQ((*session.infer({{"x", none}}))[0].kind(), ValueKind::None);
}

}  // namespace
}  // namespace surefoot
