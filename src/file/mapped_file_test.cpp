#include "file/mapped_file.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/test_folder.hpp"

namespace surefoot::file {
namespace {

using surefoot::tests::TestFolder;
namespace fs = std::filesystem;

std::string_view text_of(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

TEST(MappedFile, HoldsTheFilesBytes) {
  const TestFolder folder;
  auto file = MappedFile::open(folder.write("a.onnx", "some bytes"));
  ASSERT_TRUE(file);
  EXPECT_EQ(text_of(*file), "some bytes");
}

TEST(MappedFile, HoldsNothingForAnEmptyFile) {
  const TestFolder folder;
  auto file = MappedFile::open(folder.write("empty.onnx", ""));
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->bytes().empty());
}

TEST(MappedFile, KeepsItsBytesWhenMoved) {
  const TestFolder folder;
  auto opened = MappedFile::open(folder.write("a.onnx", "first"));
  auto other = MappedFile::open(folder.write("b.onnx", "second"));
  ASSERT_TRUE(opened && other);
  MappedFile moved(std::move(*opened));
  EXPECT_EQ(text_of(moved), "first");
  moved = std::move(*other);
  EXPECT_EQ(text_of(moved), "second");
}

TEST(MappedFile, OfFewBytesIsReadAndDoesNotChangeWithTheFile) {
  const TestFolder folder;
  const auto path = folder.write("few", "abc");
  const auto read = MappedFile::open(path, 3);
  const auto mapped = MappedFile::open(path, 2);
  ASSERT_TRUE(read && mapped);
  std::fstream(path, std::ios::in | std::ios::out) << "X";
  EXPECT_EQ(text_of(*read), "abc");
  EXPECT_EQ(text_of(*mapped), "Xbc");
  read->forget(0, 3);
  EXPECT_EQ(text_of(*read), "abc");
}

TEST(MappedFile, CanBeReadAgainAfterForgetting) {
  const TestFolder folder;
  const std::string content(100'000, 'x');
  auto file = MappedFile::open(folder.write("a.onnx", content));
  ASSERT_TRUE(file);
  file->forget(0, content.size());
  file->forget(50'000, content.size() + 1);
  EXPECT_EQ(text_of(*file), content);
}

TEST(MappedFile, OpensNamesInAnyScriptWithBlanksAndLineBreaks) {
  const TestFolder folder;
  for (const char8_t* name :
       {u8"модель.onnx", u8"模型/モデル.onnx", u8"with blank.onnx", u8"line\nbreak.onnx"}) {
    auto file = MappedFile::open(folder.write(fs::path(name), "x"));
    EXPECT_TRUE(file) << fs::path(name);
  }
}

TEST(MappedFile, FollowsALink) {
  const TestFolder folder;
  folder.write("blobs/abc", "content");
  fs::create_symlink("blobs/abc", folder / "model.onnx");
  auto file = MappedFile::open(folder / "model.onnx");
  ASSERT_TRUE(file);
  EXPECT_EQ(text_of(*file), "content");
}

TEST(MappedFile, SaysWhatIsThereInsteadOfAFile) {
  const TestFolder folder;
  auto opened = MappedFile::open(folder.path());
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::IoFailed);
  EXPECT_NE(opened.error().what.find("is a folder, not a file"), std::string::npos);
}

TEST(MappedFile, SaysThatThereIsNoFile) {
  const TestFolder folder;
  auto opened = MappedFile::open(folder / "absent");
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace surefoot::file
