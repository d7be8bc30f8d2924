#include "surefoot/runtime.hpp"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "ort/library.hpp"
#include "ort/stub_runtime.hpp"
#include "runtime/places.hpp"
#include "runtime/stub_library.hpp"
#include "tests/support/runtimes.hpp"

namespace surefoot::runtime {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::ExitedWithCode;
using ::testing::HasSubstr;
using tests::main_library;
using tests::test_runtimes;
using tests::TestRuntime;

/// Loads exactly one file.
Result<Runtime> load(const fs::path& library) { return Runtime::load({.library = library}); }

TEST(LoadRuntime, GivesOneEnvironmentForOneLibrary) {
  NEED_RUNTIME();
  const auto once = load(main_library()), again = load(main_library());
  ASSERT_TRUE(once && again);
  EXPECT_EQ(&once->environment(), &again->environment());
  const auto by_another_name = load(fs::canonical(main_library()));
  ASSERT_TRUE(by_another_name);
  EXPECT_EQ(&by_another_name->environment(), &once->environment());
}

TEST(LoadRuntime, TakesLibrariesOfSeveralVersionsInOneProcess) {
  NEED_RUNTIME();
  for (const TestRuntime& each : test_runtimes()) {
    const auto runtime = load(each.library);
    ASSERT_TRUE(runtime) << to_string(runtime.error());
    EXPECT_EQ(runtime->version(), each.version);
    EXPECT_EQ(runtime->path(), each.library);
    EXPECT_EQ(runtime->api_version(), ort::minor_version(each.version));
    ASSERT_EQ(runtime->searched().size(), 1u);
    EXPECT_TRUE(runtime->searched()[0].chosen);
    EXPECT_EQ(runtime->searched()[0].origin, RuntimeOrigin::Explicit);
  }
}

TEST(LoadRuntime, KeepsTelemetryOffOnceItWasNotAllowed) {
  NEED_RUNTIME();
  const auto runtime = load(main_library());
  ASSERT_TRUE(runtime);
  EXPECT_FALSE(runtime->telemetry_allowed());
  EXPECT_STREQ(std::getenv("ORT_DISABLE_TELEMETRY"), "1");
  const auto later = Runtime::load({.library = main_library(), .allow_telemetry = true});
  ASSERT_TRUE(later);
  EXPECT_FALSE(later->telemetry_allowed());
}

TEST(LoadRuntime, FailsForANamedFileInsteadOfTakingAnother) {
  NEED_RUNTIME();
  const auto runtime = load("/absent/libonnxruntime.so");
  ASSERT_FALSE(runtime);
  EXPECT_EQ(runtime.error().code, ErrorCode::RuntimeUnavailable);
  EXPECT_THAT(runtime.error().what, HasSubstr("/absent/libonnxruntime.so"));
  EXPECT_THAT(runtime.error().doing, ElementsAre(HasSubstr("explicit path")));
}

TEST(LoadRuntime, TriesAgainAfterAFailure) {
  const TestFolder folder;
  const fs::path file = folder.path() / "libonnxruntime.so";
  ASSERT_FALSE(load(file));
  WRITE_STUB_RUNTIME(file);
  EXPECT_TRUE(load(file));
}

// What depends on the environment and on what is mapped happens in a process of its own: the statement
// runs in a new one, which prints to stderr what the parent then looks for. The test's body up to the
// statement runs in both; only the parent makes files.
class ProcessTest : public ::testing::Test {
 protected:
  ProcessTest() : is_child_(std::getenv(kHome) != nullptr) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    if (is_child_) {
      enter(std::getenv(kHome));
    } else {
      home_.emplace();
      setenv(kHome, home_->path().c_str(), 1);
    }
  }
  ~ProcessTest() override { unsetenv(kHome); }

  /// A file below the child's $HOME.
  static fs::path at_home(const std::string& file) { return fs::path(std::getenv(kHome)) / file; }
  /// An ORT in the cache that the quickstart keeps there; the search looks at it late.
  static fs::path in_cache(const std::string& version) {
    return at_home(".cache/surefoot/onnxruntime-" + version + "/capi/libonnxruntime.so");
  }

  const bool is_child_;

 private:
  static constexpr const char* kHome = "SUREFOOT_TEST_HOME";
  static void enter(const char* home) {
    for (const char* name : {"SUREFOOT_ONNXRUNTIME", "ORT_DYLIB_PATH", "VIRTUAL_ENV", "CONDA_PREFIX",
                             "LD_LIBRARY_PATH", "XDG_CACHE_HOME", "PATH"})
      unsetenv(name);
    setenv("HOME", home, 1);
  }
  std::optional<TestFolder> home_;
};

