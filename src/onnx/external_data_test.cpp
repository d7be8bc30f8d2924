#include "onnx/external_data.hpp"

#include <gmock/gmock.h>

#include "surefoot/model_info.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot::onnx {

using surefoot::tests::TestFolder;

namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

ModelInfo model_with(const std::string& location, std::uint64_t offset = 0, std::uint64_t bytes = 16) {
  return {.external_data = {{.tensor = "w", .location = location, .offset = offset, .bytes = bytes}}};
}

std::string problem_of(const ModelInfo& info, const fs::path& model) {
  auto checked = check_external_data(info, model);
  if (checked) return {};
  EXPECT_EQ(checked.error().code, ErrorCode::InvalidModel);
  EXPECT_FALSE(checked.error().hint.empty());
  return checked.error().what;
}

TEST(ExternalData, IsFoundBesideTheModelAndInFoldersBelow) {
  const TestFolder folder;
  folder.write("w.bin", std::string(16, 'x'));
  folder.write("data/w.bin", std::string(16, 'x'));
  for (const char* location : {"w.bin", "./w.bin", "data/w.bin", "data/../w.bin"})
    EXPECT_EQ(problem_of(model_with(location), folder / "m.onnx"), "") << location;
}

TEST(ExternalData, MayBeLongerThanWhatIsWanted) {
  const TestFolder folder;
  folder.write("w.bin", std::string(100, 'x'));
  EXPECT_EQ(problem_of(model_with("w.bin", 84), folder / "m.onnx"), "");
}

TEST(ExternalData, IsFoundForAModelInTheWorkingFolder) {
  EXPECT_THAT(problem_of(model_with("no-such-file.bin"), "m.onnx"),
              HasSubstr("`no-such-file.bin` is missing"));
}

TEST(ExternalData, IsLookedForBesideALinkToTheModel) {
  const TestFolder folder;
  folder.write("blobs/model", "x");
  folder.write("blobs/weights", std::string(16, 'x'));
  fs::create_directories(folder / "snapshots/abc");
  fs::create_symlink("../../blobs/model", folder / "snapshots/abc/model.onnx");
  fs::create_symlink("../../blobs/weights", folder / "snapshots/abc/model.onnx_data");
  EXPECT_EQ(problem_of(model_with("model.onnx_data"), folder / "snapshots/abc/model.onnx"), "");
}

TEST(ExternalData, IsNamedWithItsSizeAndUserWhenMissing) {
  const TestFolder folder;
  const std::string text = problem_of(model_with("model.onnx_data", 32, 16), folder / "m.onnx");
  EXPECT_THAT(text, HasSubstr("model.onnx_data` is missing, wanted with 48 bytes for the weight `w`"));
}

TEST(ExternalData, NamesEachMissingFile) {
  const TestFolder folder;
  ModelInfo info = model_with("a.bin");
  info.external_data.push_back({.tensor = "v", .location = "b.bin", .bytes = 4});
  info.external_data.push_back({.tensor = "u", .location = "b.bin", .offset = 4, .bytes = 4});
  const std::string text = problem_of(info, folder / "m.onnx");
  EXPECT_THAT(text, HasSubstr("of which 2 cannot be used"));
  EXPECT_THAT(text, HasSubstr("a.bin` is missing"));
  EXPECT_THAT(text, HasSubstr("b.bin` is missing, wanted with 8 bytes for 2 weights, `v` first"));
}

TEST(ExternalData, NamesAFileOfExactlyTheRightSizeBesideTheMissingOne) {
  const TestFolder folder;
  folder.write("renamed.bin", std::string(48, 'x'));
  folder.write("other.bin", std::string(47, 'x'));
  const std::string text = problem_of(model_with("model.onnx_data", 32, 16), folder / "m.onnx");
  EXPECT_THAT(text, HasSubstr("`renamed.bin` beside it has exactly that size"));
  EXPECT_THAT(text, Not(HasSubstr("other.bin")));
}

