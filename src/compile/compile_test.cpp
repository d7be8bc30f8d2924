#include "surefoot/compile.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
namespace fs = std::filesystem;

constexpr std::int64_t kChannels = 16;  // enough for ORT to lay the weights out in blocks

/// y = relu(conv(x)), padded to keep the size; `batch` is free.
onnx::ModelBuilder conv_model() {
  onnx::ModelBuilder model;
  model.input("x", onnx::tensor_type(ElementType::Float32, {"batch", 3, 8, 8}));
  model.output("y", onnx::tensor_type(ElementType::Float32, {"batch", kChannels, 8, 8}));
  model.node({.op = "Conv",
              .inputs = {"x", "w", "b"},
              .outputs = {"c"},
              .attributes = {{"kernel_shape", onnx::IntList{3, 3}}, {"pads", onnx::IntList{1, 1, 1, 1}}}});
  model.node({.op = "Relu", .inputs = {"c"}, .outputs = {"y"}});
  return model;
}

std::vector<float> counting(std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i % 13) / 13 - 0.4F;
  return values;
}

const Shape kWeightShape = {kChannels, 3, 3, 3};
const Shape kBiasShape = {kChannels};

std::string conv_bytes() {
  const auto weights = counting(kChannels * 27), bias = counting(kChannels);
  onnx::ModelBuilder model = conv_model();
  model.initializer("w", TensorView::of<float>(weights, kWeightShape));
  model.initializer("b", TensorView::of<float>(bias, kBiasShape));
  return model.bytes();
}

struct CompileTest : tests::SessionTest {
  void SetUp() override {
    SessionTest::SetUp();
    if (runtime) folder.write("model.onnx", conv_bytes());
  }
  CompileOptions with_runtime(CompileOptions options = {}) const {
    options.session.runtime = runtime;
    return options;
  }
  Result<CompileReport> compile_cpu(CompileOptions options = {}, const std::string& to = "out.onnx") const {
    return compile(folder / "model.onnx", folder / to, "cpu", with_runtime(std::move(options)));
  }
  /// The error, and that nothing but the source is there.
  Error refused(const Result<CompileReport>& report) const {
    EXPECT_FALSE(report);
    EXPECT_THAT(names(), ElementsAre("model.onnx"));
    return report ? Error{} : report.error();
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& item : fs::directory_iterator(folder.path()))
      found.push_back(item.path().filename().string());
    std::ranges::sort(found);
    return found;
  }
  static std::vector<std::string> operators(const fs::path& model) {
    std::vector<std::string> found;
    const ModelInfo info = inspect(model).value();
    for (const OpCount& op : info.ops) found.push_back(op.op);
    return found;
  }
  std::vector<float> answer(const fs::path& model) const {
    const auto session = Session::open(model, {.runtime = runtime, .providers = {.only = {"cpu"}}}).value();
    const Tensor x = Tensor::of<float>(counting(192), {1, 3, 8, 8}).value();
    const auto outputs = session.infer({{"x", x}}).value();
    const auto y = outputs.as<float>("y").value();
    return {y.begin(), y.end()};
  }
};

TEST_F(CompileTest, ForTheCpuWritesAModelWhoseOperatorsAreFused) {
  const auto report = compile_cpu();
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_THAT(operators(folder / "out.onnx"), Not(Contains("Relu")));
  EXPECT_THAT(operators(folder / "model.onnx"), Contains("Relu"));
  EXPECT_EQ(answer(folder / "out.onnx"), answer(folder / "model.onnx"));
}

TEST_F(CompileTest, ReportsWhatWasMadeAndHowItCompares) {
  const auto report = compile_cpu();
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_THAT(report->files, ElementsAre(folder / "out.onnx"));
  EXPECT_EQ(report->form, CompiledForm::Onnx);
  EXPECT_EQ(report->provider, "cpu");
  EXPECT_EQ(report->onnxruntime, runtime->version());
  EXPECT_EQ(report->source_bytes, fs::file_size(folder / "model.onnx"));
  EXPECT_EQ(report->compiled_bytes, fs::file_size(folder / "out.onnx"));
  EXPECT_GT(report->compile_time.count(), 0);
  EXPECT_GT(report->load_before.count(), 0);
  EXPECT_GT(report->load_after.count(), 0);
  EXPECT_TRUE(report->validation.made_up_inputs);
  EXPECT_EQ(report->validation.reference, "cpu");
  EXPECT_EQ(report->validation.outputs, 1u);
  EXPECT_LT(report->validation.difference, 1e-5);
  EXPECT_THAT(report->notes, IsEmpty());
}

