// Registering and unregistering plugin libraries, and several of them in one plan.
#include "tests/fault/fault_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::Contains;
using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using tests::FaultProvider;
using tests::main_runtime;

struct PluginLifetime : ::testing::Test {
  void SetUp() override { NEED_FAULT_EP(); }
  std::string dense = tests::dense_model();
  Result<Session> open(SessionOptions options) const {
    return Session::open(tests::bytes_of(dense), std::move(options));
  }
  static std::string answer(const Session& session) { return tests::FaultTest::answer(session); }
  static std::vector<std::string> events(const Session& session) { return tests::FaultTest::events(session); }
};

TEST_F(PluginLifetime, AFactoryThatFailsIsAnErrorOfRegistering) {
  const tests::EnvironmentVariable plan("FAULTEP", "factories=fail(licence has run out)");
  Runtime runtime = main_runtime();
  const auto registered = runtime.register_plugin("faulty", tests::fault_ep_library());
  ASSERT_FALSE(registered);
  EXPECT_EQ(registered.error().code, ErrorCode::ProviderFailed);
  EXPECT_THAT(to_string(registered.error()), HasSubstr("licence has run out"));
  EXPECT_THAT(runtime.plugins(), IsEmpty());
}

TEST_F(PluginLifetime, AFailureToListDevicesIsAnErrorOfRegistering) {
  const tests::EnvironmentVariable plan("FAULTEP", "devices=fail");
  Runtime runtime = main_runtime();
  const auto registered = runtime.register_plugin("faulty", tests::fault_ep_library());
  ASSERT_FALSE(registered);
  EXPECT_THAT(to_string(registered.error()), HasSubstr("told to fail at devices"));
}

TEST_F(PluginLifetime, AMissingLibraryIsNamed) {
  Runtime runtime = main_runtime();
  const auto registered = runtime.register_plugin("faulty", "/no/such/library.so");
  ASSERT_FALSE(registered);
  EXPECT_EQ(registered.error().code, ErrorCode::NotFound);
  EXPECT_THAT(registered.error().what, HasSubstr("/no/such/library.so"));
}

TEST_F(PluginLifetime, ANameIsTakenOnce) {
  Runtime runtime = main_runtime();
  const FaultProvider first(runtime);
  const auto again = runtime.register_plugin("faulty", tests::fault_ep_library());
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::InvalidArgument);
}

TEST_F(PluginLifetime, APluginWithoutDevicesIsAnEvent) {
  const Runtime runtime = main_runtime();
  const FaultProvider none(runtime, "devices=none");
  const auto session = open({.runtime = runtime});
  ASSERT_TRUE(session);
  EXPECT_EQ(session->provider(), "cpu");
  ASSERT_THAT(events(*session), ElementsAre("faulty register"));
  EXPECT_EQ(session->events().front().error.what, "provider `faulty` offers no device on this machine");
}

TEST_F(PluginLifetime, APluginWithoutDevicesThatIsRequiredIsAnError) {
  const Runtime runtime = main_runtime();
  const FaultProvider none(runtime, "devices=none");
  const auto session = open({.runtime = runtime, .providers = {.only = {"faulty"}}});
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::ProviderFailed);
  EXPECT_EQ(session.error().what, "provider `faulty` offers no device on this machine");
}

TEST_F(PluginLifetime, APluginThatIsGoneIsUnknownAgain) {
  const Runtime runtime = main_runtime();
  { const FaultProvider provider(runtime); }
  const auto session = open({.runtime = runtime, .providers = {.prefer = {"faulty"}}});
  ASSERT_FALSE(session);
  EXPECT_EQ(session.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(open({.runtime = runtime})->provider(), "cpu");
}

TEST_F(PluginLifetime, ALibraryIsNotUnregisteredWhileASessionLives) {
  Runtime runtime = main_runtime();
  const FaultProvider provider(runtime);
  {
    const auto session = open({.runtime = runtime});
    ASSERT_TRUE(session);
    const auto refused = runtime.unregister_plugin("faulty");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::InvalidState);
    EXPECT_THAT(refused.error().what, HasSubstr("while 1 session is open"));
    EXPECT_EQ(answer(*session), tests::FaultTest::right_answer());
  }
  EXPECT_TRUE(runtime.unregister_plugin("faulty"));
  EXPECT_THAT(runtime.plugins(), Not(Contains("faulty")));
  ASSERT_TRUE(runtime.register_plugin("faulty", tests::fault_ep_library()));
  EXPECT_EQ(open({.runtime = runtime})->provider(), "faulty");
}

TEST_F(PluginLifetime, UnregisteringAnUnknownNameIsAnError) {
  const auto refused = main_runtime().unregister_plugin("nobody");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::NotFound);
}

/// The same library under two names: two providers in one plan.
struct TwoPlugins : PluginLifetime {
  SessionOptions options(const std::string& first_plan, const std::string& second_plan) const {
    SessionOptions options{.runtime = main_runtime(), .providers = {.prefer = {"first", "second"}}};
    if (!first_plan.empty()) options.providers.options["first"]["fault"] = first_plan;
    if (!second_plan.empty()) options.providers.options["second"]["fault"] = second_plan;
    return options;
  }
};

TEST_F(TwoPlugins, TheSecondTakesOverFromTheFirst) {
  const FaultProvider first(main_runtime(), "", "first"), second(main_runtime(), "", "second");
  const auto session = open(options("run:2=fail", ""));
  ASSERT_TRUE(session);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(answer(*session), tests::FaultTest::right_answer());
  EXPECT_EQ(session->provider(), "second");
  EXPECT_THAT(events(*session), ElementsAre("first run"));
}

TEST_F(TwoPlugins, BothMayFailOnTheWayToCpu) {
  const FaultProvider first(main_runtime(), "", "first"), second(main_runtime(), "", "second");
  const auto session = open(options("run=fail", "create=fail"));
  ASSERT_TRUE(session);
  EXPECT_EQ(answer(*session), tests::FaultTest::right_answer());
  EXPECT_EQ(session->provider(), "cpu");
  EXPECT_THAT(events(*session), ElementsAre("first run", "second create"));
}

TEST_F(TwoPlugins, WithoutCpuASessionWhoseProvidersAllFailedSaysSoUntilItIsToldToTryAgain) {
  const FaultProvider first(main_runtime(), "", "first"),
      second(main_runtime(), "run=fail(device lost)", "second");
  SessionOptions wanted = options("", "");
  wanted.providers.exclude = {"cpu"};
  auto session = open(std::move(wanted));
  ASSERT_TRUE(session);
  for (int i = 0; i < 3; ++i) {
    const std::string text = answer(*session);
    EXPECT_THAT(text, HasSubstr("no candidate provider works"));
    EXPECT_THAT(text, ContainsRegex("\n  first  failed: .*device lost\n  second  failed: .*device lost"));
  }
  EXPECT_EQ(session->provider(), "");
  EXPECT_THAT(session->providers(), IsEmpty());
  EXPECT_THAT(events(*session), ElementsAre("first run", "second run"));
  EXPECT_EQ(session->info().outputs.front().name, "y");
  EXPECT_EQ(FaultProvider::count("run"), 2);

  FaultProvider::set_plan("compile=fail(still gone)");
  const auto still = session->retry();
  ASSERT_FALSE(still);
  EXPECT_THAT(to_string(still.error()), HasSubstr("still gone"));

  FaultProvider::set_plan("");
  ASSERT_TRUE(session->retry());
  EXPECT_EQ(answer(*session), tests::FaultTest::right_answer());
  EXPECT_EQ(session->provider(), "first");
}

}  // namespace
}  // namespace surefoot
