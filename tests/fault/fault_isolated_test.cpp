// Every way in which a provider can end a probe, in a process of its own.
#include "surefoot/isolated_probe.hpp"
#include "tests/fault/fault_fixture.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using namespace std::chrono_literals;

struct IsolatedProbe : tests::FaultTest {
  IsolationOptions isolation() const { return {.folder = folder.path(), .limit = 60s}; }
  ProbeVerdict probed(const std::string& fault, const IsolationOptions& with) const {
    ProbeRequest request{.provider = "faulty"};
    if (!fault.empty()) request.options["fault"] = fault;
    return probe_isolated(*runtime, request, with).value();
  }
  ProbeVerdict probed(const std::string& fault = "") const { return probed(fault, isolation()); }
  /// A session that heeds the verdicts of this test's folder, on the provider with that plan.
  Result<Session> open_heeding(const std::string& fault, ProbePolicy policy, bool required = false) const {
    SessionOptions options = tests::faulty_options(*runtime, fault);
    options.probes = isolation();
    options.probes.policy = policy;
    if (required) options.providers.only = {"faulty"};
    return Session::open(tests::bytes_of(dense), std::move(options));
  }
  tests::TestFolder folder;
};

TEST_F(IsolatedProbe, SaysThatAProviderWorksAndOnWhat) {
  const ProbeVerdict verdict = probed();
  EXPECT_EQ(verdict.outcome, ProbeOutcome::Works) << verdict.what;
  EXPECT_EQ(verdict.what, "");
  EXPECT_THAT(verdict.devices, Not(IsEmpty()));
  EXPECT_EQ(verdict.runtime_version, runtime->version());
  EXPECT_FALSE(verdict.remembered);
}

struct Ending {
  const char* name;
  const char* fault;
  ProbeOutcome outcome;
  const char* text;
};
void PrintTo(const Ending& ending, std::ostream* out) { *out << ending.fault; }
struct IsolatedEnding : IsolatedProbe, ::testing::WithParamInterface<Ending> {};

TEST_P(IsolatedEnding, IsAVerdictAndNeverTheCallersDeath) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  if (GetParam().name == std::string_view("InItsLibrary"))
    GTEST_SKIP() << "the sanitizer's library raises the signal in the place of the provider's";
#endif
  const ProbeVerdict verdict = probed(GetParam().fault);
  EXPECT_EQ(verdict.outcome, GetParam().outcome) << verdict.what;
  EXPECT_THAT(verdict.what, HasSubstr(GetParam().text));
  EXPECT_EQ(verdict.stage, "running");
}

INSTANTIATE_TEST_SUITE_P(
    Faults, IsolatedEnding,
    ::testing::Values(Ending{"Segfault", "run=segv", ProbeOutcome::Crashed, "signal 11 (SIGSEGV) in `"},
                      Ending{"InItsLibrary", "compile=segv", ProbeOutcome::Crashed,
                             "libsurefoot_fault_ep.so"},
                      Ending{"Abort", "create=abort", ProbeOutcome::Crashed, "signal 6 (SIGABRT)"},
                      Ending{"Throw", "run=throw", ProbeOutcome::Crashed, "signal 6 (SIGABRT)"},
                      Ending{"Exit", "capability=exit", ProbeOutcome::Exited,
                             "ended the process with status 42 while running"},
                      Ending{"WrongNumbers", "run=wrong", ProbeOutcome::WrongNumbers, "came out wrong"},
                      Ending{"Fail", "run=fail", ProbeOutcome::Failed, "told to fail at run"},
                      Ending{"FailAtCreation", "create=fail", ProbeOutcome::Failed, "told to fail at create"},
                      Ending{"NoNode", "capability=none", ProbeOutcome::Failed, ""}),
    [](const auto& instance) { return std::string(instance.param.name); });

TEST_F(IsolatedProbe, EndsOneThatHangs) {
  IsolationOptions impatient = isolation();
  impatient.limit = 1500ms;
  const ProbeVerdict verdict = probed("run=hang:60000", impatient);
  EXPECT_EQ(verdict.outcome, ProbeOutcome::Hung);
  EXPECT_THAT(verdict.what, HasSubstr("did not answer within 1500 ms"));
  EXPECT_LT(verdict.elapsed, 20s);
}