TEST_F(CompileTest, WritesOrtsFormatWhereTheNameEndsSo) {
  const auto report = compile_cpu({}, "out.ort");
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->form, CompiledForm::OrtFormat);
  EXPECT_EQ(inspect(folder / "out.ort").value().format, ModelFormat::OrtFormat);
  EXPECT_EQ(answer(folder / "out.ort"), answer(folder / "model.onnx"));
}

TEST_F(CompileTest, PutsWeightsIntoAFileBesideWhenAsked) {
  const auto report = compile_cpu({.external_weights = true});
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_THAT(report->files, ElementsAre(folder / "out.onnx", folder / "out.onnx.data"));
  EXPECT_EQ(report->compiled_bytes,
            fs::file_size(folder / "out.onnx") + fs::file_size(folder / "out.onnx.data"));
  EXPECT_EQ(answer(folder / "out.onnx"), answer(folder / "model.onnx"));
}

struct CompileExternal : CompileTest {
  void SetUp() override {
    CompileTest::SetUp();
    const auto weights = counting(kChannels * 27), bias = counting(kChannels);
    const auto text = [](const std::vector<float>& values) {
      return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float));
    };
    folder.write("model.bin", text(weights) + text(bias));
    onnx::ModelBuilder model = conv_model();
    model.initializer({"w", ElementType::Float32, kWeightShape, "model.bin", 0, weights.size() * 4});
    model.initializer(
        {"b", ElementType::Float32, kBiasShape, "model.bin", weights.size() * 4, bias.size() * 4});
    inside = answer(folder / "model.onnx");
    folder.write("model.onnx", model.bytes());
  }
  std::vector<float> inside;
};

TEST_F(CompileExternal, DataOfTheSourceStaysOutsideTheArtifact) {
  const auto report = compile_cpu();
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_THAT(report->files, ElementsAre(folder / "out.onnx", folder / "out.onnx.data"));
  fs::remove(folder / "model.bin");
  EXPECT_EQ(answer(folder / "out.onnx"), inside);
}

TEST_F(CompileExternal, DataOfTheSourceGoesInsideWhenAsked) {
  const auto report = compile_cpu({.external_weights = false});
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_THAT(report->files, SizeIs(1));
  fs::remove(folder / "model.bin");
  EXPECT_EQ(answer(folder / "out.onnx"), inside);
}

TEST_F(CompileExternal, DataMayLieOutsideTheFolderWhereTheModelIsTrusted) {
  fs::create_directory(folder / "elsewhere");
  fs::rename(folder / "model.bin", folder / "elsewhere/model.bin");
  fs::create_symlink("elsewhere/model.bin", folder / "model.bin");
  fs::create_directory(folder / "models");
  fs::rename(folder / "model.onnx", folder / "models/model.onnx");
  fs::create_symlink(folder / "elsewhere/model.bin", folder / "models/model.bin");
  CompileOptions options = with_runtime();
  options.session.allow_outside_data = true;
  const auto report = compile(folder / "models/model.onnx", folder / "out.onnx", "cpu", options);
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(answer(folder / "out.onnx"), inside);
}

TEST_F(CompileExternal, DataIsHandledBothWaysByEveryRuntime) {
  for (const tests::TestRuntime& each : tests::test_runtimes()) {
    const auto loaded = Runtime::load({.library = each.library});
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    for (const bool beside : {false, true}) {
      const std::string name = each.flavour + each.version + (beside ? "-beside" : "-inside") + ".onnx";
      CompileOptions options{.external_weights = beside};
      options.session.runtime = *loaded;
      const auto report = compile(folder / "model.onnx", folder / name, "cpu", options);
      ASSERT_TRUE(report) << name << ": " << to_string(report.error());
      EXPECT_THAT(report->files, SizeIs(beside ? 2 : 1)) << name;
      EXPECT_LT(report->validation.difference, 1e-5) << name;
      EXPECT_THAT(operators(folder / name), Not(Contains("Relu"))) << name;
    }
  }
}

TEST_F(CompileTest, FixesDimensionsOnTheWay) {
  CompileOptions options = with_runtime();
  options.session.dimensions = {{"batch", 2}};
  const auto report = compile(folder / "model.onnx", folder / "out.onnx", "cpu", options);
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(to_string(inspect(folder / "out.onnx").value().inputs.front().type), "float32[2,3,8,8]");
}

TEST_F(CompileTest, ComparesOnTheCallersInputs) {
  const Tensor x = Tensor::of<float>(counting(384), {2, 3, 8, 8}).value();
  const auto report = compile_cpu({.inputs = {{"x", x}}});
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_FALSE(report->validation.made_up_inputs);
}

