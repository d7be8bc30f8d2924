#include "ort/library.hpp"

#include <gmock/gmock.h>

#include <map>

#include "ort/environment.hpp"
#include "ort/stub_runtime.hpp"
#include "runtime/stub_library.hpp"
#include "tests/support/runtimes.hpp"

namespace surefoot::ort {
namespace {

namespace fs = std::filesystem;
using runtime::TestFolder;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Runs `action` and expects that nothing at all was written to stderr by it.
template <class Action>
auto silently(Action action) {
  ::testing::internal::CaptureStderr();
  auto result = action();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  return result;
}

TEST(MinorVersion, IsTheSecondNumberOfAVersionOne) {
  EXPECT_EQ(minor_version("1.31.1"), 31);
  EXPECT_EQ(minor_version("1.9.0"), 9);
  EXPECT_EQ(minor_version("1.23"), 23);
  EXPECT_EQ(minor_version("1.32.0-dev-20261101"), 32);
}

TEST(MinorVersion, IsNothingForAnythingElse) {
  for (const char* text :
       {"", "1", "1.", "1.x", "1.-3", "2.0.0", "10.2.1", "abc", "v1.20.1", "1.99999999999"})
    EXPECT_EQ(minor_version(text), std::nullopt) << text;
}

TEST(OpenLibrary, OpensEveryRealOneAndReadsItsVersion) {
  NEED_RUNTIME();
  for (const tests::TestRuntime& each : tests::test_runtimes()) {
    SCOPED_TRACE(each.library.string());
    const auto library = silently([&] { return open_library(each.library); });
    ASSERT_TRUE(library) << to_string(library.error());
    EXPECT_EQ(library->version, each.version);
    EXPECT_EQ(library->api_version, minor_version(each.version));
    EXPECT_EQ(library->path, each.library);
    EXPECT_EQ(api_of(*library).version(), std::min(library->api_version, kNewestApi));
    EXPECT_EQ(api_of(*library).version_text(), each.version);
  }
}

/// By kind of package; the same from ORT 1.20 to 1.32.
const std::map<std::string, std::vector<std::string>> kCompiledIn = {
    {"cpu", {"AzureExecutionProvider", "CPUExecutionProvider"}},
    {"gpu", {"TensorrtExecutionProvider", "CUDAExecutionProvider", "CPUExecutionProvider"}},
    {"node",
     {"TensorrtExecutionProvider", "CUDAExecutionProvider", "WebGpuExecutionProvider",
      "CPUExecutionProvider"}},
};

TEST(OpenLibrary, ListsTheProvidersThatAreCompiledIn) {
  NEED_RUNTIME();
  for (const tests::TestRuntime& each : tests::test_runtimes()) {
    SCOPED_TRACE(each.library.string());
    const auto library = open_library(each.library);
    ASSERT_TRUE(library);
    const auto providers = silently([&] { return library->providers(); });
    const auto expected = kCompiledIn.find(each.flavour);
    if (expected != kCompiledIn.end()) {
      EXPECT_EQ(providers, expected->second);
    }
    EXPECT_THAT(providers, Contains("CPUExecutionProvider"));
  }
}

TEST(OpenLibrary, GivesTheSameTableTwice) {
  NEED_RUNTIME();
  const auto once = open_library(tests::main_library()), again = open_library(tests::main_library());
  ASSERT_TRUE(once && again);
  EXPECT_EQ(once->base, again->base);
  EXPECT_THAT(mapped_libraries(), Contains(tests::main_library()));
}

TEST(OpenLibrary, TakesANewerOrtThanTheRowsKnow) {
  const TestFolder folder;
  const fs::path file = folder.path() / "libonnxruntime.so";
  WRITE_STUB_RUNTIME(file, {.version = "1.99.0", .newest_api = 99});
  const auto library = silently([&] { return open_library(file); });
  ASSERT_TRUE(library) << to_string(library.error());
  EXPECT_EQ(library->api_version, 99);
  EXPECT_EQ(api_of(*library).version(), kNewestApi);
  EXPECT_THAT(library->providers(), ElementsAre("CPUExecutionProvider"));
}

TEST(OpenLibrary, TakesAFileOfTheWorkingFolderForWhatItIs) {
  const TestFolder folder;
  WRITE_STUB_RUNTIME(folder.path() / "libonnxruntime.so", {.version = "1.27.3", .newest_api = 27});
  const fs::path before = fs::current_path();
  fs::current_path(folder.path());
  const auto library = open_library("libonnxruntime.so");  // a bare name is a search of its own to the loader
  fs::current_path(before);
  ASSERT_TRUE(library) << to_string(library.error());
  EXPECT_EQ(library->version, "1.27.3");
}

struct Refusal {
  StubRuntime stub;
  std::string what;
  std::string hint;
};

TEST(OpenLibrary, RefusesWhatIsNoUsableOrtWithPathCauseAndRemedyAndInSilence) {
  const Refusal refusals[] = {
      {{.version = "1.10.0", .newest_api = 10},
       "is ONNX Runtime 1.10.0, at least 1.20 is needed",
       "--upgrade"},
      {{.version = "1.19.2", .newest_api = 19},
       "is ONNX Runtime 1.19.2, at least 1.20 is needed",
       "--upgrade"},
      {{.has_entry = false}, "is not an ONNX Runtime: it exports no `OrtGetApiBase`", "libonnxruntime.so"},
      {{.has_base = false}, "gives no API table", "another ONNX Runtime"},
      {{.version = "2.0.0"}, "calls itself version `2.0.0`, not 1.x", "1.x"},
      {{.version = "abc"}, "calls itself version `abc`, not 1.x", "1.x"},
      {{.version = ""}, "calls itself version ``, not 1.x", "1.x"},
      {{.needs = "libsurefoot_gone.so.3"},
       "libsurefoot_gone.so.3: cannot open shared object file",
       "install what"},
  };
  const TestFolder folder;
  int number = 0;
  for (const Refusal& each : refusals) {
    SCOPED_TRACE(each.what);
    const fs::path file = folder.path() / std::to_string(number++) / "libonnxruntime.so";
    WRITE_STUB_RUNTIME(file, each.stub);
    const auto library = silently([&] { return open_library(file); });
    ASSERT_FALSE(library);
    EXPECT_EQ(library.error().code, ErrorCode::RuntimeUnavailable);
    EXPECT_THAT(library.error().what, AllOf(HasSubstr(file.string()), HasSubstr(each.what)));
    EXPECT_THAT(library.error().hint, HasSubstr(each.hint));
  }
}

TEST(OpenLibrary, RefusesOneThatDeniesTheApiOfItsOwnVersion) {
  const TestFolder folder;
  const fs::path file = folder.path() / "libonnxruntime.so";
  WRITE_STUB_RUNTIME(file, {.version = "1.26.0", .newest_api = 10});
  ::testing::internal::CaptureStderr();  // it complains, as the real one would
  const auto library = open_library(file);
  EXPECT_NE(::testing::internal::GetCapturedStderr(), "");
  ASSERT_FALSE(library);
  EXPECT_THAT(library.error().what,
              AllOf(HasSubstr(file.string()), HasSubstr("1.26.0"), HasSubstr("refuses API 26")));
}

TEST(OpenLibrary, RefusesAFileThatTheLoaderRefuses) {
  const TestFolder folder;
  const fs::path file = folder.path() / "libonnxruntime.so";
  runtime::write_file(file, std::as_bytes(std::span("not a library")));
  const auto library = silently([&] { return open_library(file); });
  ASSERT_FALSE(library);
  EXPECT_EQ(library.error().code, ErrorCode::RuntimeUnavailable);
  EXPECT_THAT(library.error().what, HasSubstr(file.string()));
  EXPECT_NE(library.error().hint, "");
}

TEST(Environment, IsOneForEachLibraryAndSilent) {
  NEED_RUNTIME();
  for (const tests::TestRuntime& each : tests::test_runtimes()) {
    SCOPED_TRACE(each.library.string());
    const auto library = open_library(each.library);
    ASSERT_TRUE(library);
    const auto once = silently([&] { return Environment::of(*library); });
    ASSERT_TRUE(once) << to_string(once.error());
    EXPECT_EQ(*once, Environment::of(*library).value());
    EXPECT_EQ((*once)->library().version, each.version);
    EXPECT_NE((*once)->cpu_memory(), nullptr);
    EXPECT_NE((*once)->allocator(), nullptr);
  }
}

TEST(Environment, SaysWhyItDoesNotStart) {
  const TestFolder folder;
  const fs::path file = folder.path() / "libonnxruntime.so";
  WRITE_STUB_RUNTIME(file, {.starts = false});
  const auto library = open_library(file);
  ASSERT_TRUE(library);
  const auto environment = Environment::of(*library);
  ASSERT_FALSE(environment);
  EXPECT_EQ(environment.error().code, ErrorCode::RuntimeUnavailable);
  EXPECT_EQ(environment.error().native->text, "the stub does not start");
  EXPECT_THAT(environment.error().doing, ElementsAre("starting ONNX Runtime 1.31.1"));
}

TEST(Environment, RefusesPluginsThatCannotBeRegisteredEachForItsReason) {
  NEED_RUNTIME();
  const TestFolder folder;
  const auto environment = Environment::of(open_library(tests::main_library()).value());
  ASSERT_TRUE(environment);
  const auto absent = (*environment)->register_plugin("absent", folder.path() / "libabsent.so");
  ASSERT_FALSE(absent);
  EXPECT_EQ(absent.error().code, ErrorCode::NotFound);
  const fs::path text = folder.path() / "libtext.so";
  runtime::write_file(text, std::as_bytes(std::span("no library")));
  const auto refused = silently([&] { return (*environment)->register_plugin("text", text); });
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::ProviderFailed);
  EXPECT_THAT(refused.error().native->text, HasSubstr("libtext.so"));
  EXPECT_FALSE((*environment)->has_plugin("text"));
  EXPECT_EQ((*environment)->unregister_plugin("text").error().code, ErrorCode::NotFound);
}

TEST(Environment, HasNoPluginsBeforeTheVersionThatKnowsThem) {
  NEED_RUNTIME();
  for (const tests::TestRuntime& each : tests::test_runtimes()) {
    if (minor_version(each.version) >= 22) continue;
    SCOPED_TRACE(each.version);
    const auto environment = Environment::of(open_library(each.library).value());
    ASSERT_TRUE(environment);
    EXPECT_TRUE((*environment)->devices().empty());
    const auto refused = (*environment)->register_plugin("any", each.library);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
    EXPECT_THAT(refused.error().what, AllOf(HasSubstr(each.version), HasSubstr("1.22")));
  }
}

}  // namespace
}  // namespace surefoot::ort
