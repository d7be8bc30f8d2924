#include <gmock/gmock.h>
#include <sys/resource.h>

#include "onnx/model_writer.hpp"
#include "onnx/part_writer.hpp"
#include "onnx/wire.hpp"
#include "surefoot/model_info.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot::onnx {

using surefoot::tests::TestFolder;

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr auto kFloat = ElementType::Float32;
constexpr auto kInt64 = ElementType::Int64;

Result<ModelInfo> inspect_text(const std::string& bytes) { return inspect(std::as_bytes(std::span(bytes))); }

ModelInfo inspected(const ModelBuilder& model) {
  auto info = inspect_text(model.bytes());
  EXPECT_TRUE(info) << to_string(info.error());
  return info ? std::move(*info) : ModelInfo{};
}

Tensor floats(std::size_t count) {
  return Tensor::of<float>(std::span<const float>(std::vector<float>(count, 1.0f)),
                           {static_cast<std::int64_t>(count)})
      .value();
}

/// "domain:op*count" of each row.
std::vector<std::string> op_texts(const ModelInfo& info) {
  std::vector<std::string> texts;
  for (const OpCount& row : info.ops)
    texts.push_back(row.domain + ":" + row.op + "*" + std::to_string(row.count));
  return texts;
}

std::vector<std::string> input_texts(const ModelInfo& info) {
  std::vector<std::string> texts;
  for (const ValueInfo& input : info.inputs)
    texts.push_back(input.name + " " + to_string(input.type) + (input.required ? "" : " optional"));
  return texts;
}

TEST(ModelReader, ReadsWhatStandsAroundTheGraph) {
  ModelBuilder model("graph name");
  model.ir_version(9);
  model.opset("", 20);
  model.opset("ai.onnx.ml", 3);
  model.producer("trainer", "1.2.3");
  model.domain("org.example");
  model.model_version(7);
  model.doc_string("what it does");
  model.metadata("labels", "cat,dog");
  const ModelInfo info = inspected(model);
  EXPECT_EQ(info.format, ModelFormat::Onnx);
  EXPECT_EQ(info.ir_version, 9);
  EXPECT_EQ(info.graph_name, "graph name");
  EXPECT_EQ(info.producer_name, "trainer");
  EXPECT_EQ(info.producer_version, "1.2.3");
  EXPECT_EQ(info.domain, "org.example");
  EXPECT_EQ(info.model_version, 7);
  EXPECT_EQ(info.doc_string, "what it does");
  EXPECT_THAT(info.metadata, ElementsAre(Pair("labels", "cat,dog")));
  ASSERT_EQ(info.opsets.size(), 2u);
  EXPECT_EQ(info.opsets[0].domain, "");
  EXPECT_EQ(info.opsets[0].version, 20);
  EXPECT_EQ(info.opsets[1].domain, "ai.onnx.ml");
  EXPECT_EQ(info.file_bytes, model.bytes().size());
}

TEST(ModelReader, TreatsTheDefaultDomainsLongNameAsTheShortOne) {
  ModelBuilder model;
  model.opset("ai.onnx", 13);
  model.node({.op = "Relu", .inputs = {"x"}, .outputs = {"y"}, .domain = "ai.onnx"});
  const ModelInfo info = inspected(model);
  EXPECT_EQ(info.opsets.back().domain, "");
  EXPECT_THAT(op_texts(info), ElementsAre(":Relu*1"));
}

TEST(ModelReader, ReadsEveryKindOfType) {
  const std::vector<ValueType> types = {
      tensor_type(kFloat, {1, "n", "", 0}),
      tensor_type(kInt64, {}),
      tensor_type(ElementType::Float8E4M3FN),
      tensor_type(kFloat, {Dimension{.size = 3, .denotation = "DATA_CHANNEL"}}),
      sparse_tensor_type(kFloat, {4, 4}),
      sequence_type(tensor_type(kFloat, {"n"})),
      map_type(ElementType::String, tensor_type(kFloat, {})),
      sequence_type(map_type(kInt64, tensor_type(kFloat))),
      optional_type(tensor_type(kFloat, {2})),
      optional_type(sequence_type(tensor_type(ElementType::String))),
  };
  ModelBuilder model;
  for (const ValueType& type : types) {
    model.input("in", type);
    model.output("out", type);
  }
  const ModelInfo info = inspected(model);
  ASSERT_EQ(info.inputs.size(), types.size());
  ASSERT_EQ(info.outputs.size(), types.size());
  for (std::size_t i = 0; i < types.size(); ++i) {
    EXPECT_EQ(info.inputs[i].type, types[i]) << to_string(types[i]) << " " << to_string(info.inputs[i].type);
    EXPECT_EQ(info.outputs[i].type, types[i]);
    EXPECT_EQ(info.inputs[i].required, !types[i].optional);
  }
}