TEST_F(CompileTest, RefusesInputsThatDoNotFitBeforeItCompiles) {
  const Tensor x = Tensor::of<float>(counting(384), {2, 3, 64}).value();
  std::vector<CompileStep> steps;
  const auto report =
      compile_cpu({.inputs = {{"x", x}}, .on_step = [&](CompileStep step) { steps.push_back(step); }});
  EXPECT_EQ(refused(report).code, ErrorCode::InvalidInput);
  EXPECT_THAT(steps, ElementsAre(CompileStep::OpenSource, CompileStep::RunSource));
}

TEST_F(CompileTest, TellsEachStepInOrder) {
  std::vector<CompileStep> steps;
  ASSERT_TRUE(compile_cpu({.on_step = [&](CompileStep step) { steps.push_back(step); }}));
  EXPECT_THAT(steps, ElementsAre(CompileStep::OpenSource, CompileStep::RunSource, CompileStep::Compile,
                                 CompileStep::OpenCompiled, CompileStep::Compare, CompileStep::Publish));
}

TEST_F(CompileTest, NeverReplacesAFile) {
  folder.write("out.onnx", "mine");
  const auto report = compile_cpu();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(report.error().what, HasSubstr("out.onnx` exists already"));
  EXPECT_EQ(fs::file_size(folder / "out.onnx"), 4u);
}

TEST_F(CompileTest, FindsAMissingFolderBeforeItOpensAnything) {
  std::vector<CompileStep> steps;
  const Error error =
      refused(compile_cpu({.on_step = [&](CompileStep step) { steps.push_back(step); }}, "none/out.onnx"));
  EXPECT_EQ(error.code, ErrorCode::IoFailed);
  EXPECT_EQ(error.hint, "make the folder first");
  EXPECT_THAT(steps, IsEmpty());
}

TEST_F(CompileTest, HonoursTheMaskOfPermissions) {
  const mode_t before = ::umask(027);
  const auto report = compile_cpu();
  ::umask(before);
  ASSERT_TRUE(report) << to_string(report.error());
  struct stat facts {};
  ::stat((folder / "out.onnx").c_str(), &facts);
  EXPECT_EQ(facts.st_mode & 0777, 0640u);
}

TEST_F(CompileTest, RefusesAnUnknownTargetWithTheNearest) {
  const auto report = compile(folder / "model.onnx", folder / "out.onnx", "cudda", with_runtime());
  const Error error = refused(report);
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_THAT(error.hint, HasSubstr("`cuda`"));
}

TEST_F(CompileTest, NeverFallsBackFromATargetThatIsNotThere) {
  for (const char* target : {"cuda", "tensorrt", "openvino", "qnn"}) {
    const auto report = compile(folder / "model.onnx", folder / "out.onnx", target, with_runtime());
    EXPECT_NE(refused(report).code, ErrorCode::Internal) << target;
  }
}

TEST_F(CompileTest, RefusesAModelThatIsCompiledAlready) {
  onnx::ModelBuilder model;
  const ValueType vector = onnx::tensor_type(ElementType::Float32, {3});
  model.input("x", vector);
  model.output("y", vector);
  model.node({.op = "EPContext",
              .inputs = {"x"},
              .outputs = {"y"},
              .attributes = {{"source", "QNNExecutionProvider"}},
              .domain = "com.microsoft"});
  folder.write("model.onnx", model.bytes());
  const Error error = refused(compile_cpu());
  EXPECT_EQ(error.code, ErrorCode::Unsupported);
  EXPECT_THAT(error.what, HasSubstr("compiled already, for `qnn`"));
}

TEST_F(CompileTest, RefusesAModelInOrtsFormat) {
  ASSERT_TRUE(compile_cpu({}, "out.ort"));
  const auto report = compile(folder / "out.ort", folder / "again.onnx", "cpu", with_runtime());
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::Unsupported);
}

TEST_F(CompileTest, RefusesOptionsThatMeanNothingHere) {
  CompileOptions options = with_runtime();
  options.session.providers.only = {"cpu"};
  const Error error = refused(compile(folder / "model.onnx", folder / "out.onnx", "cpu", options));
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_THAT(error.what, HasSubstr("`providers.only`"));
}

TEST_F(CompileTest, RefusesWeightsBesideOrtsFormat) {
  const Error error = refused(compile_cpu({.form = CompiledForm::OrtFormat, .external_weights = true}));
  EXPECT_EQ(error.code, ErrorCode::InvalidArgument);
  EXPECT_THAT(error.what, HasSubstr("keeps its weights inside"));
}

}  // namespace
}  // namespace surefoot
