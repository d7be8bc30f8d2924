#include "runtime/library_search.hpp"

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "file/mapped_file.hpp"
#include "runtime/ld_cache.hpp"
#include "runtime/stub_library.hpp"
#include "tests/support/environment_variable.hpp"

namespace surefoot::runtime {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// A machine that exists as a folder.
class LibrarySearch : public testing::Test {
 protected:
  void add(const fs::path& file, StubLibrary what = {}) {
    what.soname = file.filename().string();
    write_stub(folder_.path() / file.relative_path(), what);
  }
  void add_text(const fs::path& file, std::string_view text) {
    write_file(folder_.path() / file.relative_path(), std::as_bytes(std::span(text)));
  }
  void add_cache(const std::vector<CachedLibrary>& entries);

  std::vector<MissingLibrary> missing(const fs::path& library) const {
    auto found = missing_libraries(library, paths_);
    EXPECT_TRUE(found) << (found ? "" : to_string(found.error()));
    return found ? *found : std::vector<MissingLibrary>{};
  }
  std::vector<std::string> missing_names(const fs::path& library) const {
    std::vector<std::string> names;
    for (const MissingLibrary& each : missing(library)) names.push_back(each.soname);
    return names;
  }

  TestFolder folder_;
  SearchPaths paths_{.root = folder_.path()};
};

TEST(StampOfSearch, ChangesWithTheFolderTheVariableAndWhatIsLoaded) {
  const TestFolder folder;
  const SearchStamp before = stamp_of_search(folder.path());
  EXPECT_EQ(stamp_of_search(folder.path()), before);
  folder.write("libnew.so", "x");
  const SearchStamp with_file = stamp_of_search(folder.path());
  EXPECT_NE(with_file, before);
  const tests::EnvironmentVariable path("LD_LIBRARY_PATH", "/nowhere");
  const SearchStamp with_variable = stamp_of_search(folder.path());
  EXPECT_NE(with_variable, with_file);
  write_stub(folder / "libloaded.so", {.soname = "libloaded.so"});
  const SearchStamp with_stub = stamp_of_search(folder.path());
  void* loaded = ::dlopen("libanl.so.1", RTLD_NOW);
  ASSERT_NE(loaded, nullptr) << ::dlerror();
  EXPECT_NE(stamp_of_search(folder.path()), with_stub);
  ::dlclose(loaded);
}

std::string cache_bytes(const std::vector<CachedLibrary>& entries) {
  const auto number = [](std::size_t value) {
    const auto narrow = static_cast<std::uint32_t>(value);
    return std::string(reinterpret_cast<const char*>(&narrow), 4);
  };
  std::string strings;
  std::string table;
  const std::size_t start = 48 + 24 * entries.size();
  for (const CachedLibrary& each : entries) {
    table += number(0x0303) + number(start + strings.size());
    strings += each.soname + '\0';
    table += number(start + strings.size()) + std::string(12, '\0');
    strings += each.file + '\0';
  }
  std::string header = "glibc-ld.so.cache1.1" + number(entries.size()) + number(strings.size());
  header.resize(48);
  return header + table + strings;
}

void LibrarySearch::add_cache(const std::vector<CachedLibrary>& entries) {
  add_text("/etc/ld.so.cache", cache_bytes(entries));
}

TEST_F(LibrarySearch, NamesWhatIsMissingAndWhoWantsIt) {
  add("/opt/ort/libprovider.so", {.needed = {"libcudart.so.13", "libcublas.so.13"}});
  const auto found = missing("/opt/ort/libprovider.so");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].soname, "libcudart.so.13");
  EXPECT_EQ(found[0].wanted_by, "/opt/ort/libprovider.so");
  EXPECT_FALSE(found[0].off_path);
  EXPECT_THAT(found[0].other_versions, IsEmpty());
}