TEST(ModelReader, ListsAnOutputWhoseTypeIsNotStated) {
  ModelBuilder model;
  model.output("y");
  EXPECT_EQ(to_string(inspected(model).outputs.at(0).type), "unknown");
}

ModelBuilder model_with_default(std::int64_t ir_version) {
  ModelBuilder model;
  model.ir_version(ir_version);
  model.input("w", tensor_type(kFloat, {2}));
  model.input("x", tensor_type(kFloat, {2}));
  model.initializer("w", floats(2).view());
  return model;
}

TEST(ModelReader, PutsInputsWithADefaultLastAndMarksThem) {
  EXPECT_THAT(input_texts(inspected(model_with_default(4))),
              ElementsAre("x float32[2]", "w float32[2] optional"));
}

TEST(ModelReader, TakesAWeightOfAnOldModelForNoInput) {
  EXPECT_THAT(input_texts(inspected(model_with_default(3))), ElementsAre("x float32[2]"));
}

TEST(ModelReader, KnowsASparseDefault) {
  ModelBuilder model;
  model.input("w", tensor_type(kFloat, {4}));
  model.sparse_initializer("w", floats(1).view(), Tensor::of<std::int64_t>({2}, {1}).value().view(), {4});
  EXPECT_THAT(input_texts(inspected(model)), ElementsAre("w float32[4] optional"));
}

TEST(ModelReader, GivesADefaultWithItsElements) {
  const ModelInfo info = inspected(model_with_default(4));
  EXPECT_EQ(info.inputs[0].default_value, nullptr);
  EXPECT_EQ(info.inputs[1].default_bytes, 8u);
  ASSERT_NE(info.inputs[1].default_value, nullptr);
  EXPECT_EQ(info.inputs[1].default_value->shape(), Shape{2});
  EXPECT_THAT(info.inputs[1].default_value->as<float>().value(), ElementsAre(1.0f, 1.0f));
}

TEST(ModelReader, TellsALargeDefaultByItsSizeAlone) {
  constexpr std::size_t kMost = kMostDefaultBytes / sizeof(float);
  for (const std::size_t count : {kMost, kMost + 1}) {
    ModelBuilder model;
    model.input("w", tensor_type(kFloat, {static_cast<std::int64_t>(count)}));
    model.initializer("w", floats(count).view());
    const ModelInfo info = inspected(model);
    EXPECT_EQ(info.inputs[0].default_bytes, count * sizeof(float));
    EXPECT_EQ(info.inputs[0].default_value != nullptr, count == kMost) << count;
  }
}

TEST(ModelReader, TellsDefaultsByTheirSizeAloneOnceThereAreMany) {
  constexpr std::size_t kCount = kMostDefaultBytes / sizeof(float), kRead = 1024;
  ModelBuilder model;
  for (std::size_t i = 0; i < kRead + 2; ++i) {
    const std::string name = "w" + std::to_string(i);
    model.input(name, tensor_type(kFloat, {kCount}));
    model.initializer(name, floats(kCount).view());
  }
  const ModelInfo info = inspected(model);
  EXPECT_EQ(std::ranges::count_if(info.inputs, [](const ValueInfo& input) { return !!input.default_value; }),
            kRead);
  EXPECT_EQ(info.inputs.back().default_bytes, kMostDefaultBytes);
}

TEST(ModelReader, TellsASparseDefaultByItsSizeAlone) {
  ModelBuilder model;
  model.input("w", tensor_type(kFloat, {4}));
  model.sparse_initializer("w", floats(1).view(), Tensor::of<std::int64_t>({2}, {1}).value().view(), {4});
  const ModelInfo info = inspected(model);
  EXPECT_EQ(info.inputs[0].default_value, nullptr);
  EXPECT_EQ(info.inputs[0].default_bytes, sizeof(float) + sizeof(std::int64_t));
}

TEST(ModelReader, MarksTheOperatorsThatTheModelDefines) {
  ModelBuilder model;
  model.function({.name = "Twice",
                  .domain = "com.acme",
                  .inputs = {"x"},
                  .outputs = {"y"},
                  .nodes = {{.op = "Add", .inputs = {"x", "x"}, .outputs = {"y"}}}});
  model.node({.op = "Twice", .inputs = {"a"}, .outputs = {"b"}, .domain = "com.acme"});
  model.node({.op = "Thrice", .inputs = {"a"}, .outputs = {"c"}, .domain = "com.acme"});
  for (const OpCount& op : inspected(model).ops) EXPECT_EQ(op.defined_here, op.op == "Twice") << op.op;
}

