// Where a model comes from: paths, bytes, files beside it.
#include "file/mapped_file.hpp"
#include "ort/session.hpp"
#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::bytes_of;
using tests::dense_model;

struct SessionOpen : tests::SessionTest {
  static std::string run(const Session& session) {
    const Tensor x = Tensor::of<float>({1, 2, 3}, {1, 3}).value();
    const auto outputs = session.infer({{"x", x}});
    if (!outputs) return to_string(outputs.error());
    const auto y = outputs->as<float>("y").value();
    return ::testing::PrintToString(std::vector<float>(y.begin(), y.end()));
  }
  static std::string right() { return ::testing::PrintToString(tests::dense_answer({1, 2, 3})); }
  /// The answer of what opened, or the error.
  static std::string run(const Result<Session>& session) {
    return session ? run(*session) : to_string(session.error());
  }
};

TEST_F(SessionOpen, AFileRuns) { EXPECT_EQ(run(open_file(dense_model())), right()); }

TEST_F(SessionOpen, BytesRun) { EXPECT_EQ(run(open(dense_model())), right()); }

TEST_F(SessionOpen, ASmallFileIsReadOnce) {
  const auto path = folder.write("m.onnx", dense_model());
  SessionOptions with = options();
  with.check_files = [&]() -> Result<void> {  // called between reading the model and opening it
    folder.write("m.onnx", "something else by now");
    return {};
  };
  EXPECT_EQ(run(Session::open(path, with)), right());
}

TEST_F(SessionOpen, TheExtensionDoesNotMatter) {
  for (const char* name : {"model", "model.bin", "model.ort", "model.pb"})
    EXPECT_EQ(run(open_file(dense_model(), name)), right()) << name;
}

TEST_F(SessionOpen, PathsMayHoldAnyName) {
  for (const char* name : {"модель.onnx", "模型.onnx", "mo del.onnx", "новая папка/モデル.onnx",
                           "line\nbreak.onnx", "quote\"and'.onnx", "100%{}.onnx"})
    EXPECT_EQ(run(open_file(dense_model(), name)), right()) << name;
}

TEST_F(SessionOpen, ARelativePathStartsAtTheWorkingFolder) {
  folder.write("model.onnx", dense_model());
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const auto session = Session::open("model.onnx", options());
  fs::current_path(before);
  EXPECT_EQ(run(session), right());
}

TEST_F(SessionOpen, AnEmptyPathIsAnError) {
  EXPECT_EQ(error_of(Session::open(fs::path(), options())).code, ErrorCode::InvalidArgument);
}

TEST_F(SessionOpen, AMissingFileIsNamedWithTheNearest) {
  folder.write("detector.onnx", dense_model());
  const Error error = error_of(Session::open(folder / "detektor.onnx", options()));
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_THAT(error.what, HasSubstr("detektor.onnx"));
  EXPECT_THAT(error.hint, HasSubstr("`detector.onnx`"));
}

TEST_F(SessionOpen, ACopyLivesOnWhenTheFirstHandleIsGone) {
  std::optional<Session> copy;
  {
    const auto session = open_file(dense_model());
    ASSERT_TRUE(session);
    copy = *session;
  }
  EXPECT_EQ(run(*copy), right());
}

TEST_F(SessionOpen, TheFileMayGoOnceTheSessionIsOpen) {
  const auto session = open_file(dense_model());
  fs::remove(folder / "model.onnx");
  EXPECT_EQ(run(session), right());
}

/// Has ORT write a model in its own format; the product has no use for that function.
fs::path in_ort_format(const Runtime& runtime, const std::string& model, const fs::path& file) {
  constexpr ort::Function<ort::OrtStatus*(ort::OrtSessionOptions*, const ort::OrtPathChar*)>
      kSetOptimizedModelFilePath{11, 1, "SetOptimizedModelFilePath"};
  ort::Environment& environment = runtime.environment();
  auto wanted = ort::make_options(environment, {.entries = {{"session.save_model_format", "ORT"}}}).value();
  environment.api().call(kSetOptimizedModelFilePath, wanted.get(), file.c_str()).value();
  (void)ort::Session::open(environment, {}, bytes_of(model), wanted).value();
  return file;
}

TEST_F(SessionOpen, OrtsOwnFormatOpensFromFileAndBytes) {
  const fs::path file = in_ort_format(*runtime, dense_model(), folder / "dense.ort");
  const auto session = Session::open(file, options());
  ASSERT_TRUE(session) << to_string(session.error());
  EXPECT_EQ(session->info().format, ModelFormat::OrtFormat);
  EXPECT_EQ(to_string(session->info().inputs.front().type), "float32[n,3]");
  EXPECT_EQ(run(*session), right());
  const file::MappedFile mapped = file::MappedFile::open(file).value();
  EXPECT_EQ(run(Session::open(mapped.bytes(), options())), right());
}

/// x[3] + w, with w in another file, as exporters write large models.
std::string external_model(const std::string& location, std::uint64_t bytes = 12, std::uint64_t offset = 0) {
  onnx::ModelBuilder model;
  model.input("x", onnx::tensor_type(ElementType::Float32, {3}));
  model.output("y", onnx::tensor_type(ElementType::Float32, {3}));
  model.initializer(onnx::ExternalTensor{"w", ElementType::Float32, {3}, location, offset, bytes});
  model.node({.op = "Add", .inputs = {"x", "w"}, .outputs = {"y"}});
  return model.bytes();
}

std::string weights() {
  const std::array values = {10.0f, 20.0f, 30.0f};
  return {reinterpret_cast<const char*>(values.data()), sizeof values};
}

