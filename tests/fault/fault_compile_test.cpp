// Compiled parts of a provider that may fail at each step, and models that hold such parts.
#include <fstream>
#include <set>
#include <sstream>

#include "surefoot/compile.hpp"
#include "tests/fault/fault_fixture.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using tests::EnvironmentVariable;
using tests::FaultProvider;
namespace fs = std::filesystem;

struct FaultAtCompile : tests::FaultTest {
  void SetUp() override {
    FaultTest::SetUp();
    folder.write("model.onnx", dense);
  }
  Result<CompileReport> compiled(CompileOptions options = {}) const {
    options.session.runtime = runtime;
    return compile(folder / "model.onnx", folder / "out.onnx", "faulty", options);
  }
  /// The provider is told so once `step` begins.
  Result<CompileReport> compiled_with(const std::string& plan, CompileStep step,
                                      CompileOptions options = {}) {
    options.on_step = [plan, step](CompileStep now) {
      if (now == step) FaultProvider::set_plan(plan);
    };
    return compiled(std::move(options));
  }
  std::set<std::string> names() const {
    std::set<std::string> found;
    for (const auto& item : fs::directory_iterator(folder.path()))
      found.insert(item.path().filename().string());
    return found;
  }
  Error refused(const Result<CompileReport>& report) const {
    EXPECT_FALSE(report);
    EXPECT_THAT(names(), ElementsAre("model.onnx"));
    return report ? Error{} : report.error();
  }
  Result<Session> reopened(ProviderSelection selection = {}) const {
    return Session::open(folder / "out.onnx", {.runtime = runtime, .providers = std::move(selection)});
  }
  /// Another text of the same length in a file.
  static void replace_in(const fs::path& file, const std::string& from, const std::string& to) {
    std::ostringstream content;
    content << std::ifstream(file, std::ios::binary).rdbuf();
    std::string text = content.str();
    ASSERT_NE(text.find(from), std::string::npos);
    std::ofstream(file, std::ios::binary) << text.replace(text.find(from), from.size(), to);
  }

  tests::TestFolder folder;
};

TEST_F(FaultAtCompile, PartsStandBesideTheModelAndRun) {
  const auto report = compiled();
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->form, CompiledForm::EpContext);
  EXPECT_EQ(report->provider, "faulty");
  EXPECT_EQ(report->compiled_parts, 1u);
  EXPECT_EQ(report->compatibility, "surefoot-fault-ep;version=1");
  EXPECT_EQ(report->validation.reference, "faulty");
  EXPECT_THAT(report->files, ElementsAre(folder / "out.onnx", folder / "out.onnx.faulty.bin.0"));
  EXPECT_FALSE(inspect(folder / "out.onnx").value().ep_contexts.front().embedded);
  const auto session = reopened();
  ASSERT_TRUE(session) << to_string(session.error());
  EXPECT_EQ(session->provider(), "faulty");
  EXPECT_EQ(answer(*session), right_answer());
}

TEST_F(FaultAtCompile, PartsStandInsideWhenAsked) {
  const auto report = compiled({.embed = true});
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_THAT(report->files, ElementsAre(folder / "out.onnx"));
  EXPECT_TRUE(inspect(folder / "out.onnx").value().ep_contexts.front().embedded);
  EXPECT_EQ(answer(reopened().value()), right_answer());
}

TEST_F(FaultAtCompile, SeveralPartsAreKeptWithWhatTheProviderLeaves) {
  const EnvironmentVariable split("FAULTEP_SPLIT", "1"), ops("FAULTEP_OPS", "MatMul,Gemm,Relu");
  const auto report = compiled();
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->compiled_parts, 2u);
  EXPECT_EQ(report->files.size(), 3u);
  EXPECT_EQ(answer(reopened().value()), right_answer());
}

struct CompileFault {
  const char* name;
  const char* plan;
  CompileStep step;
  const char* text;
};
void PrintTo(const CompileFault& fault, std::ostream* out) { *out << fault.plan; }

struct FailingCompile : FaultAtCompile, ::testing::WithParamInterface<CompileFault> {};

TEST_P(FailingCompile, IsTheErrorAndLeavesNothing) {
  const auto& [name, plan, step, text] = GetParam();
  const Error error = refused(compiled_with(plan, step));
  EXPECT_THAT(to_string(error), HasSubstr(text));
}

