// Providers that fail in the middle of the work.
#include "surefoot/model.hpp"
#include "tests/fault/fault_fixture.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::FaultProvider;

using FaultAtRun = tests::FaultTest;

struct RunFault {
  const char* name;
  const char* plan;
  int good_runs;  ///< before it strikes
  ErrorCode code;
  const char* text;
};
void PrintTo(const RunFault& fault, std::ostream* out) { *out << fault.plan; }

struct FailingRun : tests::FaultTest, ::testing::WithParamInterface<RunFault> {};

TEST_P(FailingRun, IsAnsweredByCpuWithTheSameInputs) {
  const Session session = open(GetParam().plan);
  for (int i = 0; i < GetParam().good_runs; ++i) EXPECT_EQ(answer(session), right_answer());
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_THAT(events(session), IsEmpty());
  EXPECT_EQ(answer(session, {4, 5, 6, 7, 8, 9}), right_answer({4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(session.provider(), "cpu");
  ASSERT_THAT(events(session), ElementsAre("faulty run"));
  EXPECT_EQ(session.events().front().error.code, GetParam().code);
  EXPECT_THAT(to_string(session.events().front().error), HasSubstr(GetParam().text));
}

TEST_P(FailingRun, IsTheLastThatTouchesTheProvider) {
  const Session session = open(GetParam().plan);
  for (int i = 0; i <= GetParam().good_runs; ++i) (void)answer(session);
  const long runs = FaultProvider::count("run");
  for (int i = 0; i < 3; ++i) EXPECT_EQ(answer(session), right_answer());
  EXPECT_EQ(FaultProvider::count("run"), runs);
  EXPECT_EQ(FaultProvider::count("create"), 1);
}

TEST_P(FailingRun, IsTheCallersWhenTheProviderIsRequired) {
  const Session session = open(GetParam().plan, {.only = {"faulty"}});
  for (int i = 0; i < GetParam().good_runs; ++i) EXPECT_EQ(answer(session), right_answer());
  const Tensor x = Tensor::zeros(ElementType::Float32, {1, 3}).value();
  const auto outputs = session.infer({{"x", x}});
  ASSERT_FALSE(outputs);
  EXPECT_EQ(outputs.error().code, GetParam().code);
  EXPECT_THAT(to_string(outputs.error()), HasSubstr(GetParam().text));
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_THAT(events(session), IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(
    Plans, FailingRun,
    ::testing::Values(
        RunFault{"Always", "run=fail", 0, ErrorCode::ProviderFailed, "told to fail at run, pass 1"},
        RunFault{"FromTheThird", "run:3=fail", 2, ErrorCode::ProviderFailed, "told to fail at run, pass 3"},
        RunFault{"OutOfMemory", "run:3=oom", 2, ErrorCode::OutOfMemory, "Failed to allocate memory"},
        RunFault{"InTheProvidersWords", "run=fail(no kernel image is available for execution on the device)",
                 0, ErrorCode::ProviderFailed, "no kernel image is available"}),
    [](const auto& of) { return std::string(of.param.name); });

TEST_F(FaultAtRun, ARequiredProviderThatFailedOnceServesTheNextCall) {
  const Session session = open("run:2!=fail", {.only = {"faulty"}});
  EXPECT_EQ(answer(session), right_answer());
  EXPECT_THAT(answer(session), HasSubstr("told to fail"));
  EXPECT_EQ(answer(session), right_answer());
}

TEST_F(FaultAtRun, IntoTheCallersBuffersFallsBackToo) {
  const Session session = open("run:2=fail");
  const Tensor x = Tensor::of<float>({1, 2, 3}, {1, 3}).value();
  for (int i = 0; i < 3; ++i) {
    Tensor y = Tensor::zeros(ElementType::Float32, {1, 2}).value();
    ASSERT_TRUE(
        session.infer_into(std::vector<Input>{{"x", x}}, std::vector<Output>{{"y", y.mutable_view()}}));
    EXPECT_THAT(y.as<float>().value(), ElementsAreArray(tests::dense_answer({1, 2, 3})));
  }
  EXPECT_THAT(events(session), ElementsAre("faulty run"));
}

TEST_F(FaultAtRun, WrongNumbersAreNotDetectedByASession) {
  const Session session = open("run=wrong");
  EXPECT_NE(answer(session), right_answer());
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_THAT(events(session), IsEmpty());
}

TEST_F(FaultAtRun, MetadataAndEventsOutliveTheProvider) {
  const Session session = open("run=fail");
  EXPECT_EQ(answer(session), right_answer());
  EXPECT_EQ(session.info().inputs.front().name, "x");
  EXPECT_EQ(session.plan().candidates().front().name, "faulty");
}

TEST_F(FaultAtRun, CopiesOfASessionShareItsFallback) {
  const Session session = open("run=fail");
  const Session copy = session;
  EXPECT_EQ(answer(copy), right_answer());
  EXPECT_EQ(session.provider(), "cpu");
  EXPECT_THAT(events(session), ElementsAre("faulty run"));
}

TEST_F(FaultAtRun, RetryReturnsToTheProviderWhenTheCauseIsGone) {
  Session session = open("run:1!=fail(device lost)");
  EXPECT_EQ(answer(session), right_answer());
  EXPECT_EQ(session.provider(), "cpu");
  ASSERT_TRUE(session.retry());
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_THAT(events(session), ElementsAre("faulty run"));
}

/// Sessions that are opened before the provider appears.
struct RetryLater : tests::FaultTest {
  void SetUp() override {
    FaultTest::SetUp();
    if (!IsSkipped()) provider.reset();
  }
  Session open_without(ProviderSelection selection = {}) const {
    return Session::open(tests::bytes_of(dense), {.runtime = runtime, .providers = std::move(selection)})
        .value();
  }
};

TEST_F(RetryLater, FindsThePluginThatWasRegisteredSince) {
  std::optional<Session> session = open_without();
  EXPECT_EQ(session->provider(), "cpu");
  const Plan& before = session->plan();
  EXPECT_EQ(before.candidate("faulty"), nullptr);

  const FaultProvider appeared(*runtime);
  ASSERT_TRUE(session->retry());
  EXPECT_EQ(session->provider(), "faulty");
  EXPECT_EQ(answer(*session), right_answer());
  EXPECT_GE(FaultProvider::count("run"), 1);
  EXPECT_NE(session->plan().candidate("faulty"), nullptr);
  EXPECT_EQ(before.candidate("faulty"), nullptr);
  EXPECT_THAT(events(*session), IsEmpty());
  session.reset();
}

TEST_F(RetryLater, FindsTheProviderThatWasPreferredAndAbsentWithItsOptions) {
  std::optional<Session> session =
      open_without({.prefer = {"openvino"}, .options = {{"openvino", {{"device_type", "CPU"}}}}});
  EXPECT_EQ(session->provider(), "cpu");
  ASSERT_NE(session->plan().candidate("openvino"), nullptr);
  EXPECT_EQ(session->plan().candidate("openvino")->verdict, Verdict::Rejected);

  const FaultProvider appeared(*runtime, "", "OpenVINOExecutionProvider");
  ASSERT_TRUE(session->retry());
  EXPECT_EQ(session->provider(), "openvino");
  EXPECT_EQ(session->plan().candidate("openvino")->verdict, Verdict::Viable);
  EXPECT_EQ(session->plan().options("openvino").at("device_type"), "CPU");
  EXPECT_EQ(answer(*session), right_answer());
  EXPECT_GE(FaultProvider::count("run"), 1);
  session.reset();
}

TEST_F(RetryLater, AProviderThatAppearedAndDoesNotOpenIsAnEvent) {
  std::optional<Session> session = open_without();
  const FaultProvider appeared(*runtime, "create=fail(no device)");
  ASSERT_TRUE(session->retry());
  EXPECT_EQ(session->provider(), "cpu");
  EXPECT_THAT(events(*session), ElementsAre("faulty create"));
  EXPECT_EQ(answer(*session), right_answer());
  session.reset();
}

TEST_F(FaultAtRun, AModelPassesOnWhatItsSessionMet) {
  const tests::TestFolder folder;
  ModelOptions options;
  options.session = tests::faulty_options(*runtime, "run=fail");
  Model model = Model::open(folder.write("model.onnx", dense), std::move(options)).value();
  EXPECT_THAT(model.events(), IsEmpty());
  ASSERT_TRUE(model.create_session());
  const Tensor x = Tensor::of<float>({1, 2, 3}, {1, 3}).value();
  ASSERT_TRUE(model.infer({{"x", x}}));
  const auto met = model.events();
  ASSERT_EQ(met.size(), 1u);
  EXPECT_EQ(met.front().candidate, "faulty");
  EXPECT_EQ(met.front().stage, Stage::Run);
}

}  // namespace
}  // namespace surefoot
