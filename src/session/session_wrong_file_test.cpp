// Files that people hand over by mistake, and models that this ONNX Runtime cannot open.
#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct WrongFile : tests::SessionTest {
  Error error(const std::string& content, const std::string& name = "model.onnx") const {
    return error_of(open_file(content, name));
  }
};

TEST_F(WrongFile, AnLfsPointerSaysWhatItStandsFor) {
  const Error pointer =
      error("version https://git-lfs.github.com/spec/v1\noid sha256:ab12cd\nsize 123456789\n");
  EXPECT_EQ(pointer.code, ErrorCode::InvalidModel);
  EXPECT_THAT(pointer.what,
              AllOf(HasSubstr("Git LFS pointer"), HasSubstr("123456789 bytes"), HasSubstr("ab12cd")));
  EXPECT_THAT(pointer.hint, HasSubstr("git lfs pull"));
}

TEST_F(WrongFile, AWebPageSaysSo) {
  const Error page = error("<!DOCTYPE html><html><body>404</body></html>");
  EXPECT_EQ(page.code, ErrorCode::InvalidModel);
  EXPECT_THAT(page.what, HasSubstr("HTML page"));
}

TEST_F(WrongFile, AnEmptyFileSaysSo) {
  const Error empty = error("");
  EXPECT_EQ(empty.code, ErrorCode::InvalidModel);
  EXPECT_THAT(empty.what, HasSubstr("empty file"));
}

TEST_F(WrongFile, NoBytesAtAllSaySo) {
  const Error none = error_of(Session::open(std::span<const std::byte>(), options()));
  EXPECT_EQ(none.code, ErrorCode::InvalidModel);
}

TEST_F(WrongFile, AFolderNamesTheModelsInIt) {
  folder.write("models/detector.onnx", tests::dense_model());
  const Error error = error_of(Session::open(folder / "models", options()));
  EXPECT_EQ(error.code, ErrorCode::InvalidModel);
  EXPECT_THAT(error.what, HasSubstr("is a folder"));
  EXPECT_THAT(error.hint, HasSubstr("detector.onnx"));
}

TEST_F(WrongFile, ACutModelSaysThatItIsCut) {
  const std::string whole = tests::dense_model();
  const Error cut = error(whole.substr(0, whole.size() / 2));
  EXPECT_EQ(cut.code, ErrorCode::InvalidModel);
  EXPECT_THAT(cut.what, AnyOf(HasSubstr("cut"), HasSubstr("truncated"), HasSubstr("ends")));
}

TEST_F(WrongFile, NothingOfItReachesOrt) {
  // No runtime is even loaded: the file is judged first.
  SessionOptions without{.runtime = {}};
  const Error pointer =
      error_of(open_file("version https://git-lfs.github.com/spec/v1\n", "model.onnx", without));
  EXPECT_FALSE(pointer.native);
}

struct TooNew : WrongFile {
  static onnx::ModelBuilder relu() {
    onnx::ModelBuilder model;
    model.input("x", onnx::tensor_type(ElementType::Float32, {2}));
    model.output("y", onnx::tensor_type(ElementType::Float32, {2}));
    model.node({.op = "Relu", .inputs = {"x"}, .outputs = {"y"}});
    return model;
  }
};

TEST_F(TooNew, AnIrVersionNamesItselfOrtsMaximumAndTheLibrary) {
  onnx::ModelBuilder model = relu();
  model.ir_version(99);
  const Error refused = error(model.bytes());
  EXPECT_EQ(refused.code, ErrorCode::InvalidModel);
  EXPECT_THAT(refused.what, AllOf(HasSubstr("99"), HasSubstr("reads up to 1"), HasSubstr(runtime->version()),
                                  HasSubstr(runtime->path().string())));
  EXPECT_THAT(refused.hint, HasSubstr("newer ONNX Runtime"));
}

TEST_F(TooNew, AnOpsetNamesItselfAndTheWayOut) {
  onnx::ModelBuilder model = relu();
  model.opset("", 99);
  const Error refused = error(model.bytes());
  EXPECT_EQ(refused.code, ErrorCode::InvalidModel);
  EXPECT_THAT(refused.what, AllOf(HasSubstr("99"), HasSubstr(runtime->version())));
  EXPECT_THAT(refused.hint, HasSubstr("session.allow_released_opsets_only"));
}

TEST_F(TooNew, AnOpsetReachesOrtThatIsToldToTryIt) {
  onnx::ModelBuilder model = relu();
  model.opset("", 99);
  EXPECT_FALSE(error(model.bytes()).native);
  for (const char* key : {"session.allow_released_opsets_only", "raw:session.allow_released_opsets_only"}) {
    SessionOptions with = options();
    with.config[key] = "0";
    const auto session = open_file(model.bytes(), "model.onnx", with);
    ASSERT_FALSE(session) << "this ONNX Runtime has opset 99";
    EXPECT_TRUE(session.error().native) << to_string(session.error());
    EXPECT_THAT(to_string(session.error()), HasSubstr("99"));
  }
}

TEST_F(TooNew, NothingThatOrtCannotReadReachesIt) {
  onnx::ModelBuilder model = relu();
  model.ir_version(99);
  EXPECT_FALSE(error(model.bytes()).native);
}

