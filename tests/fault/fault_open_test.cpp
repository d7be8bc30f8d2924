// Providers that fail while a session is opened, behind ORT's real plugin interface.
#include <thread>

#include "tests/fault/fault_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::FaultProvider;

using FaultAtOpen = tests::FaultTest;

TEST_F(FaultAtOpen, ARegisteredProviderThatWorksIsChosenBeforeCpu) {
  const Session session = open("");
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_THAT(session.providers(), ElementsAre("faulty", "cpu"));
  EXPECT_EQ(answer(session), right_answer());
  EXPECT_THAT(events(session), IsEmpty());
  EXPECT_GE(FaultProvider::count("run"), 1);
}

struct OpenFault {
  const char* name;
  const char* plan;
  const char* stage;
  const char* text;  ///< in the event's error
};
void PrintTo(const OpenFault& fault, std::ostream* out) { *out << fault.plan; }

struct FailingOpen : tests::FaultTest, ::testing::WithParamInterface<OpenFault> {};

TEST_P(FailingOpen, FallsToCpuWithTheReasonAndNeverTouchesTheProviderAgain) {
  const Session session = open(GetParam().plan);
  EXPECT_EQ(session.provider(), "cpu");
  ASSERT_THAT(events(session), ElementsAre(std::string("faulty ") + GetParam().stage));
  const FallbackEvent event = session.events().front();
  EXPECT_EQ(event.error.code, ErrorCode::ProviderFailed);
  EXPECT_THAT(to_string(event.error), HasSubstr(GetParam().text));
  EXPECT_GT(event.elapsed.count(), 0);
  EXPECT_EQ(answer(session), right_answer());
  EXPECT_EQ(answer(session), right_answer());
  EXPECT_EQ(FaultProvider::count("create"), 1);
  EXPECT_EQ(FaultProvider::count("run"), 0);
}

TEST_P(FailingOpen, IsTheErrorWhenTheProviderIsRequired) {
  const auto session = try_open(GetParam().plan, {.only = {"faulty"}});
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::ProviderFailed);
  EXPECT_THAT(to_string(session.error()), HasSubstr(GetParam().text));
  EXPECT_TRUE(try_open("", {.only = {"faulty"}}));
}

INSTANTIATE_TEST_SUITE_P(
    Stages, FailingOpen,
    ::testing::Values(
        OpenFault{"AtCreation", "create=fail", "create", "told to fail at create"},
        OpenFault{"InTheProvidersWords", "create=fail(no kernel image is available)", "create",
                  "no kernel image is available"},
        OpenFault{"AtCapability", "capability=fail", "placement", "could not say which nodes it takes"},
        OpenFault{"TakingNothing", "capability=none", "placement", "took no node of this model"},
        OpenFault{"AtCompile", "compile=fail", "create", "told to fail at compile"},
        OpenFault{"AtState", "state=fail", "create", "told to fail at state"}),
    [](const auto& of) { return std::string(of.param.name); });

TEST_F(FaultAtOpen, ACapabilityFailureCarriesTheCauseThatOrtOnlyLogs) {
  const Session session = open("capability=fail(driver is too old)");
  ASSERT_THAT(events(session), ElementsAre("faulty placement"));
  EXPECT_THAT(to_string(session.events().front().error), HasSubstr("driver is too old"));
}

TEST_F(FaultAtOpen, AnOptionThatTheProviderRefusesIsTheCallersMistakeAndNoReasonToFallBack) {
  const auto session = try_open("create=fail(Unknown provider option: nope)");
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(to_string(session.error()), HasSubstr("Unknown provider option: nope"));
  EXPECT_THAT(session.error().hint, HasSubstr("correct the provider's options"));
}

TEST_F(FaultAtOpen, PlacementThatOrtDoesNotTellIsNotedAndTheProviderKept) {
  // ORT's report leaves out nodes of the provider of this name.
  const FaultProvider named(*runtime, "capability=none", "WebGpuExecutionProvider");
  const Session session =
      tests::open_or_die(dense, {.runtime = runtime, .providers = {.only = {"webgpu", "cpu"}}});
  EXPECT_EQ(session.provider(), "webgpu");
  ASSERT_THAT(events(session), ElementsAre("webgpu placement"));
  EXPECT_TRUE(session.events().front().kept);
  EXPECT_THAT(session.events().front().error.what,
              HasSubstr("whether `webgpu` took any node cannot be known"));
}

TEST_F(FaultAtOpen, ASlowProviderIsWaitedForAndNotGivenUp) {
  const auto begin = std::chrono::steady_clock::now();
  const Session session = open("create=hang:200");
  EXPECT_GE(std::chrono::steady_clock::now() - begin, std::chrono::milliseconds(200));
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_THAT(events(session), IsEmpty());
}

TEST_F(FaultAtOpen, ASlowProviderStallsNoOtherSession) {
  using std::chrono::steady_clock;
  steady_clock::time_point slow_done;
  std::jthread slow([&] {
    const Session session = open("create=hang:1500");
    slow_done = steady_clock::now();
  });
  while (FaultProvider::count("create") == 0) std::this_thread::yield();
  const Session other = open("", {.only = {"cpu"}});
  EXPECT_EQ(answer(other), right_answer());
  const auto other_done = steady_clock::now();
  slow.join();
  EXPECT_LT(other_done, slow_done);
}

TEST_F(FaultAtOpen, TheListenerHearsOfTheEventAsItHappens) {
  std::vector<std::string> heard;
  SessionOptions options = tests::faulty_options(*runtime, "create=fail");
  options.on_event = [&](const FallbackEvent& event) { heard.push_back(event.candidate); };
  ASSERT_TRUE(Session::open(tests::bytes_of(dense), std::move(options)));
  EXPECT_THAT(heard, ElementsAre("faulty"));
}

TEST_F(FaultAtOpen, AnExcludedProviderIsNotTouched) {
  const Session session = open("create=fail", {.exclude = {"faulty"}});
  EXPECT_EQ(session.provider(), "cpu");
  EXPECT_THAT(events(session), IsEmpty());
  EXPECT_EQ(session.plan().candidate("faulty")->reason->what, "excluded by the caller");
  EXPECT_EQ(FaultProvider::count("create"), 0);
}

TEST_F(FaultAtOpen, ANodeThatTheProviderLacksGoesToCpuWithoutAnEvent) {
  const Session session = tests::open_or_die(tests::lookup_model(), {.runtime = runtime});
  EXPECT_EQ(session.provider(), "faulty");
  EXPECT_THAT(events(session), IsEmpty());
  const Tensor index = Tensor::of<std::int64_t>({4, 0}, {2}).value();
  EXPECT_THAT(session.infer({{"index", index}})->as<float>("y").value(), ElementsAre(8, 0));
}

TEST_F(FaultAtOpen, WithoutCpuAPartOfTheModelIsAFailureOfTheProvider) {
  const std::string lookup = tests::lookup_model();
  const auto session =
      Session::open(tests::bytes_of(lookup), {.runtime = runtime, .providers = {.exclude = {"cpu"}}});
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::ProviderFailed);
}

TEST_F(FaultAtOpen, AMisspeltProviderNameIsAnErrorWithTheNearest) {
  const auto session = try_open("", {.prefer = {"fautly"}});
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(to_string(session.error()), HasSubstr("`faulty`"));
}

TEST_F(FaultAtOpen, TheCapabilityOfAPluginIsAskedOnceByAnOpen) {
  const Session session = open("");
  EXPECT_EQ(FaultProvider::count("create"), 1);
  EXPECT_EQ(FaultProvider::count("compile"), 1);
}

}  // namespace
}  // namespace surefoot