TEST_F(LibrarySearch, LooksIntoTheRunpathOfTheWantingLibrary) {
  add("/opt/ort/libprovider.so", {.needed = {"liba.so.1", "libb.so.1"}, .runpath = "$ORIGIN/../a:${ORIGIN}"});
  add("/opt/a/liba.so.1");
  add("/opt/ort/libb.so.1");
  EXPECT_THAT(missing_names("/opt/ort/libprovider.so"), IsEmpty());
}

TEST_F(LibrarySearch, ARunpathDoesNotServeTheLibrariesThatAreNeeded) {
  add("/opt/ort/libprovider.so", {.needed = {"liba.so.1"}, .runpath = "$ORIGIN"});
  add("/opt/ort/liba.so.1", {.needed = {"libb.so.1"}});
  add("/opt/ort/libb.so.1");
  const auto found = missing("/opt/ort/libprovider.so");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].soname, "libb.so.1");
  EXPECT_EQ(found[0].wanted_by, "/opt/ort/liba.so.1");
  EXPECT_EQ(found[0].off_path, "/opt/ort/libb.so.1");
}

TEST_F(LibrarySearch, AnRpathServesThemToo) {
  add("/opt/ort/libprovider.so", {.needed = {"liba.so.1"}, .rpath = "$ORIGIN"});
  add("/opt/ort/liba.so.1", {.needed = {"libb.so.1"}});
  add("/opt/ort/libb.so.1");
  EXPECT_THAT(missing_names("/opt/ort/libprovider.so"), IsEmpty());
}

TEST_F(LibrarySearch, LooksIntoTheFoldersOfTheEnvironment) {
  add("/opt/ort/libprovider.so", {.needed = {"libcudart.so.13"}});
  add("/home/me/cuda/libcudart.so.13");
  EXPECT_THAT(missing_names("/opt/ort/libprovider.so"), ElementsAre("libcudart.so.13"));
  paths_.library_path = "/nowhere:/home/me/cuda";
  EXPECT_THAT(missing_names("/opt/ort/libprovider.so"), IsEmpty());
}

TEST_F(LibrarySearch, LooksIntoTheLoadersCache) {
  add("/opt/ort/libprovider.so", {.needed = {"liba.so.1"}});
  add("/odd/place/liba.so.1");
  add_cache({{"libz.so.1", "/odd/place/libz.so.1"}, {"liba.so.1", "/odd/place/liba.so.1"}});
  EXPECT_THAT(missing_names("/opt/ort/libprovider.so"), IsEmpty());
  EXPECT_EQ(find_library("liba.so.1", "", paths_), "/odd/place/liba.so.1");
}

TEST_F(LibrarySearch, DoesNotBelieveACacheWhoseFileIsGone) {
  add("/opt/ort/libprovider.so", {.needed = {"liba.so.1"}});
  add_cache({{"liba.so.1", "/odd/place/liba.so.1"}});
  EXPECT_THAT(missing_names("/opt/ort/libprovider.so"), ElementsAre("liba.so.1"));
}

TEST_F(LibrarySearch, ReadsTheLoadersConfigurationWhereThereIsNoCache) {
  add("/opt/ort/libprovider.so", {.needed = {"liba.so.1"}});
  add("/odd/place/liba.so.1");
  add_text("/etc/ld.so.conf", "include /etc/ld.so.conf.d/*.conf\n");
  add_text("/etc/ld.so.conf.d/odd.conf", "# a comment\n  /odd/place  \n");
  EXPECT_THAT(missing_names("/opt/ort/libprovider.so"), IsEmpty());
}

TEST_F(LibrarySearch, AConfigurationThatIncludesItselfEnds) {
  add("/opt/ort/libprovider.so", {.needed = {"liba.so.1"}});
  add_text("/etc/ld.so.conf", "include /etc/ld.so.conf\n");
  EXPECT_THAT(missing_names("/opt/ort/libprovider.so"), ElementsAre("liba.so.1"));
}

