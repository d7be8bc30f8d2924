#include "file/new_file.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "file/mapped_file.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot::file {
namespace {

using surefoot::tests::TestFolder;
namespace fs = std::filesystem;

std::string content_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::size_t entries_in(const fs::path& folder) {
  return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(NewFile, TakesItsNameOnlyWhenComplete) {
  const TestFolder folder;
  auto file = NewFile::create(folder / "a.onnx");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("some ") && file->write("bytes"));
  EXPECT_FALSE(fs::exists(folder / "a.onnx"));
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(content_of(folder / "a.onnx"), "some bytes");
  EXPECT_EQ(entries_in(folder.path()), 1u);
}

TEST(NewFile, LeavesNothingBehindWhenItIsNotCommitted) {
  const TestFolder folder;
  {
    auto file = NewFile::create(folder.write("a.onnx", "old"));
    ASSERT_TRUE(file);
    ASSERT_TRUE(file->write("new"));
  }
  EXPECT_EQ(content_of(folder / "a.onnx"), "old");
  EXPECT_EQ(entries_in(folder.path()), 1u);
}

TEST(NewFile, LeavesAMappingOfTheOldFileAsItWas) {
  const TestFolder folder;
  auto mapped = MappedFile::open(folder.write("a.onnx", "old bytes"));
  auto file = NewFile::create(folder / "a.onnx");
  ASSERT_TRUE(mapped && file);
  ASSERT_TRUE(file->write("n") && file->commit());
  EXPECT_EQ(reinterpret_cast<const char*>(mapped->bytes().data())[8], 's');
  EXPECT_EQ(content_of(folder / "a.onnx"), "n");
}

TEST(NewFile, ReplacesALinkAndNotWhatItLeadsTo) {
  const TestFolder folder;
  folder.write("blob", "kept");
  fs::create_symlink("blob", folder / "a.onnx");
  auto file = NewFile::create(folder / "a.onnx");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("new") && file->commit());
  EXPECT_EQ(content_of(folder / "blob"), "kept");
  EXPECT_EQ(content_of(folder / "a.onnx"), "new");
}

TEST(NewFile, KeepsThePermissionsOfTheFileThatItReplaces) {
  const TestFolder folder;
  folder.write("a.onnx", "old");
  fs::permissions(folder / "a.onnx", fs::perms::owner_read | fs::perms::owner_write);
  auto file = NewFile::create(folder / "a.onnx");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(fs::status(folder / "a.onnx").permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(NewFile, PadsWithZeros) {
  const TestFolder folder;
  auto file = NewFile::create(folder / "data");
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->write("a") && file->pad_to(4) && file->write("b"));
  EXPECT_EQ(file->written(), 5u);
  ASSERT_TRUE(file->commit());
  EXPECT_EQ(content_of(folder / "data"), std::string("a\0\0\0b", 5));
}

TEST(NewFile, SaysThatThereIsNoFolder) {
  const TestFolder folder;
  auto file = NewFile::create(folder / "absent" / "a.onnx");
  ASSERT_FALSE(file);
  EXPECT_EQ(file.error().code, ErrorCode::IoFailed);
  EXPECT_NE(file.error().what.find("cannot be written"), std::string::npos);
}

TEST(NewFile, RefusesAFolder) {
  const TestFolder folder;
  auto file = NewFile::create(folder.path());
  ASSERT_FALSE(file);
  EXPECT_NE(file.error().what.find("is a folder"), std::string::npos);
}

}  // namespace
}  // namespace surefoot::file