#define GIVEN_RUNTIME(...)                                 \
  if (!is_child_ && !ort::write_stub_runtime(__VA_ARGS__)) \
  GTEST_SKIP() << "no C compiler makes the stub library"

/// Whether the search finds an ORT here whatever the variables say.
bool has_its_own() {
  Surroundings around = Surroundings::real();
  around.mapped.clear();
  around.variable = [](const char*) { return std::optional<std::string>(); };
  return !searched_places(around).empty();
}
#define NEED_A_MACHINE_WITHOUT_ORT() \
  if (has_its_own()) GTEST_SKIP() << "this machine has an ONNX Runtime in one of the system's folders"

[[noreturn]] void finish(const std::string& text) {
  std::fprintf(stderr, "%s\n", text.c_str());
  std::exit(0);
}

std::string listed(const std::vector<RuntimeFound>& all) {
  std::string text;
  for (const RuntimeFound& found : all)
    text += "<" + found.path.string() + " " + found.version + (found.chosen ? " chosen" : "") +
            (found.refused ? " refused" : "") + ">";
  return text;
}

TEST_F(ProcessTest, WithoutAnyOrtSaysSoWithinASecondAndExitsNormally) {
  NEED_A_MACHINE_WITHOUT_ORT();
  EXPECT_EXIT(
      {
        const auto began = std::chrono::steady_clock::now();
        const auto runtime = Runtime::load();
        const bool quick = std::chrono::steady_clock::now() - began < std::chrono::seconds(1);
        finish(runtime ? "found one" : (quick ? "quick: " : "slow: ") + to_string(runtime.error()));
      },
      ExitedWithCode(0),
      AllOf(HasSubstr("quick: no ONNX Runtime library was found; looked in"),
            HasSubstr("system loader: `/usr/lib`"),
            HasSubstr("hint: pip install onnxruntime, or let SUREFOOT_ONNXRUNTIME name")));
}

TEST_F(ProcessTest, ListsEachLibraryWithItsReasonWhenNoneCanBeUsed) {
  NEED_A_MACHINE_WITHOUT_ORT();
  if (!is_child_) write_file(in_cache("1.31.1"), std::as_bytes(std::span("text")));
  GIVEN_RUNTIME(in_cache("1.10.0"), {.version = "1.10.0", .newest_api = 10});
  EXPECT_EXIT(finish(to_string(Runtime::load().error())), ExitedWithCode(0),
              AllOf(HasSubstr("no ONNX Runtime library that was found can be used"),
                    HasSubstr("is not a shared library"),
                    HasSubstr("is ONNX Runtime 1.10.0, at least 1.20 is needed")));
}

TEST_F(ProcessTest, TakesTheFirstUsableLibraryAndRemembersWhyNotTheOthers) {
  NEED_A_MACHINE_WITHOUT_ORT();
  GIVEN_RUNTIME(in_cache("1.32.0"), {.version = "1.32.0", .newest_api = 32, .starts = false});
  GIVEN_RUNTIME(in_cache("1.31.1"));
  GIVEN_RUNTIME(in_cache("1.30.0"), {.version = "1.30.0", .newest_api = 30});
  EXPECT_EXIT(finish(listed(Runtime::load().value().searched())), ExitedWithCode(0),
              HasSubstr("<" + in_cache("1.32.0").string() + " 1.32.0 refused><" +
                        in_cache("1.31.1").string() + " 1.31.1 chosen>"));
}

TEST_F(ProcessTest, UsesTheOrtThatTheProcessHasMappedAlready) {
  GIVEN_RUNTIME(in_cache("1.32.0"), {.version = "1.32.0", .newest_api = 32});
  const fs::path host = at_home("libonnxruntime.so.1");
  GIVEN_RUNTIME(host, {.version = "1.27.9", .newest_api = 27});
  EXPECT_EXIT(
      {
        (void)ort::open_library(host);
        const Runtime runtime = Runtime::load().value();
        finish(runtime.version() + " " + std::string(to_string(runtime.searched()[0].origin)));
      },
      ExitedWithCode(0), "1.27.9 already loaded");
}

TEST_F(ProcessTest, TakesTheLibraryThatAVariableNamesAndNoOther) {
  const fs::path named = at_home("named.so");
  GIVEN_RUNTIME(named, {.version = "1.24.7", .newest_api = 24});
  GIVEN_RUNTIME(in_cache("1.31.1"));
  const auto load_named = [](const fs::path& value) {
    setenv("SUREFOOT_ONNXRUNTIME", value.c_str(), 1);
    const auto runtime = Runtime::load();
    finish(runtime ? runtime->version() : to_string(runtime.error()));
  };
  EXPECT_EXIT(load_named(named), ExitedWithCode(0), "1.24.7");
  EXPECT_EXIT(load_named(at_home("absent.so")), ExitedWithCode(0),
              AllOf(HasSubstr("does not exist"), HasSubstr("named by SUREFOOT_ONNXRUNTIME")));
  EXPECT_EXIT(load_named(""), ExitedWithCode(0), "set but empty");
}

