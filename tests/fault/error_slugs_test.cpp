// Failures that the fault-injecting provider makes, found in the catalogue of errors.
#include <sys/wait.h>
#include <unistd.h>

#include "surefoot/explain.hpp"
#include "surefoot/prepared_run.hpp"
#include "surefoot/probe.hpp"
#include "tests/fault/fault_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;

struct ErrorSlugs : tests::FaultTest {
  /// The slugs of a session's events.
  static std::vector<std::string> slugs(const Session& session) {
    std::vector<std::string> slugs;
    for (const FallbackEvent& event : session.events()) slugs.emplace_back(slug_of(event.error));
    return slugs;
  }
};

TEST_F(ErrorSlugs, AProviderThatTakesNothingHasOne) {
  EXPECT_THAT(slugs(open("capability=none")), ElementsAre("provider-took-no-node"));
}

TEST_F(ErrorSlugs, ACapabilityCallThatFailsHasOne) {
  EXPECT_THAT(slugs(open("capability=fail")), ElementsAre("provider-capability-failed"));
}

TEST_F(ErrorSlugs, TheProvidersOwnWordsDecideWhereTheyAreKnown) {
  EXPECT_THAT(slugs(open("create=fail(CUDA failure 100: no CUDA-capable device is detected)")),
              ElementsAre("cuda-no-device"));
  EXPECT_THAT(slugs(open("compile=fail(CUDA failure 2: out of memory)")), ElementsAre("cuda-out-of-memory"));
}

TEST_F(ErrorSlugs, AFailureOfARunHasOne) {
  const Session session = open("run=fail(no kernel image is available for execution on the device)");
  EXPECT_EQ(answer(session), right_answer());
  EXPECT_THAT(slugs(session), ElementsAre("cuda-no-kernel-image"));
}

TEST_F(ErrorSlugs, ANameThatIsTakenHasOne) {
  const auto again = runtime->register_plugin("faulty", tests::fault_ep_library());
  ASSERT_FALSE(again);
  EXPECT_EQ(slug_of(again.error()), "plugin-name-taken");
}

TEST_F(ErrorSlugs, APluginInUseHasOne) {
  const Session session = open("");
  const auto gone = runtime->unregister_plugin("faulty");
  ASSERT_FALSE(gone);
  EXPECT_EQ(slug_of(gone.error()), "plugin-in-use");
}

TEST_F(ErrorSlugs, AProviderWithoutADeviceHasOne) {
  provider.reset();
  tests::FaultProvider deviceless(*runtime, "devices=none", "deviceless");
  const auto session =
      Session::open(tests::bytes_of(dense), {.runtime = runtime, .providers = {.only = {"deviceless"}}});
  ASSERT_FALSE(session);
  EXPECT_EQ(slug_of(session.error()), "provider-no-device") << to_string(session.error());
}

TEST_F(ErrorSlugs, ASessionInAForkedChildHasOne) {
  const Session session = tests::open_or_die(dense, {.runtime = runtime});
  const pid_t child = fork();
  if (child == 0) {
    const Tensor x = Tensor::zeros(ElementType::Float32, {1, 3}).value();
    const auto outputs = session.infer({{"x", x}});
    _exit(!outputs && slug_of(outputs.error()) == "session-after-fork" ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(ErrorSlugs, APreparedRunWithoutSizesHasOne) {
  const auto run = tests::open_or_die(dense, {.runtime = runtime}).prepare({});
  ASSERT_FALSE(run);
  EXPECT_EQ(slug_of(run.error()), "prepared-run-needs-shape");
}

TEST_F(ErrorSlugs, MemoryThatAPreparedRunCannotTakeHasOne) {
  auto run = tests::open_or_die(dense, {.runtime = runtime}).prepare({.shapes = {{"x", {1, 3}}}}).value();
  const Tensor two_rows = Tensor::zeros(ElementType::Float32, {2, 3}).value();
  const auto written = run.write("x", two_rows.view());
  ASSERT_FALSE(written);
  EXPECT_EQ(slug_of(written.error()), "prepared-run-memory-unfit") << written.error().what;
}

TEST_F(ErrorSlugs, APreparedRunThatIsUnderWayHasOne) {
  const Session session = open("run=hang:300");
  PreparedRun run = session.prepare({.shapes = {{"x", {1, 3}}}}).value();
  auto running = run.run_async();
  const auto second = run.run();
  ASSERT_FALSE(second);
  EXPECT_EQ(slug_of(second.error()), "prepared-run-busy");
  EXPECT_TRUE(running.get());
}

TEST(ErrorSlug, ATensorReadAsAnotherTypeHasOne) {
  const auto read = Tensor::zeros(ElementType::Int64, {2}).value().as<float>();
  ASSERT_FALSE(read);
  EXPECT_EQ(slug_of(read.error()), "tensor-read-as-another-type");
}

TEST(ErrorSlug, ATensorOfTheWrongSizeHasOne) {
  const auto made = Tensor::of<float>({1, 2, 3}, {4});
  ASSERT_FALSE(made);
  EXPECT_EQ(slug_of(made.error()), "input-wrong-length");
}

TEST_F(ErrorSlugs, WrongNumbersOfAProbeHaveOne) {
  tests::FaultProvider::set_plan("run=wrong");
  const auto probed = probe(*runtime, "faulty");
  ASSERT_FALSE(probed);
  EXPECT_EQ(slug_of(probed.error()), "provider-wrong-numbers");
}

}  // namespace
}  // namespace surefoot