TEST_F(TooNew, AllOperatorsThatOrtLacksAreNamedAtOnce) {
  onnx::ModelBuilder model = relu();
  for (const char* domain : {"com.acme", "here"}) model.opset(domain, 1);
  model.node({.op = "Frobnicate", .inputs = {"y"}, .outputs = {"a"}, .domain = "com.acme"});
  model.node({.op = "Bar", .inputs = {"a"}, .outputs = {"b"}, .domain = "com.acme"});
  model.node({.op = "Bar", .inputs = {"b"}, .outputs = {"c"}, .domain = "com.acme"});
  model.node({.op = "Local", .inputs = {"c"}, .outputs = {"d"}, .domain = "here"});
  const Error refused = error(model.bytes());
  EXPECT_EQ(refused.code, ErrorCode::Unsupported);
  EXPECT_THAT(refused.what, AllOf(HasSubstr("`com.acme.Bar` x2"), HasSubstr("`com.acme.Frobnicate` x1"),
                                  HasSubstr("`here.Local` x1")));
}

TEST_F(TooNew, AnOperatorOfAForeignDomainIsNamed) {
  const ValueType vector = onnx::tensor_type(ElementType::Float32, {2});
  const Error refused = error(tests::one_node_model(
      {.op = "Frobnicate", .inputs = {"x"}, .outputs = {"y"}, .domain = "com.acme"}, vector, vector));
  EXPECT_EQ(refused.code, ErrorCode::Unsupported);
  EXPECT_THAT(refused.what, AllOf(HasSubstr("Frobnicate"), HasSubstr("com.acme")));
  EXPECT_THAT(refused.hint, HasSubstr("custom-op libraries"));
}

TEST_F(TooNew, AnOperatorWithoutAKernelForTheTypeIsNamed) {
  const ValueType vector = onnx::tensor_type(ElementType::BFloat16, {2});
  const Error refused =
      error(tests::one_node_model({.op = "Add", .inputs = {"x", "x"}, .outputs = {"y"}}, vector, vector));
  EXPECT_EQ(refused.code, ErrorCode::Unsupported);
  EXPECT_THAT(refused.what, HasSubstr("Add"));
  EXPECT_THAT(refused.hint, Not(IsEmpty()));
}

/// x→Identity→mid; 1/1→one; mid·one→w; w+0→y: ORT's optimizer loses `x` on it.
std::string model_that_the_optimizer_breaks() {
  onnx::ModelBuilder model;
  const ValueType vector = onnx::tensor_type(ElementType::Float32, {2});
  model.input("x", vector);
  model.output("y", vector);
  const Tensor one = Tensor::of<float>({1}, {1}).value(), zero = Tensor::of<float>({0}, {1}).value();
  model.initializer("a", one.view());
  model.initializer("zero", zero.view());
  model.node({.op = "Identity", .inputs = {"x"}, .outputs = {"mid"}});
  model.node({.op = "Div", .inputs = {"a", "a"}, .outputs = {"one"}});
  model.node({.op = "Mul", .inputs = {"mid", "one"}, .outputs = {"w"}});
  model.node({.op = "Add", .inputs = {"w", "zero"}, .outputs = {"y"}});
  return model.bytes();
}

struct OptimizerBug : WrongFile {
  static std::string run(const Session& session) {
    const Tensor x = Tensor::of<float>({3, 4}, {2}).value();
    const auto outputs = session.infer({{"x", x}});
    if (!outputs) return to_string(outputs.error());
    const auto y = outputs->as<float>("y").value();
    return ::testing::PrintToString(std::vector<float>(y.begin(), y.end()));
  }
};

TEST_F(OptimizerBug, IsSteppedAroundAndTheEventNamesTheRule) {
  const auto session = open_file(model_that_the_optimizer_breaks());
  ASSERT_TRUE(session) << to_string(session.error());
  EXPECT_EQ(run(*session), "{ 3, 4 }");
  ASSERT_EQ(session->events().size(), 1u);
  const FallbackEvent event = session->events().front();
  EXPECT_EQ(event.candidate, "cpu");
  EXPECT_EQ(event.stage, Stage::Create);
  EXPECT_THAT(event.error.what, AnyOf(HasSubstr("its rule `EliminateIdentity` switched off"),
                                      HasSubstr("its rule `DivMulFusion` switched off")));
}

TEST_F(OptimizerBug, TheHintOpensTheModelAtOnce) {
  const std::string model = model_that_the_optimizer_breaks();
  const std::string hint = open_file(model)->events().front().error.hint;
  const std::string rule = hint.find("EliminateIdentity") != hint.npos ? "EliminateIdentity" : "DivMulFusion";
  EXPECT_THAT(hint, HasSubstr("`optimization.disable_specified_optimizers` = `" + rule + "`"));
  SessionOptions with = options();
  with.config["optimization.disable_specified_optimizers"] = rule;
  const auto session = open_file(model, "model.onnx", with);
  ASSERT_TRUE(session) << to_string(session.error());
  EXPECT_THAT(session->events(), IsEmpty());
  EXPECT_EQ(run(*session), "{ 3, 4 }");
}

TEST_F(OptimizerBug, ALevelThatTheCallerSetIsKept) {
  SessionOptions with = options();
  with.optimization = OptimizationLevel::All;
  EXPECT_FALSE(open_file(model_that_the_optimizer_breaks(), "model.onnx", with));
  with.optimization = OptimizationLevel::Disabled;
  EXPECT_EQ(run(open_file(model_that_the_optimizer_breaks(), "model.onnx", with).value()), "{ 3, 4 }");
}

}  // namespace
}  // namespace surefoot
