#include "runtime/judge.hpp"

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ort/stub_runtime.hpp"
#include "runtime/elf.hpp"
#include "runtime/stub_library.hpp"
#include "tests/support/runtimes.hpp"

namespace surefoot::runtime {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using tests::main_library;
using tests::test_runtimes;
using tests::TestRuntime;

constexpr std::uint16_t kAarch64 = 183, kX86 = 62;

StubLibrary stub_with_entry() { return {.symbol = "OrtGetApiBase"}; }

/// What open_checked() says of a file that must be refused; nothing may reach stderr meanwhile.
Error refusal(const fs::path& path) {
  ::testing::internal::CaptureStderr();
  const auto library = open_checked(path);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  if (library) {
    ADD_FAILURE() << path << " was opened";
    return {};
  }
  EXPECT_EQ(library.error().code, ErrorCode::RuntimeUnavailable) << library.error().what;
  EXPECT_THAT(library.error().what, HasSubstr("`" + path.string() + "`"));
  EXPECT_NE(library.error().hint, "") << library.error().what;
  return library.error();
}

TEST(OpenChecked, RefusesAFileThatIsNotThere) {
  const TestFolder folder;
  const Error error = refusal(folder.path() / "libonnxruntime.so");
  EXPECT_THAT(error.what, HasSubstr("does not exist"));
  EXPECT_THAT(error.hint, HasSubstr("check the path"));
}

TEST(OpenChecked, RefusesALinkThatLeadsNowhere) {
  const TestFolder folder;
  fs::create_symlink("gone.so", folder.path() / "libonnxruntime.so");
  EXPECT_THAT(refusal(folder.path() / "libonnxruntime.so").what, HasSubstr("does not exist"));
}

TEST(OpenChecked, RefusesAFolderAndNamesTheLibraryInside) {
  const TestFolder folder;
  EXPECT_THAT(refusal(folder.path()).hint, HasSubstr("name the libonnxruntime file itself"));
  write_stub(folder.path() / "libonnxruntime.so.1.31.1", stub_with_entry());
  const Error error = refusal(folder.path());
  EXPECT_THAT(error.what, HasSubstr("is a folder"));
  EXPECT_THAT(error.hint, HasSubstr((folder.path() / "libonnxruntime.so.1.31.1").string()));
}

TEST(OpenChecked, RefusesAPipeAtOnce) {
  const TestFolder folder;
  const fs::path pipe = folder.path() / "libonnxruntime.so";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_THAT(refusal(pipe).what, HasSubstr("not a file"));
}

TEST(OpenChecked, RefusesAFileThatThisUserMayNotRead) {
  if (geteuid() == 0) GTEST_SKIP() << "the superuser may read everything";
  const TestFolder folder;
  const fs::path file = folder.path() / "libonnxruntime.so";
  write_stub(file, stub_with_entry());
  fs::permissions(file, fs::perms::none);
  const Error error = refusal(file);
  EXPECT_THAT(error.what, HasSubstr("Permission denied"));
  EXPECT_THAT(error.hint, HasSubstr("right to read"));
}

TEST(OpenChecked, RefusesATextAndShowsHowItStarts) {
  const TestFolder folder;
  const fs::path file = folder.path() / "libonnxruntime.so";
  write_file(file,
             std::as_bytes(std::span(std::string_view("version https://git-lfs.github.com/spec/v1\n"))));
  EXPECT_THAT(refusal(file).what, AllOf(HasSubstr("not a shared library"), HasSubstr("Git LFS pointer")));
}

TEST(OpenChecked, RefusesAnEmptyFile) {
  const TestFolder folder;
  write_file(folder.path() / "libonnxruntime.so", {});
  EXPECT_THAT(refusal(folder.path() / "libonnxruntime.so").what, HasSubstr("it is empty"));
}

TEST(OpenChecked, RefusesAnotherMachinesLibrary) {
  const TestFolder folder;
  const fs::path file = folder.path() / "libonnxruntime.so";
  const bool arm = machine_of_this_process() == kAarch64;
  StubLibrary stub = stub_with_entry();
  stub.machine = arm ? kX86 : kAarch64;
  write_stub(file, stub);
  const Error error = refusal(file);
  EXPECT_THAT(error.what, HasSubstr(arm ? "is built for x86-64" : "is built for aarch64"));
  EXPECT_THAT(error.hint, HasSubstr(machine_name(machine_of_this_process())));
}

TEST(OpenChecked, RefusesACutOffLibrary) {
  NEED_RUNTIME();
  const TestFolder folder;
  const fs::path file = folder.path() / "libonnxruntime.so";
  fs::copy_file(main_library(), file);
  fs::resize_file(file, fs::file_size(file) / 2);
  const Error error = refusal(file);
  EXPECT_THAT(error.what, HasSubstr("ends at byte"));
  EXPECT_THAT(error.hint, HasSubstr("not copied whole"));
}

TEST(OpenChecked, RefusesALibraryThatNeedsANewerGlibc) {
  if (glibc_version().empty()) GTEST_SKIP() << "this C library is not glibc";
  const TestFolder folder;
  const fs::path file = folder.path() / "libonnxruntime.so";
  StubLibrary stub = stub_with_entry();
  stub.versions = {{"libc.so.6", "GLIBC_2.99"}};
  write_stub(file, stub);
  const Error error = refusal(file);
  EXPECT_THAT(error.what, AllOf(HasSubstr("needs glibc 2.99"), HasSubstr(glibc_version())));
  EXPECT_THAT(error.hint, HasSubstr("older release of the library"));
}

TEST(OpenChecked, RefusesALibraryThatIsNoOrtWithoutLoadingIt) {
  const TestFolder folder;
  const fs::path file = folder.path() / "libonnxruntime.so";
  write_stub(file, {.symbol = "something_else"});
  const Error error = refusal(file);
  EXPECT_THAT(error.what, HasSubstr("exports no `OrtGetApiBase`"));
  EXPECT_THAT(ort::mapped_libraries(), ::testing::Not(Contains(file)));
}

TEST(OpenChecked, RefusesAnOrtThatIsTooOldAndSaysWhichIsNeeded) {
  const TestFolder folder;
  const fs::path file = folder.path() / "libonnxruntime.so";
  WRITE_STUB_RUNTIME(file, {.version = "1.10.0", .newest_api = 10});
  EXPECT_THAT(refusal(file).what, AllOf(HasSubstr("1.10.0"), HasSubstr("1.20")));
}

TEST(OpenChecked, NamesALibraryThatIsMissing) {
  const TestFolder folder;
  const fs::path file = folder.path() / "libonnxruntime.so";
  WRITE_STUB_RUNTIME(file, {.needs = "libsurefoot_gone.so.3"});
  EXPECT_THAT(refusal(file).what, HasSubstr("libsurefoot_gone.so.3"));
}

TEST(Judge, GivesVersionAndProvidersOfWhatCanBeUsed) {
  NEED_RUNTIME();
#ifdef __SANITIZE_ADDRESS__
  // ORT's own statics are never freed; once it is unmapped, no suppression can name them.
  const __lsan::ScopedDisabler orts_statics;
#endif
  for (const TestRuntime& each : test_runtimes()) {
    const RuntimeFound found = judge({each.library, RuntimeOrigin::WellKnown});
    EXPECT_FALSE(found.refused) << to_string(*found.refused);
    EXPECT_EQ(found.version, each.version);
    EXPECT_EQ(found.api_version, ort::minor_version(each.version));
    EXPECT_THAT(found.providers, Contains("CPUExecutionProvider"));
    EXPECT_EQ(found.origin, RuntimeOrigin::WellKnown);
  }
}

TEST(Judge, GivesTheReasonForWhatCannot) {
  const RuntimeFound found = judge({"/absent/libonnxruntime.so", RuntimeOrigin::SystemLoader});
  ASSERT_TRUE(found.refused);
  EXPECT_EQ(found.version, "");
  EXPECT_THAT(found.refused->what, HasSubstr("/absent/libonnxruntime.so"));
}

}  // namespace
}  // namespace surefoot::runtime
