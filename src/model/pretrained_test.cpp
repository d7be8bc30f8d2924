#include <gmock/gmock.h>

#include "model/made_up_models.hpp"
#include "tests/support/fault_provider.hpp"

namespace surefoot::model {
namespace {

using ::testing::HasSubstr;

struct PretrainedTest : ::testing::Test {
  PretrainedOptions options() const { return {.cache_folder = folder / "hub"}; }
  tests::TestFolder folder;
};

TEST_F(PretrainedTest, ALocalFolderComesFirst) {
  folder.write("local/unet/model.onnx", dense_builder().bytes());
  const auto model = Model::from_pretrained((folder / "local").string(), {.subfolder = "unet"});
  ASSERT_TRUE(model) << to_string(model.error());
  EXPECT_EQ(model->path(), folder / "local/unet/model.onnx");
  EXPECT_TRUE(model->weights().contains("w"));
}

TEST_F(PretrainedTest, TheHubsCacheIsReadByItsOwnLayout) {
  // The hub keeps content in `blobs`, and links to it in a folder for each commit.
  folder.write("hub/models--org--name/blobs/abc", dense_builder().bytes());
  folder.write("hub/models--org--name/refs/main", "c0ffee");
  std::filesystem::create_directories(folder / "hub/models--org--name/snapshots/c0ffee");
  std::filesystem::create_symlink("../../blobs/abc",
                                  folder / "hub/models--org--name/snapshots/c0ffee/model.onnx");
  const auto model = Model::from_pretrained("org/name", options());
  ASSERT_TRUE(model) << to_string(model.error());
  EXPECT_EQ(model->weights().size(), 2u);
  PretrainedOptions by_commit = options();
  by_commit.revision = "c0ffee";
  EXPECT_TRUE(Model::from_pretrained("org/name", by_commit));
  PretrainedOptions absent = options();
  absent.revision = "v2";
  EXPECT_THAT(Model::from_pretrained("org/name", absent).error().hint,
              HasSubstr("hf download org/name --revision v2"));
}

TEST_F(PretrainedTest, TheHubsOwnVariablesSayWhereItsCacheIs) {
  folder.write("home/hub/models--org--name/snapshots/abc/unet/weights.onnx", dense_builder().bytes());
  folder.write("home/hub/models--org--name/refs/v1", "abc");
  folder.write("cache/models--org--other/snapshots/abc/model.onnx", dense_builder().bytes());
  folder.write("cache/models--org--other/refs/main", "abc");
  const PretrainedOptions part{.subfolder = "unet", .file_name = "weights.onnx", .revision = "v1"};
  const tests::EnvironmentVariable home("HF_HOME", (folder / "home").string());
  {
    const tests::EnvironmentVariable none("HF_HUB_CACHE", "");
    EXPECT_TRUE(Model::from_pretrained("org/name", part));
  }
  const tests::EnvironmentVariable cache("HF_HUB_CACHE", (folder / "cache").string());
  EXPECT_TRUE(Model::from_pretrained("org/other"));
  EXPECT_THAT(Model::from_pretrained("org/name", part).error().what, HasSubstr((folder / "cache").string()));
}

TEST_F(PretrainedTest, AFileThatTheHubsCacheLacksGivesThoseThatItHas) {
  folder.write("hub/models--org--name/snapshots/abc/unet/model.onnx", dense_builder().bytes());
  folder.write("hub/models--org--name/refs/main", "abc");
  const auto model = Model::from_pretrained("org/name", options());
  ASSERT_FALSE(model);
  EXPECT_THAT(model.error().what, HasSubstr("snapshots/abc/model.onnx` does not exist"));
  EXPECT_THAT(model.error().hint, HasSubstr("`unet/model.onnx`"));
}

TEST_F(PretrainedTest, AnAbsentModelIsSaidWithThePathAndTheHubsCommand) {
  const auto model = Model::from_pretrained("org/absent", options());
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::NotFound);
  EXPECT_THAT(model.error().what, HasSubstr("model not found: `org/absent`"));
  EXPECT_THAT(model.error().what, HasSubstr("models--org--absent"));
  EXPECT_THAT(model.error().hint, HasSubstr("hf download org/absent"));
}

TEST_F(PretrainedTest, AnAbsentFileGivesThoseThatAreThere) {
  folder.write("local/unet/model.onnx", dense_builder().bytes());
  const auto model = Model::from_pretrained((folder / "local").string());
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().code, ErrorCode::NotFound);
  EXPECT_THAT(model.error().hint, HasSubstr("`unet/model.onnx`"));
}

TEST_F(PretrainedTest, PathsOutOfTheFolderAreRefused) {
  folder.write("local/model.onnx", dense_builder().bytes());
  for (const auto& wrong :
       {PretrainedOptions{.subfolder = "../local"}, PretrainedOptions{.file_name = "/etc/passwd"},
        PretrainedOptions{.revision = "../../.."}})
    EXPECT_EQ(Model::from_pretrained((folder / "local").string(), wrong).error().code,
              ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace surefoot::model