GraphBuilder branch(const std::string& op) {
  GraphBuilder graph("branch");
  graph.initializer("shadow", floats(3).view());
  graph.node({.op = op, .outputs = {"y"}});
  return graph;
}

TEST(ModelReader, CountsOperatorsOfSubgraphsAndFunctions) {
  const GraphBuilder yes = branch("Neg");
  const GraphBuilder no = branch("Abs");
  const Node choice{.op = "If", .attributes = {{"then_branch", yes}, {"else_branch", no}}};
  ModelBuilder model;
  model.node(choice);
  model.node({.op = "Abs"});
  model.node({.op = "F", .domain = "my"});
  model.function({.name = "F", .domain = "my", .nodes = {choice, {.op = "Relu"}}});
  const ModelInfo info = inspected(model);
  EXPECT_THAT(op_texts(info), ElementsAre(":Abs*3", ":If*2", ":Neg*2", ":Relu*1", "my:F*1"));
  EXPECT_EQ(info.node_count, 9u);
  EXPECT_EQ(info.initializer_count, 4u);
}

TEST(ModelReader, TakesNoSubgraphsWeightForADefaultOfTheMainGraph) {
  const GraphBuilder body = branch("Neg");
  ModelBuilder model;
  model.input("shadow", tensor_type(kFloat, {3}));
  model.node({.op = "If", .attributes = {{"then_branch", body}}});
  EXPECT_THAT(input_texts(inspected(model)), ElementsAre("shadow float32[3]"));
}

TEST(ModelReader, AddsUpTheBytesOfWeights) {
  ModelBuilder model;
  model.initializer("f", floats(10).view());                                                            // 40
  model.initializer("scalar", Tensor::of<std::int64_t>({1}, {}).value().view());                        // 8
  model.initializer("packed", Tensor::zeros(ElementType::Int4, {5}).value().view());                    // 3
  model.initializer("text", Tensor::from_strings({"abc", "", "de"}, {3}).value().view());               // 5
  model.initializer({.name = "far", .type = ElementType::Float16, .shape = {7}, .location = "w.bin"});  // 14
  model.sparse_initializer("sparse", floats(2).view(), Tensor::of<std::int64_t>({0, 1}, {2}).value().view(),
                           {9});  // 8 + 16
  const ModelInfo info = inspected(model);
  EXPECT_EQ(info.initializer_count, 6u);
  EXPECT_EQ(info.initializer_bytes, 94u);
}

TEST(ModelReader, CountsWeightsThatAreStoredInTypedFields) {
  std::string encoded;
  {
    Builder<ModelField> model(encoded);
    model.add_int64(ModelField::IrVersion, 8);
    {
      Builder<GraphField> graph(model, ModelField::Graph);
      Builder<TensorField> tensor(graph, GraphField::Initializer);
      const std::int64_t dims[] = {2, 3};
      const std::int32_t halves[] = {1, 2, 3, 4, 5, 6};
      tensor.add_packed_int64(TensorField::Dims, std::begin(dims), std::end(dims));
      tensor.add_int32(TensorField::DataType, static_cast<int>(ElementType::Float16));
      tensor.add_packed_int32(TensorField::Int32Data, std::begin(halves), std::end(halves));
    }
    Builder<OpsetField>(model, ModelField::OpsetImport).add_int64(OpsetField::Version, 17);
  }
  auto info = inspect_text(encoded);
  ASSERT_TRUE(info) << to_string(info.error());
  EXPECT_EQ(info->initializer_bytes, 12u);
}

TEST(ModelReader, ListsExternalDataOfWeightsAndConstantsInSubgraphsToo) {
  GraphBuilder body("body");
  body.initializer({.name = "b", .type = kFloat, .shape = {2}, .location = "b.bin", .offset = 64});
  ModelBuilder model;
  model.initializer(
      {.name = "a", .type = kFloat, .shape = {4}, .location = "a.bin", .offset = 4096, .bytes = 16});
  model.node({.op = "Loop", .attributes = {{"body", body}}});
  const ModelInfo info = inspected(model);
  ASSERT_EQ(info.external_data.size(), 2u);
  EXPECT_EQ(info.external_data[0].tensor, "a");
  EXPECT_EQ(info.external_data[0].location, "a.bin");
  EXPECT_EQ(info.external_data[0].offset, 4096u);
  EXPECT_EQ(info.external_data[0].bytes, 16u);
  EXPECT_EQ(info.external_data[1].location, "b.bin");
  EXPECT_EQ(info.external_data[1].offset, 64u);
  EXPECT_EQ(info.external_data[1].bytes, 8u);
}