TEST_F(ProcessTest, ALibraryThatIsLoadedIsGivenAtOnceWhileAnotherOneLoads) {
  const fs::path quick = at_home("quick.so"), slow = at_home("slow.so");
  GIVEN_RUNTIME(quick);
  GIVEN_RUNTIME(slow, {.start_ms = 1500});
  EXPECT_EXIT(
      {
        (void)load(quick).value();
        std::atomic<bool> loaded = false;
        std::thread other([&] {
          (void)load(slow).value();
          loaded = true;
        });
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        (void)load(quick).value();
        const bool waited = loaded;
        other.join();
        finish(waited ? "it waited" : "it was given at once");
      },
      ExitedWithCode(0), "it was given at once");
}

TEST_F(ProcessTest, DiscoversAllAndMarksTheOneThatLoadTakes) {
  NEED_A_MACHINE_WITHOUT_ORT();
  GIVEN_RUNTIME(in_cache("1.32.0"), {.version = "2.0.0"});
  GIVEN_RUNTIME(in_cache("1.31.1"));
  GIVEN_RUNTIME(in_cache("1.30.0"), {.version = "1.30.0", .newest_api = 30});
  const auto list = [&](const char* first, const char* second, const char* third) {
    return HasSubstr("<" + in_cache("1.32.0").string() + first + "><" + in_cache("1.31.1").string() + second +
                     "><" + in_cache("1.30.0").string() + third + ">");
  };
  EXPECT_EXIT(finish(listed(Runtime::discover())), ExitedWithCode(0),
              list("  refused", " 1.31.1 chosen", " 1.30.0"));
  EXPECT_EXIT((Runtime::discover(), finish(listed(Runtime::discover()))), ExitedWithCode(0),
              list("  refused", " 1.31.1 chosen", " 1.30.0"));
  EXPECT_EXIT((Runtime::discover(), finish(Runtime::load().value().version())), ExitedWithCode(0), "1.31.1");
  EXPECT_EXIT(finish(listed(Runtime::discover({.library = in_cache("1.30.0")}))), ExitedWithCode(0),
              HasSubstr("<" + in_cache("1.30.0").string() + " 1.30.0 chosen><" + in_cache("1.32.0").string() +
                        "  refused><" + in_cache("1.31.1").string() + " 1.31.1>"));
}

TEST_F(ProcessTest, DiscoversTheOthersWhenAVariableIsEmptyButMarksNone) {
  NEED_A_MACHINE_WITHOUT_ORT();
  GIVEN_RUNTIME(in_cache("1.31.1"));
  EXPECT_EXIT(
      {
        setenv("ORT_DYLIB_PATH", "", 1);
        const auto found = Runtime::discover();
        finish(std::string(to_string(found.at(0).origin)) + listed(found));
      },
      ExitedWithCode(0), HasSubstr("ORT_DYLIB_PATH<  refused><" + in_cache("1.31.1").string() + " 1.31.1>"));
}

TEST_F(ProcessTest, PrintsNothingOfOrtsWhileLoadingAnyOfThem) {
  NEED_RUNTIME();
  for (const TestRuntime& each : test_runtimes())
    EXPECT_EXIT((load(each.library).value(), finish("loaded")), ExitedWithCode(0),
                ::testing::StartsWith("loaded\n"));
}

TEST(RuntimeOrigin, HasANameForEveryPlace) {
  EXPECT_EQ(to_string(RuntimeOrigin::Explicit), "explicit path");
  EXPECT_EQ(to_string(RuntimeOrigin::SurefootVariable), "SUREFOOT_ONNXRUNTIME");
  EXPECT_EQ(to_string(RuntimeOrigin::OrtVariable), "ORT_DYLIB_PATH");
  EXPECT_EQ(to_string(RuntimeOrigin::Mapped), "already loaded");
  EXPECT_EQ(to_string(RuntimeOrigin::Host), "named by the host program");
  EXPECT_EQ(to_string(RuntimeOrigin::BesideLibrary), "beside surefoot");
  EXPECT_EQ(to_string(RuntimeOrigin::PythonEnvironment), "python environment");
  EXPECT_EQ(to_string(RuntimeOrigin::SystemLoader), "system loader");
  EXPECT_EQ(to_string(RuntimeOrigin::WellKnown), "well-known folder");
  EXPECT_EQ(to_string(static_cast<RuntimeOrigin>(99)), "unknown");
}

}  // namespace
}  // namespace surefoot::runtime