struct ExternalWeights : SessionOpen {
  static std::string run(const Result<Session>& session) {
    if (!session) return to_string(session.error());
    const Tensor x = Tensor::of<float>({1, 2, 3}, {3}).value();
    const auto outputs = session->infer({{"x", x}});
    if (!outputs) return to_string(outputs.error());
    const auto y = outputs->as<float>("y").value();
    return ::testing::PrintToString(std::vector<float>(y.begin(), y.end()));
  }
  const std::string sum = "{ 11, 22, 33 }";
};

TEST_F(ExternalWeights, BesideTheFileAreFound) {
  folder.write("w.data", weights());
  EXPECT_EQ(run(open_file(external_model("w.data"))), sum);
}

TEST_F(ExternalWeights, InAFolderBelowAreFound) {
  folder.write("weights/w.data", "1234" + weights());
  EXPECT_EQ(run(open_file(external_model("weights/w.data", 12, 4))), sum);
}

TEST_F(ExternalWeights, AreFoundBesideANonAsciiPathFromAnyWorkingFolder) {
  folder.write("модель 模型/w.data", weights());
  EXPECT_EQ(run(open_file(external_model("w.data"), "модель 模型/m.onnx")), sum);
}

TEST_F(ExternalWeights, ThatAreMissingAreNamedWithAFileOfThatSize) {
  folder.write("other.data", weights());
  const Error error = error_of(open_file(external_model("w.data")));
  EXPECT_EQ(error.code, ErrorCode::InvalidModel);
  EXPECT_THAT(error.what, AllOf(HasSubstr("w.data"), HasSubstr("is missing"), HasSubstr("`other.data`")));
}

TEST_F(ExternalWeights, ThatAreShortAreNamedWithBothSizes) {
  folder.write("w.data", "12345");
  const Error error = error_of(open_file(external_model("w.data")));
  EXPECT_EQ(error.code, ErrorCode::InvalidModel);
  EXPECT_THAT(error.what, HasSubstr("has 5 bytes, 12 are wanted"));
}

TEST_F(ExternalWeights, OutsideTheModelsFolderAreRefused) {
  folder.write("w.data", weights());
  for (const std::string& location : {std::string("../w.data"), (folder / "w.data").string()}) {
    const Error error = error_of(open_file(external_model(location), "inner/model.onnx"));
    EXPECT_EQ(error.code, ErrorCode::InvalidModel) << location;
    EXPECT_THAT(error.what, HasSubstr("lies outside the model's folder"));
  }
}

TEST_F(ExternalWeights, OfAModelInMemoryNeedAFolder) {
  const Error error = error_of(open(external_model("w.data")));
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_THAT(error.what, AllOf(HasSubstr("`w.data`"), HasSubstr("bytes have no folder")));
  EXPECT_THAT(error.hint, HasSubstr("external_data_folder"));
}

TEST_F(ExternalWeights, OfAModelInMemoryAreFoundInTheFolderGiven) {
  folder.write("w.data", weights());
  SessionOptions with = options();
  with.external_data_folder = folder.path();
  EXPECT_EQ(run(open(external_model("w.data"), with)), sum);
  with.external_data_folder = folder / "elsewhere";
  EXPECT_EQ(error_of(open(external_model("w.data"), with)).code, ErrorCode::InvalidModel);
}

TEST_F(ExternalWeights, ACacheOfLinksOpensAsAHubLaysItOut) {
  folder.write("blobs/aaaa", external_model("w.data"));
  folder.write("blobs/bbbb", weights());
  fs::create_directories(folder / "snapshots/main");
  fs::create_symlink("../../blobs/aaaa", folder / "snapshots/main/model.onnx");
  fs::create_symlink("../../blobs/bbbb", folder / "snapshots/main/w.data");
  EXPECT_EQ(run(Session::open(folder / "snapshots/main/model.onnx", options())), sum);
}

TEST_F(ExternalWeights, OfAnEpContextNodeAreCheckedToo) {
  onnx::ModelBuilder model;
  const ValueType vector = onnx::tensor_type(ElementType::Float32, {3});
  model.opset("com.microsoft", 1);
  model.input("x", vector);
  model.output("y", vector);
  model.node({.op = "EPContext",
              .inputs = {"x"},
              .outputs = {"y"},
              .attributes = {{"main_context", 1},
                             {"embed_mode", 0},
                             {"ep_cache_context", "part.bin"},
                             {"source", "QNNExecutionProvider"}},
              .domain = "com.microsoft"});
  const Error error = error_of(open_file(model.bytes()));
  EXPECT_EQ(error.code, ErrorCode::InvalidModel);
  EXPECT_THAT(error.what, HasSubstr("part.bin"));
}

TEST_F(ExternalWeights, BeyondTwoGibibytesOpen) {
  constexpr std::int64_t kCount = (std::int64_t{9} << 30) / 16;  // 2.25 GiB of float32, all zero, on no disk
  const auto file = folder.write("big.data", "");
  fs::resize_file(file, kCount * 4);
  onnx::ModelBuilder model;
  model.input("i", onnx::tensor_type(ElementType::Int64, {1}));
  model.output("y", onnx::tensor_type(ElementType::Float32, {1}));
  model.initializer(onnx::ExternalTensor{"w", ElementType::Float32, {kCount}, "big.data", 0, kCount * 4});
  model.node({.op = "Gather", .inputs = {"w", "i"}, .outputs = {"y"}});
  const auto session = open_file(model.bytes());
  ASSERT_TRUE(session) << to_string(session.error());
  const Tensor last = Tensor::of<std::int64_t>({kCount - 1}, {1}).value();
  const auto outputs = session->infer({{"i", last}});
  ASSERT_TRUE(outputs) << to_string(outputs.error());
  EXPECT_THAT(outputs->as<float>("y").value(), ElementsAre(0));
}

}  // namespace
}  // namespace surefoot