TEST_F(IsolatedProbe, DiesAtRegistrationWithoutTheCaller) {
  const tests::EnvironmentVariable fault("FAULTEP", "factories=segv");
  const ProbeVerdict verdict = probed();
  EXPECT_EQ(verdict.outcome, ProbeOutcome::Crashed);
  EXPECT_EQ(verdict.stage, "registering");
}

TEST_F(IsolatedProbe, RemembersUntilItIsAskedAfresh) {
  EXPECT_FALSE(probed("run=segv").remembered);
  const ProbeVerdict again = probed("run=segv");
  EXPECT_TRUE(again.remembered);
  EXPECT_EQ(again.outcome, ProbeOutcome::Crashed);
  EXPECT_FALSE(probed("run=abort").remembered);  // another state: other options
  const auto fresh = probe_isolated(
      *runtime, {.provider = "faulty", .options = {{"fault", "run=segv"}}, .fresh = true}, isolation());
  EXPECT_FALSE(fresh.value().remembered);
}

TEST_F(IsolatedProbe, KeepsWhatALibraryPrintsAway) {
  const tests::EnvironmentVariable talk("FAULTEP_LOG", "1");
  EXPECT_THAT(probed("run=wrong").output, HasSubstr("[fault_ep]"));
}

TEST_F(IsolatedProbe, AKnownCrasherIsRejectedByASessionWithItsReason) {
  (void)probed("run=segv");
  tests::FaultProvider::reset_counts();
  const auto session = open_heeding("run=segv", ProbePolicy::Remember);
  ASSERT_TRUE(session) << to_string(session.error());
  EXPECT_EQ(session->provider(), "cpu");
  EXPECT_EQ(tests::FaultProvider::count("create"), 0);
  EXPECT_EQ(answer(*session), right_answer());
  ASSERT_TRUE(session->plan().candidate("faulty")->reason);
  EXPECT_THAT(session->plan().candidate("faulty")->reason->what, HasSubstr("crashed with signal 11"));
}

TEST_F(IsolatedProbe, ARequiredCrasherIsTheError) {
  (void)probed("run=segv");
  const auto session = open_heeding("run=segv", ProbePolicy::Remember, true);
  ASSERT_FALSE(session);
  EXPECT_THAT(to_string(session.error()), HasSubstr("crashed with signal 11"));
  EXPECT_THAT(to_string(session.error()), HasSubstr("--fresh"));
}

TEST_F(IsolatedProbe, ASessionProbesWhereItIsToldTo) {
  const auto session = open_heeding("run=segv", ProbePolicy::Probe);
  ASSERT_TRUE(session) << to_string(session.error());
  EXPECT_EQ(session->provider(), "cpu");
  EXPECT_EQ(open_heeding("", ProbePolicy::Probe).value().provider(), "faulty");
}

TEST_F(IsolatedProbe, WithoutIsolationNoVerdictIsHeeded) {
  (void)probed("run=wrong");
  EXPECT_EQ(open_heeding("run=wrong", ProbePolicy::Ignore).value().provider(), "faulty");
  EXPECT_EQ(open_heeding("run=wrong", ProbePolicy::Remember).value().provider(), "cpu");
}

TEST_F(IsolatedProbe, AVerdictIsLookedUpInWellUnderAMillisecond) {
  (void)probed("run=segv");
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(probed("run=segv").remembered);
  EXPECT_LT((std::chrono::steady_clock::now() - begin) / 20, 5ms);  // measured: 0.13 ms; machines may be busy
}

TEST_F(IsolatedProbe, SaysWhereItLookedForTheProgram) {
  const auto verdict = probe_isolated(*runtime, {.provider = "faulty"},
                                      {.program = "/nowhere/surefoot-probe", .folder = folder.path()});
  ASSERT_FALSE(verdict);
  EXPECT_EQ(verdict.error().code, ErrorCode::NotFound);
  EXPECT_THAT(verdict.error().what, HasSubstr("/nowhere/surefoot-probe"));
}

}  // namespace
}  // namespace surefoot
