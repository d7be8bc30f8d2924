// What a provider compiled, kept in the cache.
#include "surefoot/cache.hpp"
#include "tests/fault/fault_fixture.hpp"
#include "tests/support/test_folder.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// Long enough to be told from what opening takes on a busy machine.
constexpr const char* kSlowToBuild = "build=hang:600";

struct FaultCache : tests::FaultTest {
  void SetUp() override {
    FaultTest::SetUp();
    folder.write("model.onnx", dense);
  }
  SessionOptions cached(const std::string& plan) const {
    SessionOptions options = tests::faulty_options(*runtime, plan);
    options.cache = CacheOptions{.folder = folder / "cache", .fill = CacheFill::Inline};
    return options;
  }
  Session open_cached(SessionOptions options) const {
    return Session::open(folder / "model.onnx", std::move(options)).value();
  }
  Session open_cached(const std::string& plan) const { return open_cached(cached(plan)); }

  tests::TestFolder folder;
};

TEST_F(FaultCache, OpensWhatTheProviderCompiledTheSecondTime) {
  const Session first = open_cached(kSlowToBuild);
  ASSERT_EQ(first.cache().use, CacheUse::Stored) << to_string(first.cache().reason.value_or(Error{}));
  const Session second = open_cached(kSlowToBuild);
  EXPECT_EQ(second.cache().use, CacheUse::Hit);
  EXPECT_EQ(second.cache().form, "compiled");
  EXPECT_EQ(second.provider(), "faulty");
  EXPECT_EQ(answer(second), right_answer());
  EXPECT_THAT(events(second), IsEmpty());
}

TEST_F(FaultCache, TellsTheOptionsOfTheProviderApart) {
  ASSERT_EQ(open_cached(kSlowToBuild).cache().use, CacheUse::Stored);
  EXPECT_EQ(open_cached(std::string(kSlowToBuild) + ",run:9=fail").cache().use, CacheUse::Stored);
}

TEST_F(FaultCache, IsNotTriedAgainWhereNothingIsGained) {
  const Session first = open_cached("load=hang:600");
  EXPECT_EQ(first.cache().use, CacheUse::FillFailed);
  EXPECT_THAT(first.cache().reason->what, HasSubstr("opens no faster"));
  const Session second = open_cached("load=hang:600");
  EXPECT_EQ(second.cache().use, CacheUse::FillFailed);
  EXPECT_EQ(second.cache().reason->what, first.cache().reason->what);
  EXPECT_EQ(answer(second), right_answer());
  EXPECT_THAT(cached_models(*cached("").cache).value(), SizeIs(1));
}

TEST_F(FaultCache, StoresNothingThatComputesOtherNumbers) {
  const Session session = open_cached(std::string(kSlowToBuild) + ",run=wrong");
  EXPECT_EQ(session.cache().use, CacheUse::FillFailed);
  EXPECT_THAT(session.cache().reason->what, HasSubstr("differs"));
}

TEST_F(FaultCache, DropsWhatNoLongerOpensAndSaysSo) {
  ASSERT_EQ(open_cached(kSlowToBuild).cache().use, CacheUse::Stored);
  const auto key = cached_models(*cached("").cache).value().front().key;
  for (const auto& file : std::filesystem::directory_iterator(folder / "cache/entries" / key))
    if (file.path().filename() == "model.onnx") folder.write("cache/entries/" + key + "/model.onnx", "none");
  const Session session = open_cached(kSlowToBuild);
  EXPECT_EQ(session.cache().use, CacheUse::Stored);
  EXPECT_THAT(events(session), ElementsAre("faulty create"));
  EXPECT_EQ(answer(session), right_answer());
}

TEST_F(FaultCache, KeepsNothingWhereGraphsAreCaptured) {
  SessionOptions options = cached(kSlowToBuild);
  options.graph_capture = GraphCapture::Try;
  const Session session = open_cached(options);
  EXPECT_EQ(session.cache().use, CacheUse::Unfit);
  EXPECT_THAT(session.cache().reason->what, HasSubstr("graphs are captured"));
}

}  // namespace
}  // namespace surefoot