TEST_F(LibrarySearch, LooksIntoTheSystemsFolders) {
  add("/opt/ort/libprovider.so", {.needed = {"liba.so.1"}});
  add("/usr/lib/liba.so.1");
  EXPECT_THAT(missing_names("/opt/ort/libprovider.so"), IsEmpty());
}

TEST_F(LibrarySearch, TakesWhatIsAlreadyInTheProcess) {
  add("/opt/ort/libprovider.so", {.needed = {"libtorch.so"}});
  paths_.mapped = {"libtorch.so"};
  EXPECT_THAT(missing_names("/opt/ort/libprovider.so"), IsEmpty());
  EXPECT_EQ(find_library("libtorch.so", "", paths_), fs::path());
}

TEST_F(LibrarySearch, PassesOverLibrariesOfOtherArchitectures) {
  add("/opt/ort/libprovider.so", {.needed = {"liba.so.1"}});
  add("/usr/lib/liba.so.1", {.machine = 8});
  EXPECT_THAT(missing_names("/opt/ort/libprovider.so"), ElementsAre("liba.so.1"));
}

TEST_F(LibrarySearch, FindsALibraryInAPythonPackageOffTheLoadersPath) {
  const fs::path packages = "/venv/lib/python3.11/site-packages";
  add(packages / "onnxruntime/capi/libprovider.so", {.needed = {"libcublas.so.13"}});
  add(packages / "nvidia/cu13/lib/libcublas.so.13");
  const auto found = missing(packages / "onnxruntime/capi/libprovider.so");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].off_path, packages / "nvidia/cu13/lib/libcublas.so.13");
}

TEST_F(LibrarySearch, FindsALibraryInTheActivePackageFolderAndInVendorFolders) {
  add("/opt/ort/libprovider.so", {.needed = {"libnvinfer.so.10", "libcudart.so.13"}});
  add("/venv/lib/python3.11/site-packages/tensorrt_libs/libnvinfer.so.10");
  add("/usr/local/cuda-13.0/lib64/libcudart.so.13");
  paths_.packages = {"/venv/lib/python3.11/site-packages"};
  const auto found = missing("/opt/ort/libprovider.so");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].off_path, "/venv/lib/python3.11/site-packages/tensorrt_libs/libnvinfer.so.10");
  EXPECT_EQ(found[1].off_path, "/usr/local/cuda-13.0/lib64/libcudart.so.13");
}

TEST_F(LibrarySearch, FindsTheSameLibraryWithAnotherNumber) {
  add("/opt/ort/libprovider.so", {.needed = {"libcublasLt.so.13", "libcudnn.so.9"}});
  add("/usr/local/cuda-12.8/lib64/libcublasLt.so.12");
  add("/usr/lib/libcudnn.so.8");
  add_cache({{"libcudnn.so.8", "/usr/lib/libcudnn.so.8"}});
  const auto found = missing("/opt/ort/libprovider.so");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_THAT(found[0].other_versions, ElementsAre("/usr/local/cuda-12.8/lib64/libcublasLt.so.12"));
  EXPECT_THAT(found[1].other_versions, ElementsAre("/usr/lib/libcudnn.so.8"));
}

TEST_F(LibrarySearch, FindsALibraryThatLacksTheLinkOfItsName) {
  add("/opt/ort/libprovider.so", {.needed = {"libcudart.so.13"}});
  add("/opt/ort/libcudart.so.13.4.36");
  const auto found = missing("/opt/ort/libprovider.so");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].other_versions, ElementsAre("/opt/ort/libcudart.so.13.4.36"));
}

TEST_F(LibrarySearch, EndsWhenLibrariesNeedEachOther) {
  add("/usr/lib/liba.so.1", {.needed = {"libb.so.1"}});
  add("/usr/lib/libb.so.1", {.needed = {"liba.so.1", "libc0.so.1"}});
  EXPECT_THAT(missing_names("/usr/lib/liba.so.1"), ElementsAre("libc0.so.1"));
}