Node ep_context(std::vector<Attribute> attributes) {
  return {.op = "EPContext", .attributes = std::move(attributes), .domain = "com.microsoft"};
}

TEST(ModelReader, ListsCompiledParts) {
  ModelBuilder model;
  model.node(ep_context({{"embed_mode", 0},
                         {"ep_cache_context", "m_ctx.bin"},
                         {"source", "OpenVINOExecutionProvider"},
                         {"ep_sdk_version", "2025.4"}}));
  model.node(
      ep_context({{"source", "QNNExecutionProvider"}, {"ep_cache_context", std::string(1000, '\x01')}}));
  model.node(ep_context({{"embed_mode", 0}, {"main_context", 0}, {"ep_cache_context", "m_ctx.bin"}}));
  model.node({.op = "EPContext", .attributes = {{"source", "other"}}, .domain = "org.example"});
  const ModelInfo info = inspected(model);
  ASSERT_EQ(info.ep_contexts.size(), 3u);
  EXPECT_EQ(info.ep_contexts[0].provider, "OpenVINOExecutionProvider");
  EXPECT_EQ(info.ep_contexts[0].sdk_version, "2025.4");
  EXPECT_FALSE(info.ep_contexts[0].embedded);
  EXPECT_EQ(info.ep_contexts[0].file, "m_ctx.bin");
  EXPECT_TRUE(info.ep_contexts[1].embedded);
  EXPECT_EQ(info.ep_contexts[1].file, "");
  EXPECT_EQ(info.ep_contexts[2].file, "");
}

TEST(ModelReader, FillsOnlyFormatAndSizeForOrtFormat) {
  using namespace std::string_literals;
  auto info = inspect_text("\x18\0\0\0ORTM\0\0\0\0"s);
  ASSERT_TRUE(info);
  EXPECT_EQ(info->format, ModelFormat::OrtFormat);
  EXPECT_EQ(info->file_bytes, 12u);
}

TEST(ModelReader, SkipsFieldsOfALaterFormat) {
  std::string bytes = ModelBuilder().bytes();
  Builder<ModelField> model(bytes);
  model.add_string(ModelField{99}, "of the future");
  model.add_string(ModelField::IrVersion, "of another wire type");
  auto info = inspect_text(bytes);
  ASSERT_TRUE(info) << to_string(info.error());
  EXPECT_EQ(info->ir_version, 8);
}

TEST(ModelReader, SaysWhereAFileWasCutAndHowLongItShouldBe) {
  const TestFolder folder;
  ModelBuilder model;
  model.initializer("w", floats(1000).view());
  const std::string bytes = model.bytes();
  const auto path = folder.write("model.onnx", bytes.substr(0, 1000));
  auto info = inspect(path);
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code, ErrorCode::InvalidModel);
  EXPECT_THAT(info.error().what, HasSubstr(path.string() + "` ends at byte 1000 of 4"));
  EXPECT_THAT(info.error().what, HasSubstr("cut short"));
  EXPECT_THAT(info.error().hint, HasSubstr("again"));
}

TEST(ModelReader, SaysThatAFileWasCutRightAfterItsGraph) {
  const std::string whole = ModelBuilder().bytes();
  const std::string opset("\x42\x04\x0a\x00\x10\x11", 6);
  ASSERT_EQ(whole.substr(whole.size() - opset.size()), opset);
  auto info = inspect_text(whole.substr(0, whole.size() - opset.size()));
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().what, HasSubstr("states no opset"));
}

TEST(ModelReader, SaysWhichFieldInsideTheFileIsDamaged) {
  ModelBuilder model;
  model.initializer("weight", floats(4).view());
  std::string bytes = model.bytes();
  const std::size_t name = bytes.find("weight");
  bytes[name - 1] = 120;  // the length of the name
  auto info = inspect_text(bytes);
  ASSERT_FALSE(info);
  EXPECT_EQ(info.error().code, ErrorCode::InvalidModel);
  EXPECT_THAT(info.error().what, HasSubstr("is damaged at byte " + std::to_string(name - 2)));
  EXPECT_THAT(info.error().what, HasSubstr("of the initializer wants 120 bytes"));
}