TEST(ExternalData, NamesTheTargetOfADanglingLink) {
  const TestFolder folder;
  fs::create_symlink("../blobs/abc", folder / "w.bin");
  EXPECT_THAT(problem_of(model_with("w.bin"), folder / "m.onnx"), HasSubstr("a link to `../blobs/abc`"));
}

TEST(ExternalData, PointsAtABackslashInANameThatIsMissing) {
  const TestFolder folder;
  EXPECT_THAT(problem_of(model_with("data\\w.bin"), folder / "m.onnx"), HasSubstr("ONNX wants `/`"));
}

TEST(ExternalData, TellsHowMuchOfAShortFileIsThere) {
  const TestFolder folder;
  folder.write("w.bin", std::string(10, '\x01'));
  EXPECT_THAT(problem_of(model_with("w.bin"), folder / "m.onnx"), HasSubstr("has 10 bytes, 16 are wanted"));
}

TEST(ExternalData, RecognisesAnLfsPointerInPlaceOfTheData) {
  const TestFolder folder;
  folder.write("w.bin", "version https://git-lfs.github.com/spec/v1\noid sha256:ab\nsize 5000\n");
  EXPECT_THAT(problem_of(model_with("w.bin", 0, 5000), folder / "m.onnx"), HasSubstr("a Git LFS pointer"));
}

TEST(ExternalData, MayNotLieOutsideTheModelsFolder) {
  const TestFolder folder;
  folder.write("w.bin", std::string(16, 'x'));
  fs::create_directories(folder / "m");
  for (const std::string& location :
       {std::string("../w.bin"), std::string("a/../../w.bin"), (folder / "w.bin").string()})
    EXPECT_THAT(problem_of(model_with(location), folder / "m/m.onnx"),
                HasSubstr("outside the model's folder"))
        << location;
}

TEST(ExternalData, NeedsAName) {
  EXPECT_THAT(problem_of(model_with(""), "m.onnx"), HasSubstr("no file is named for the weight `w`"));
}

TEST(ExternalData, IsNoFolder) {
  const TestFolder folder;
  fs::create_directories(folder / "w.bin");
  EXPECT_THAT(problem_of(model_with("w.bin"), folder / "m.onnx"), HasSubstr("is no plain file"));
}

TEST(ExternalData, ThatEndsBeyondAllNumbersIsShort) {
  const TestFolder folder;
  folder.write("w.bin", "x");
  EXPECT_THAT(problem_of(model_with("w.bin", UINT64_MAX, UINT64_MAX), folder / "m.onnx"),
              HasSubstr("18446744073709551615 are wanted"));
}

TEST(ExternalData, IncludesTheFilesOfCompiledParts) {
  const TestFolder folder;
  const ModelInfo info{.ep_contexts = {{.provider = "P", .embedded = false, .file = "m_ctx.bin"}}};
  EXPECT_THAT(problem_of(info, folder / "m.onnx"),
              HasSubstr("m_ctx.bin` is missing for the compiled part of an EPContext node"));
  folder.write("m_ctx.bin", "blob");
  EXPECT_EQ(problem_of(info, folder / "m.onnx"), "");
}

TEST(LeavesFolder, KnowsAbsolutePathsOfEverySystem) {
  for (const char* location : {"/etc/passwd", "\\\\server\\share", "C:\\w.bin", "C:/w.bin", "..", "../w",
                               "a/../../w", "..\\w.bin", "a\\..\\..\\w.bin"})
    EXPECT_TRUE(leaves_folder(location)) << location;
}

TEST(LeavesFolder, AcceptsPathsBelowTheFolder) {
  for (const char* location :
       {"", ".", "w.bin", "a/b/w.bin", "a/../w.bin", "..w", "w..bin", "a//b", "данные.bin"})
    EXPECT_FALSE(leaves_folder(location)) << location;
}

}  // namespace
}  // namespace surefoot::onnx