TEST_F(LibrarySearch, ReportsALibraryThatIsOpenedByName) {
  add("/opt/ort/libonnxruntime.so");
  const auto report = missing_library("libvulkan.so.1", "/opt/ort/libonnxruntime.so", paths_);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->soname, "libvulkan.so.1");
  add("/usr/lib/libvulkan.so.1");
  EXPECT_FALSE(missing_library("libvulkan.so.1", "/opt/ort/libonnxruntime.so", paths_));
}

TEST_F(LibrarySearch, SaysThatTheLibraryItselfIsNone) {
  add_text("/opt/ort/libprovider.so", "version https://git-lfs");
  const auto found = missing_libraries("/opt/ort/libprovider.so", paths_);
  ASSERT_FALSE(found);
  EXPECT_THAT(found.error().what, HasSubstr("Git LFS pointer"));
}

TEST_F(LibrarySearch, AgreesWithTheLoaderOnLibrariesThatItOpens) {
  paths_ = SearchPaths::of_this_process();
  const fs::path good = folder_.path() / "libgood.so";
  write_stub(good, {.soname = "libgood.so", .needed = {"libwhole.so"}, .runpath = "$ORIGIN"});
  write_stub(folder_.path() / "libwhole.so", {.soname = "libwhole.so"});
  EXPECT_THAT(missing_names(good), IsEmpty());
  void* library = dlopen(good.c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  dlclose(library);
}

TEST_F(LibrarySearch, AgreesWithTheLoaderOnLibrariesThatItRefuses) {
  paths_ = SearchPaths::of_this_process();
  const fs::path bad = folder_.path() / "libbad.so";
  write_stub(bad, {.soname = "libbad.so", .needed = {"libsurefoot-absent.so.13"}, .runpath = "$ORIGIN"});
  EXPECT_THAT(missing_names(bad), ElementsAre("libsurefoot-absent.so.13"));
  ASSERT_EQ(dlopen(bad.c_str(), RTLD_NOW | RTLD_LOCAL), nullptr);
  EXPECT_THAT(dlerror(), HasSubstr("libsurefoot-absent.so.13"));
}

TEST(SearchPathsOfThisProcess, KnowTheCLibraryAndTheEnvironment) {
  ASSERT_EQ(setenv("LD_LIBRARY_PATH", "/surefoot/test", 1), 0);
  const auto paths = SearchPaths::of_this_process();
  unsetenv("LD_LIBRARY_PATH");
  EXPECT_EQ(paths.library_path, "/surefoot/test");
  EXPECT_THAT(paths.mapped, Contains("libc.so.6"));
}

TEST(ParseLoaderCache, ReadsPathsBehindACacheInTheOldFormat) {
  const std::string text =
      "ld.so-1.7.0" + std::string(21, '\0') + cache_bytes({{"liba.so.1", "/a/liba.so.1"}});
  const auto cache = parse_loader_cache(std::as_bytes(std::span(text)));
  ASSERT_EQ(cache.size(), 1U);
  EXPECT_EQ(cache[0].soname, "liba.so.1");
  EXPECT_EQ(cache[0].file, "/a/liba.so.1");
}

TEST(ParseLoaderCache, SurvivesACutAtEveryByteAndEveryByteBeingWrong) {
  const std::string whole = cache_bytes({{"liba.so.1", "/a/liba.so.1"}, {"libb.so.1", "/b/libb.so.1"}});
  for (std::size_t i = 0; i < whole.size(); ++i) {
    EXPECT_LE(parse_loader_cache(std::as_bytes(std::span(whole.data(), i))).size(), 2U);
    std::string wrong = whole;
    wrong[i] = '\xff';
    EXPECT_LE(parse_loader_cache(std::as_bytes(std::span(wrong))).size(), 2U);
  }
}

}  // namespace
}  // namespace surefoot::runtime