TEST(ModelReader, NamesZeroBytesWhereADownloadNeverArrived) {
  auto info = inspect_text(ModelBuilder().bytes() + std::string(100, '\0'));
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().what, HasSubstr("a zero byte, as in a download that never arrived"));
}

TEST(ModelReader, SaysThatAFileWithoutAGraphIsOfAnotherKind) {
  using namespace std::string_literals;
  auto info = inspect_text("\x08\x01\x12\x04test"s);  // as a TensorFlow SavedModel begins
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().what, HasSubstr("holds no graph"));
  EXPECT_THAT(info.error().hint, HasSubstr("TensorFlow"));
}

TEST(ModelReader, RefusesExternalDataWithoutANumberForItsOffset) {
  std::string encoded = ModelBuilder().bytes();
  Builder<ModelField> model(encoded);
  {
    Builder<GraphField> graph(model, ModelField::Graph);
    Builder<TensorField> tensor(graph, GraphField::Initializer);
    Builder<EntryField> entry(tensor, TensorField::ExternalData);
    write_entry(entry, "offset", "-5");
  }
  auto info = inspect_text(encoded);
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().what, HasSubstr("offset `-5`"));
}

TEST(ModelReader, RefusesSubgraphsWithoutEnd) {
  std::string graph;
  for (int level = 0; level < 1000; ++level) {
    std::string attribute, node, outer;
    Builder<AttributeField>(attribute).add_message(AttributeField::Graph, graph);
    Builder<NodeField>(node).add_message(NodeField::Attribute, attribute);
    Builder<GraphField>(outer).add_message(GraphField::Node, node);
    graph = std::move(outer);
  }
  std::string bytes = ModelBuilder().bytes();
  Builder<ModelField>(bytes).add_message(ModelField::Graph, graph);
  auto info = inspect_text(bytes);
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().what, HasSubstr("subgraphs are nested too deep"));
}

TEST(ModelReader, RefusesTypesWithoutEnd) {
  ValueType type = tensor_type(kFloat);
  for (int level = 0; level < 1000; ++level) type = sequence_type(std::move(type));
  ModelBuilder model;
  model.input("x", type);
  auto info = inspect_text(model.bytes());
  ASSERT_FALSE(info);
  EXPECT_THAT(info.error().what, HasSubstr("types are nested too deep"));
}

long peak_memory_kb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// A model of `count` weights of `each` bytes, whose elements are a hole in the file.
std::filesystem::path sparse_model(const TestFolder& folder, std::uint64_t count, std::uint64_t each) {
  std::string head;
  protozero::pbf_writer weight(head);
  weight.add_int64(protozero::pbf_tag_type(TensorField::Dims), static_cast<std::int64_t>(each / 4));
  weight.add_int32(protozero::pbf_tag_type(TensorField::DataType), 1);
  protozero::add_varint_to_buffer(&head, chunk(TensorField::RawData));
  protozero::add_varint_to_buffer(&head, each);
  std::string prefix;
  protozero::add_varint_to_buffer(&prefix, chunk(GraphField::Initializer));
  protozero::add_varint_to_buffer(&prefix, head.size() + each);
  std::string start = ModelBuilder().bytes();
  protozero::add_varint_to_buffer(&start, chunk(ModelField::Graph));
  protozero::add_varint_to_buffer(&start, count * (prefix.size() + head.size() + each));
  const auto path = folder.write("big.onnx", start);
  std::ofstream file(path, std::ios::binary | std::ios::app);
  std::uint64_t end = start.size();
  file.close();
  std::fstream body(path, std::ios::binary | std::ios::in | std::ios::out);
  for (std::uint64_t i = 0; i < count; ++i) {
    body.seekp(static_cast<std::streamoff>(end));
    body << prefix << head;
    end += prefix.size() + head.size() + each;
  }
  body.close();
  std::filesystem::resize_file(path, end);
  return path;
}

TEST(ModelReader, LeavesTheElementsOfGigabytesInTheFile) {
  const TestFolder folder;
  const auto path = sparse_model(folder, 2500, 1'000'000);
  const long before = peak_memory_kb();
  auto info = inspect(path);
  ASSERT_TRUE(info) << to_string(info.error());
  EXPECT_EQ(info->initializer_count, 2500u);
  EXPECT_EQ(info->initializer_bytes, 2'500'000'000u);
  EXPECT_GT(info->file_bytes, std::uint64_t{1} << 31);
  EXPECT_LT(peak_memory_kb() - before, 20'000);
}

}  // namespace
}  // namespace surefoot::onnx
