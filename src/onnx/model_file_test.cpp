#include "onnx/model_file.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/test_folder.hpp"

namespace surefoot::onnx {

using surefoot::tests::TestFolder;

namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

Error error_at(const fs::path& path) {
  auto file = open_model_file(path);
  return file ? Error{.what = "it was opened"} : file.error();
}

TEST(ModelFile, NamesTheNearestFileWhenThereIsNone) {
  const TestFolder folder;
  folder.write("resnet50.onnx", "x");
  const Error error = error_at(folder / "resnet5O.onnx");
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_THAT(error.what, HasSubstr("resnet5O.onnx` does not exist"));
  EXPECT_THAT(error.hint, HasSubstr("`resnet50.onnx`"));
}

TEST(ModelFile, NamesTheFirstFolderThatIsMissing) {
  const TestFolder folder;
  const Error error = error_at(folder / "here/not/model.onnx");
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_THAT(error.what, HasSubstr("there is no folder `" + (folder / "here").string() + "`"));
}

TEST(ModelFile, NamesTheWorkingFolderForARelativePath) {
  const Error error = error_at("no-such-folder-here/model.onnx");
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_THAT(error.hint, HasSubstr(fs::current_path().string()));
}

TEST(ModelFile, NamesTheTargetOfADanglingLink) {
  const TestFolder folder;
  fs::create_symlink("../blobs/abc", folder / "model.onnx");
  const Error error = error_at(folder / "model.onnx");
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_THAT(error.what, HasSubstr("is a link to `../blobs/abc`, which does not exist"));
}

TEST(ModelFile, RefusesAnEmptyPath) {
  const Error error = error_at("");
  EXPECT_EQ(error.code, ErrorCode::NotFound);
  EXPECT_THAT(error.what, HasSubstr("path of the model is empty"));
}

TEST(ModelFile, RefusesAPathThroughAFile) {
  const TestFolder folder;
  folder.write("file", "x");
  EXPECT_EQ(error_at(folder / "file/model.onnx").code, ErrorCode::NotFound);
}

TEST(ModelFile, NamesTheModelsInAFolder) {
  const TestFolder folder;
  folder.write("m/encoder.onnx", "x");
  folder.write("m/onnx/decoder.onnx", "x");
  folder.write("m/a/b/too_deep.onnx", "x");
  folder.write("m/readme.md", "x");
  const Error error = error_at(folder / "m");
  EXPECT_EQ(error.code, ErrorCode::InvalidModel);
  EXPECT_THAT(error.what, HasSubstr("is a folder; give the .onnx file in it"));
  EXPECT_THAT(error.hint, HasSubstr("m/encoder.onnx` or `"));
  EXPECT_THAT(error.hint, HasSubstr("m/onnx/decoder.onnx`"));
  EXPECT_THAT(error.hint, testing::Not(HasSubstr("too_deep")));
}

TEST(ModelFile, SaysThatAFolderHoldsNoModel) {
  const TestFolder folder;
  const Error error = error_at(folder.path());
  EXPECT_EQ(error.code, ErrorCode::InvalidModel);
  EXPECT_THAT(error.hint, HasSubstr("no .onnx file was found"));
}

TEST(ModelFile, RefusesAPipeWithoutWaitingForIt) {
  const TestFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  const Error error = error_at(folder / "pipe");
  EXPECT_EQ(error.code, ErrorCode::InvalidModel);
  EXPECT_THAT(error.what, HasSubstr("not a plain file"));
}

/// Root may read every file, so that these tests step down from it for a moment.
class AsNobody {
 public:
  AsNobody() : was_root_(::geteuid() == 0), done_(was_root_ && ::seteuid(65534) == 0) {}
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
  ~AsNobody() {
    if (done_ && ::seteuid(0) != 0) std::abort();
  }
  bool holds() const noexcept { return done_ || !was_root_; }

 private:
  bool was_root_, done_;
};

TEST(ModelFile, GivesTheSystemsReasonWhenAFileMayNotBeRead) {
  const TestFolder folder;
  const fs::path file = folder.write("secret.onnx", "x");
  fs::permissions(folder.path(), fs::perms::owner_all | fs::perms::others_exec);
  fs::permissions(file, fs::perms::none);
  const AsNobody nobody;
  if (!nobody.holds()) GTEST_SKIP() << "this system does not let root become another user";
  const Error error = error_at(file);
  EXPECT_EQ(error.code, ErrorCode::IoFailed);
  EXPECT_THAT(error.what, HasSubstr("Permission denied"));
  EXPECT_THAT(error.hint, HasSubstr("read access"));
}

TEST(ModelFile, GivesTheSystemsReasonForALoopOfLinks) {
  const TestFolder folder;
  fs::create_symlink("b.onnx", folder / "a.onnx");
  fs::create_symlink("a.onnx", folder / "b.onnx");
  const Error error = error_at(folder / "a.onnx");
  EXPECT_EQ(error.code, ErrorCode::IoFailed);
  EXPECT_THAT(error.what, HasSubstr("symbolic links"));
}

}  // namespace
}  // namespace surefoot::onnx
