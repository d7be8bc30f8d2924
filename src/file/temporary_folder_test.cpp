#include "file/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace surefoot::file {
namespace {

TEST(TemporaryFolder, GoesWithAllThatLiesInIt) {
  std::filesystem::path path;
  {
    auto folder = TemporaryFolder::make("surefoot-test");
    ASSERT_TRUE(folder) << to_string(folder.error());
    path = folder->path();
    std::ofstream(path / "file") << "text";
    EXPECT_TRUE(std::filesystem::exists(path / "file"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryFolder, IsAnotherOneEachTime) {
  const auto one = TemporaryFolder::make("surefoot-test"), other = TemporaryFolder::make("surefoot-test");
  ASSERT_TRUE(one && other);
  EXPECT_NE(one->path(), other->path());
}

}  // namespace
}  // namespace surefoot::file
