#include "file/new_files.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <sstream>

#include "tests/support/test_folder.hpp"

namespace surefoot::file {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
namespace fs = std::filesystem;

struct NewFilesTest : ::testing::Test {
  NewFiles made() const {
    auto files = NewFiles::create(main);
    EXPECT_TRUE(files) << to_string(files.error());
    return *std::move(files);
  }
  static void fill(const NewFiles& files) {
    std::ofstream(files.folder() / "m.bin") << "weights";
    std::ofstream(files.main()) << "model";
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& item : fs::directory_iterator(folder.path()))
      found.push_back(item.path().filename().string());
    return found;
  }
  static std::string content_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  static unsigned mode_of(const fs::path& path) {
    struct stat facts {};
    ::stat(path.c_str(), &facts);
    return facts.st_mode & 0777;
  }
  /// As a process leaves it that is killed: its lock goes with it.
  fs::path abandoned(const std::string& name) const {
    fs::create_directory(folder / name);
    folder.write(name + "/m.onnx", "model");
    folder.write(name + "/m.bin", "weights");
    return folder / name;
  }

  tests::TestFolder folder;
  fs::path main = folder / "m.onnx";
};

TEST_F(NewFilesTest, GetTheirNamesAllAtOnceTheMainOneFirstInTheList) {
  NewFiles files = made();
  fill(files);
  EXPECT_FALSE(fs::exists(main));
  const auto places = files.commit();
  ASSERT_TRUE(places) << to_string(places.error());
  EXPECT_THAT(*places, ElementsAre(main, folder / "m.bin"));
  EXPECT_EQ(content_of(main), "model");
  EXPECT_EQ(content_of(folder / "m.bin"), "weights");
}

TEST_F(NewFilesTest, LeaveNothingElseBehind) {
  {
    NewFiles files = made();
    fill(files);
    ASSERT_TRUE(files.commit());
  }
  EXPECT_THAT(names(), UnorderedElementsAre("m.onnx", "m.bin"));
}

TEST_F(NewFilesTest, AreGoneWhenTheyWereNotCommitted) {
  fill(made());
  EXPECT_THAT(names(), IsEmpty());
}

TEST_F(NewFilesTest, HaveThePermissionsOfANewFileWhoeverWroteThem) {
  const mode_t before = ::umask(027);
  NewFiles files = made();
  fill(files);
  ::chmod(files.main().c_str(), 0600);
  const auto places = files.commit();
  ::umask(before);
  ASSERT_TRUE(places) << to_string(places.error());
  EXPECT_EQ(mode_of(main), 0640u);
  EXPECT_EQ(mode_of(folder / "m.bin"), 0640u);
}

TEST_F(NewFilesTest, AreRefusedWhereTheMainFileExists) {
  folder.write("m.onnx", "mine");
  const auto files = NewFiles::create(main);
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code, ErrorCode::InvalidArgument);
  EXPECT_THAT(files.error().what, HasSubstr("m.onnx` exists already"));
}

TEST_F(NewFilesTest, AreRefusedWhereALinkToNothingHasTheName) {
  fs::create_symlink("nowhere", main);
  EXPECT_FALSE(NewFiles::create(main));
}

TEST_F(NewFilesTest, NeverTakeThePlaceOfAFileThatCameMeanwhile) {
  NewFiles files = made();
  fill(files);
  folder.write("m.onnx", "mine");
  const auto places = files.commit();
  ASSERT_FALSE(places);
  EXPECT_EQ(places.error().code, ErrorCode::InvalidArgument);
  EXPECT_EQ(content_of(main), "mine");
  EXPECT_FALSE(fs::exists(folder / "m.bin"));
}

TEST_F(NewFilesTest, NeverTakeThePlaceOfAnotherFileBeside) {
  folder.write("m.bin", "mine");
  NewFiles files = made();
  fill(files);
  EXPECT_FALSE(files.commit());
  EXPECT_EQ(content_of(folder / "m.bin"), "mine");
  EXPECT_FALSE(fs::exists(main));
}

TEST_F(NewFilesTest, AreRefusedWithoutTheMainFileAndWithFoldersAmongThem) {
  NewFiles files = made();
  EXPECT_FALSE(files.commit());
  fill(files);
  fs::create_directory(files.folder() / "inner");
  EXPECT_FALSE(files.commit());
  EXPECT_FALSE(fs::exists(main));
}

TEST_F(NewFilesTest, AreRefusedInAFolderThatIsNotThere) {
  const auto files = NewFiles::create(folder / "none" / "m.onnx");
  ASSERT_FALSE(files);
  EXPECT_EQ(files.error().code, ErrorCode::IoFailed);
  EXPECT_EQ(files.error().hint, "make the folder first");
}

TEST_F(NewFilesTest, ClearAwayWhatAKilledProcessLeft) {
  const fs::path left = abandoned(".m.onnx.999999-0.part");
  fs::create_hard_link(left / "m.bin", folder / "m.bin");
  NewFiles files = made();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_FALSE(fs::exists(folder / "m.bin"));
  fill(files);
  EXPECT_TRUE(files.commit());
}

TEST_F(NewFilesTest, LeaveWhatAnotherOneIsWritingAlone) {
  NewFiles first = made();
  fill(first);
  NewFiles second = made();
  fill(second);
  EXPECT_TRUE(second.commit());
  EXPECT_FALSE(first.commit());
}

TEST_F(NewFilesTest, KeepTheNamesOfWhatWasPutInPlaceWholeAndMovedSince) {
  const fs::path left = abandoned(".m.onnx.999999-0.part");
  fs::create_hard_link(left / "m.bin", folder / "m.bin");
  fs::create_hard_link(left / "m.onnx", folder / "moved.onnx");
  const NewFiles files = made();
  EXPECT_TRUE(fs::exists(folder / "m.bin"));
  EXPECT_TRUE(fs::exists(folder / "moved.onnx"));
  EXPECT_FALSE(fs::exists(left));
}

}  // namespace
}  // namespace surefoot::file