INSTANTIATE_TEST_SUITE_P(
    Steps, FailingCompile,
    ::testing::Values(
        CompileFault{"OpeningTheSource", "compile=fail(no such chip)", CompileStep::OpenSource,
                     "no such chip"},
        CompileFault{"TakingNothing", "capability=none", CompileStep::OpenSource, "took no node"},
        CompileFault{"RunningTheSource", "run=fail(out of cores)", CompileStep::OpenSource, "out of cores"},
        CompileFault{"Compiling", "compile=fail(no such chip)", CompileStep::Compile, "no such chip"},
        CompileFault{"CompilingNothing", "capability=none", CompileStep::Compile, "compile"},
        CompileFault{"OpeningWhatWasCompiled", "compile=fail(context is foreign)", CompileStep::OpenCompiled,
                     "cannot be opened again: context is foreign"},
        CompileFault{"RunningWhatWasCompiled", "run=fail(out of cores)", CompileStep::OpenCompiled,
                     "out of cores"},
        CompileFault{"GivingAnotherAnswer", "run=wrong", CompileStep::OpenCompiled, "output `y`"}),
    [](const auto& of) { return std::string(of.param.name); });

TEST_F(FaultAtCompile, AnotherAnswerIsTakenWithinTheCallersTolerance) {
  const auto report = compiled_with("run=wrong", CompileStep::OpenCompiled, {.tolerance = 100});
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->validation.output, "y");
  EXPECT_GT(report->validation.difference, 0);
}

TEST_F(FaultAtCompile, AFileThatComesMeanwhileStays) {
  CompileOptions options;
  options.on_step = [&](CompileStep step) {
    if (step == CompileStep::Publish) folder.write("out.onnx", "mine");
  };
  const auto report = compiled(options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(names(), UnorderedElementsAre("model.onnx", "out.onnx"));
  EXPECT_EQ(fs::file_size(folder / "out.onnx"), 4u);
}

TEST_F(FaultAtCompile, ACompiledModelIsNoSource) {
  ASSERT_TRUE(compiled());
  CompileOptions options;
  options.session.runtime = runtime;
  const auto again = compile(folder / "out.onnx", folder / "again.onnx", "faulty", options);
  ASSERT_FALSE(again);
  EXPECT_THAT(again.error().what, HasSubstr("compiled already, for `faulty`"));
}

using CompiledModel = FaultAtCompile;

TEST_F(CompiledModel, NamesTheProviderThatItLacks) {
  ASSERT_TRUE(compiled({.embed = true}));
  provider.reset();
  const auto session = reopened();
  provider.emplace(*runtime);
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(session.error().what,
              HasSubstr("the model holds a part compiled for `faulty`: no provider of that name is here"));
}

TEST_F(CompiledModel, SaysThatItIsForOtherHardwareOrAnotherVersion) {
  ASSERT_TRUE(compiled());
  replace_in(folder / "out.onnx", "surefoot-fault-ep;version=1", "another-fault-ep;version=11");
  const auto session = reopened();
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::Unsupported);
  EXPECT_THAT(session.error().what, HasSubstr("does not fit the `faulty` that is here"));
  EXPECT_THAT(session.error().hint, HasSubstr("surefoot compile"));
}

TEST_F(CompiledModel, IsUsedWithANoteWhereItWouldRunBetterCompiledAnew) {
  ASSERT_TRUE(compiled());
  const EnvironmentVariable version("FAULTEP_VERSION", "2");
  const auto session = reopened();
  ASSERT_TRUE(session) << to_string(session.error());
  ASSERT_THAT(events(*session), ElementsAre("faulty create"));
  EXPECT_TRUE(session->events().front().kept);
  EXPECT_THAT(session->events().front().error.what, HasSubstr("would run better compiled anew"));
  EXPECT_EQ(answer(*session), right_answer());
}

TEST_F(CompiledModel, OfTheVersionThatIsHereOpensWithoutAWord) {
  ASSERT_TRUE(compiled());
  EXPECT_THAT(events(reopened().value()), IsEmpty());
}

TEST_F(CompiledModel, ThatIsDamagedNamesWhoCompiledIt) {
  ASSERT_TRUE(compiled());
  std::ofstream(folder / "out.onnx.faulty.bin.0") << "nonsense";
  const auto session = reopened();
  ASSERT_FALSE(session);
  EXPECT_THAT(session.error().what, HasSubstr("EPContext data is not of this provider"));
  EXPECT_THAT(to_string(session.error()),
              HasSubstr("loading a part compiled by `faulty` 1 (`surefoot-fault-ep;version=1`)"));
}

}  // namespace
}  // namespace surefoot
