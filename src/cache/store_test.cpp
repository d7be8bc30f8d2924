#include "cache/store.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <thread>

#include "tests/support/test_folder.hpp"

namespace surefoot::cache {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

struct StoreTest : ::testing::Test {
  void put(const Digest& key, const std::string& content, const Notes& notes = {}) const {
    Draft draft = store.draft().value();
    std::ofstream(draft.folder() / "model.onnx") << content;
    ASSERT_TRUE(store.commit(std::move(draft), key, notes));
  }
  std::filesystem::path file_of(const Digest& key) const {
    return folder / "cache/entries" / key / "model.onnx";
  }
  std::vector<std::string> keys() const {
    std::vector<std::string> keys;
    for (const Entry& entry : store.entries()) keys.push_back(entry.key);
    return keys;
  }

  tests::TestFolder folder;
  Store store{folder / "cache", 1000};
};

TEST_F(StoreTest, GivesBackWhatWasStored) {
  put("a", "content", {{"model", "a model.onnx"}});
  const auto entry = store.find("a").value();
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->bytes, 7U);
  EXPECT_EQ(entry->notes.at("model"), "a model.onnx");
  EXPECT_TRUE(std::filesystem::exists(entry->folder / "model.onnx"));
}

TEST_F(StoreTest, HasNothingAtFirst) {
  EXPECT_FALSE(store.find("a").value());
  EXPECT_THAT(store.entries(), SizeIs(0));
  EXPECT_EQ(store.clear(), 0U);
}

TEST_F(StoreTest, DropsAnEntryWhoseFileWasChanged) {
  put("a", "content");
  std::ofstream(file_of("a")) << "CONTENT";
  const auto found = store.find("a");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, ErrorCode::InvalidModel);
  EXPECT_THAT(found.error().what, HasSubstr("model.onnx` is not what was stored"));
  EXPECT_FALSE(store.find("a").value());
}

TEST_F(StoreTest, TakesACopyOfItsFolderByTheDigests) {
  put("a", "content");
  std::filesystem::copy(folder / "cache", folder / "copy", std::filesystem::copy_options::recursive);
  const Store copy(folder / "copy", 1000);
  EXPECT_TRUE(copy.find("a").value());
  std::ofstream(folder / "copy/entries/a/model.onnx") << "CONTENT";
  EXPECT_FALSE(copy.find("a"));
}

TEST_F(StoreTest, DropsAnEntryWhoseFileWasCut) {
  put("a", "content");
  std::filesystem::resize_file(file_of("a"), 3);
  EXPECT_THAT(store.find("a").error().what, HasSubstr("is not 7 bytes long"));
}

TEST_F(StoreTest, DropsAnEntryWithoutItsFile) {
  put("a", "content");
  std::filesystem::remove(file_of("a"));
  EXPECT_FALSE(store.find("a"));
  EXPECT_FALSE(store.find("a").value());
}

TEST_F(StoreTest, DropsAnEntryWhoseManifestIsDamagedOrLeadsElsewhere) {
  for (const char* text :
       {"", "surefoot-cache 2\n", "surefoot-cache 1\nfile x y\n",
        "surefoot-cache 1\nfile 1 00 0 0 ../../outside\n", "surefoot-cache 1\nnote a b\n"}) {
    put("a", "content");
    std::ofstream(file_of("a").parent_path() / "manifest") << text;
    EXPECT_FALSE(store.find("a")) << text;
    EXPECT_FALSE(std::filesystem::exists(file_of("a"))) << text;
  }
}

TEST_F(StoreTest, KeepsTheEntryThatWasFirst) {
  put("a", "first");
  put("a", "second");
  EXPECT_EQ(store.find("a").value()->bytes, 5U);
  EXPECT_THAT(keys(), ElementsAre("a"));
}

TEST_F(StoreTest, RemovesADraftThatIsNotCommitted) {
  std::filesystem::path draft;
  {
    const Draft unfinished = store.draft().value();
    draft = unfinished.folder();
    EXPECT_TRUE(std::filesystem::exists(draft));
  }
  EXPECT_FALSE(std::filesystem::exists(draft));
}

TEST_F(StoreTest, RemovesWhatWasNotUsedForLongestBeyondItsLimit) {
  const auto used_hours_ago = [this](const Digest& key, int hours) {
    std::filesystem::last_write_time(
        file_of(key).parent_path() / "manifest",
        std::filesystem::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  put("a", std::string(400, 'a'));
  used_hours_ago("a", 3);
  put("b", std::string(400, 'b'));
  used_hours_ago("b", 2);
  EXPECT_TRUE(store.find("a").value());  // used now
  put("c", std::string(400, 'c'));
  EXPECT_THAT(keys(), ElementsAre("c", "a"));
}

TEST_F(StoreTest, KeepsTheNewestEvenAboveItsLimit) {
  put("big", std::string(5000, 'x'));
  EXPECT_THAT(keys(), ElementsAre("big"));
}

TEST_F(StoreTest, IsClearedWhole) {
  put("a", "content");
  put("b", "more");
  EXPECT_EQ(store.clear(), 11U);
  EXPECT_THAT(store.entries(), SizeIs(0));
}

TEST_F(StoreTest, SaysWhereItCannotWrite) {
  const Store nowhere(folder.write("file", "x") / "cache", 1000);
  const auto draft = nowhere.draft();
  ASSERT_FALSE(draft);
  EXPECT_EQ(draft.error().code, ErrorCode::IoFailed);
  EXPECT_THAT(draft.error().what, HasSubstr("cannot write to the cache"));
}

TEST_F(StoreTest, ClearsWhatProvidersKeepToo) {
  const auto kept = store.provider_folder("tensorrt", "key");
  ASSERT_TRUE(std::filesystem::is_directory(kept));
  std::ofstream(kept / "engine") << "12345";
  EXPECT_EQ(store.clear(), 5u);
  EXPECT_FALSE(std::filesystem::exists(kept));
}

TEST_F(StoreTest, SeesThatAFileHasOtherContent) {
  const auto file = folder.write("m.onnx", "one");
  const auto old = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
  std::filesystem::last_write_time(file, old);
  const Digest one = store.content_of(file).value();
  EXPECT_EQ(store.content_of(file).value(), one);
  folder.write("m.onnx", "two");
  EXPECT_NE(store.content_of(file).value(), one);
}

TEST_F(StoreTest, IsFilledFromManyThreadsAtOnce) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&] {
      for (int turn = 0; turn < 20; ++turn) {
        put("shared", "content");
        const auto found = store.find("shared");
        ASSERT_TRUE(found);
        ASSERT_TRUE(*found);
      }
    });
  threads.clear();
  EXPECT_THAT(keys(), ElementsAre("shared"));
}

}  // namespace
}  // namespace surefoot::cache
