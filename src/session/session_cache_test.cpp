// Sessions whose second start comes from the cache.
#include <fstream>
#include <thread>

#include "cache/store.hpp"
#include "probe/program.hpp"
#include "session/processor.hpp"
#include "tests/support/fault_provider.hpp"
#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct SessionCacheTest : tests::SessionTest {
  SessionOptions cached() const {
    return {.runtime = runtime,
            .providers = {.only = {"cpu"}},
            .cache = CacheOptions{.folder = folder / "cache", .fill = CacheFill::Inline}};
  }
  Session open_dense(const SessionOptions& options) const {
    return open_file(tests::dense_model(), "dense.onnx", options).value();
  }
  static std::vector<float> answer(const Session& session) {
    const Tensor x = Tensor::of<float>({1, 2, 3}, {1, 3}).value();
    const auto outputs = session.infer({{"x", x}}).value();
    const auto y = outputs.as<float>("y").value();
    return {y.begin(), y.end()};
  }
  CacheUse use_of(const SessionOptions& options) const { return open_dense(options).cache().use; }
  /// A shell script that stands for the program that opens what is to be stored.
  std::filesystem::path program(const std::string& lines) const {
    const auto file = folder.write("program", "#!/bin/sh\n" + lines + "\n");
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    return file;
  }
  std::filesystem::path entry() const {
    return folder / "cache/entries" / cached_models(*cached().cache).value().front().key;
  }
};

TEST_F(SessionCacheTest, OpensFromTheCacheTheSecondTime) {
  const Session first = open_dense(cached());
  EXPECT_EQ(first.cache().use, CacheUse::Stored);
  const Session second = open_dense(cached());
  EXPECT_EQ(second.cache().use, CacheUse::Hit);
  EXPECT_THAT(second.cache().form, ::testing::AnyOf("onnx", "ort", "in-place"));
  EXPECT_EQ(answer(second), answer(first));
  EXPECT_THAT(second.events(), IsEmpty());
  EXPECT_EQ(to_string(second.info().inputs.front().type), to_string(first.info().inputs.front().type));
}

TEST_F(SessionCacheTest, DoesNotTryAgainWhatEndedAProcess) {
  ASSERT_EQ(open_dense(cached()).cache().use, CacheUse::Stored);
  const std::string key = entry().filename().string();
  std::filesystem::remove_all(entry());
  folder.write("cache/entries/.draft-trial-" + key, "");  // as a process leaves it that crashed
  const Session session = open_dense(cached());
  EXPECT_EQ(session.cache().use, CacheUse::FillFailed);
  EXPECT_THAT(session.cache().reason->what, HasSubstr("not tried again"));
  EXPECT_THAT(answer(session), SizeIs(2));
}

TEST_F(SessionCacheTest, StoresNothingThatEndedAProcessOfItsOwn) {
  SessionOptions options = cached();
  options.probes.program = program("exit 3");
  const Session session = open_dense(options);
  EXPECT_EQ(session.cache().use, CacheUse::FillFailed);
  EXPECT_THAT(session.cache().reason->what, HasSubstr("ended the process with status 3"));
  EXPECT_THAT(answer(session), SizeIs(2));
}

TEST_F(SessionCacheTest, TakesWeightsFromWhereTheyLieInTheFile) {
  const auto probe = probe::find_program({}).value();
  SessionOptions options = cached();
  options.probes.program = program("[ \"$4\" = in-place ] || exit 3; exec '" + probe.string() + "' \"$@\"");
  const Session first = open_dense(options);
  ASSERT_EQ(first.cache().use, CacheUse::Stored);
  const Session second = open_dense(options);
  EXPECT_EQ(second.cache().form, "in-place");
  EXPECT_EQ(answer(second), answer(first));
  ASSERT_TRUE(clear_cache(*options.cache));
  EXPECT_EQ(answer(second), answer(first)) << "what a session has mapped outlives the entry";
}

TEST_F(SessionCacheTest, TakesNothingInPlaceWhereNoProcessMayBeStarted) {
  SessionOptions options = cached();
  options.probes = {.policy = ProbePolicy::Ignore, .program = program("exit 3")};
  ASSERT_EQ(use_of(options), CacheUse::Stored);
  EXPECT_THAT(open_dense(options).cache().form, ::testing::AnyOf("onnx", "ort"));
}

TEST_F(SessionCacheTest, TouchesNothingUnlessAsked) {
  const Session session = open_dense({.runtime = runtime});
  EXPECT_EQ(session.cache().use, CacheUse::Off);
  EXPECT_FALSE(std::filesystem::exists(folder / "cache"));
}

TEST_F(SessionCacheTest, DoesAsTheVariableSaysWhereTheOptionsSayNothing) {
  SessionOptions options = cached();
  const auto path = folder.write("dense.onnx", tests::dense_model());
  const auto open = [&] { return Session::open(path, options).value().cache().use; };
  options.cache.reset();
  {
    const tests::EnvironmentVariable variable("SUREFOOT_MODEL_CACHE", (folder / "cache").string());
    EXPECT_EQ(open(), CacheUse::Filling);
    EXPECT_EQ(open(), CacheUse::Hit);
  }
  const tests::EnvironmentVariable variable("SUREFOOT_MODEL_CACHE", "off");
  EXPECT_EQ(open(), CacheUse::Off);
}

TEST_F(SessionCacheTest, FillsInTheBackgroundBeforeTheSessionEnds) {
  SessionOptions options = cached();
  options.cache->fill = CacheFill::Background;
  EXPECT_THAT(answer(open_dense(options)), SizeIs(2));
  EXPECT_EQ(use_of(options), CacheUse::Hit);
}

TEST_F(SessionCacheTest, TellsModelsApartByTheirContent) {
  (void)open_dense(cached());
  const auto other = open_file(tests::identity_model(onnx::tensor_type(ElementType::Float32, {1, 3})),
                               "dense.onnx", cached());
  EXPECT_EQ(other.value().cache().use, CacheUse::Stored);
}

TEST_F(SessionCacheTest, TellsOptionsApartThatChangeTheModel) {
  (void)open_dense(cached());
  SessionOptions options = cached();
  options.dimensions = {{"n", 1}};
  EXPECT_EQ(use_of(options), CacheUse::Stored);
  options = cached();
  options.optimization = OptimizationLevel::Basic;
  EXPECT_EQ(use_of(options), CacheUse::Stored);
  options = cached();
  options.threads.intra_op = 2;
  EXPECT_EQ(use_of(options), CacheUse::Hit);
}

TEST_F(SessionCacheTest, KeepsAFixedDimensionFixed) {
  SessionOptions options = cached();
  options.dimensions = {{"n", 1}};
  (void)open_dense(options);
  const Session session = open_dense(options);
  EXPECT_EQ(session.cache().use, CacheUse::Hit);
  EXPECT_EQ(to_string(session.info().inputs.front().type), "float32[1,3]");
}

TEST_F(SessionCacheTest, DropsAnEntryThatWasChangedAndSaysSo) {
  (void)open_dense(cached());
  for (const auto& file : std::filesystem::directory_iterator(entry()))
    if (file.path().filename() != "manifest") std::ofstream(file.path(), std::ios::app) << "more";
  const Session session = open_dense(cached());
  EXPECT_EQ(session.cache().use, CacheUse::Stored);
  EXPECT_THAT(answer(session), SizeIs(2));
  ASSERT_THAT(session.events(), SizeIs(1));
  EXPECT_THAT(session.events().front().error.what, HasSubstr("as it was when it was stored"));
  EXPECT_EQ(use_of(cached()), CacheUse::Hit);
}

TEST_F(SessionCacheTest, DropsAnEntryThatDoesNotOpen) {
  (void)open_dense(cached());
  const cache::Store store(folder / "cache", 1 << 20);
  const std::string key = entry().filename();
  store.remove(key);
  cache::Draft draft = store.draft().value();
  std::ofstream(draft.folder() / "model.onnx") << "no model";
  ASSERT_TRUE(store.commit(std::move(draft), key, {{"form", "onnx"}}));
  const Session session = open_dense(cached());
  EXPECT_THAT(answer(session), SizeIs(2));
  ASSERT_THAT(session.events(), SizeIs(1));
  EXPECT_THAT(to_string(session.events().front().error),
              HasSubstr("opening the cached model, which is dropped"));
  EXPECT_EQ(use_of(cached()), CacheUse::Hit);
}

TEST_F(SessionCacheTest, SaysWhyAModelCannotBeCached) {
  const Session bytes = open(tests::dense_model(), cached()).value();
  EXPECT_EQ(bytes.cache().use, CacheUse::Unfit);
  EXPECT_THAT(bytes.cache().reason->what, HasSubstr("given as bytes"));
}

TEST_F(SessionCacheTest, SeesThatExternalDataHasChanged) {
  onnx::ModelBuilder model;
  model.input("x", onnx::tensor_type(ElementType::Float32, {2}));
  model.output("y", onnx::tensor_type(ElementType::Float32, {2}));
  model.initializer({.name = "w", .type = ElementType::Float32, .shape = {2}, .location = "w.bin"});
  model.node({.op = "Add", .inputs = {"x", "w"}, .outputs = {"y"}});
  const auto open_with = [&](std::string_view weights) {
    folder.write("w.bin", weights);
    return open_file(model.bytes(), "external.onnx", cached()).value();
  };
  EXPECT_EQ(open_with("abcdefgh").cache().use, CacheUse::Stored);
  EXPECT_EQ(open_with("abcdefgh").cache().use, CacheUse::Hit);
  EXPECT_EQ(open_with("ABCDEFGH").cache().use, CacheUse::Stored);
}

TEST_F(SessionCacheTest, ListsAndClearsWhatItHolds) {
  (void)open_dense(cached());
  const auto models = cached_models(*cached().cache).value();
  ASSERT_THAT(models, SizeIs(1));
  EXPECT_EQ(models.front().model, (folder / "dense.onnx").string());
  EXPECT_EQ(models.front().onnxruntime, runtime->version());
  EXPECT_EQ(clear_cache(*cached().cache).value(), models.front().bytes);
  EXPECT_EQ(use_of(cached()), CacheUse::Stored);
}

TEST_F(SessionCacheTest, IsFilledBySeveralSessionsAtOnce) {
  const auto path = folder.write("dense.onnx", tests::dense_model());
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&] { EXPECT_THAT(answer(Session::open(path, cached()).value()), SizeIs(2)); });
  }
  EXPECT_THAT(cached_models(*cached().cache).value(), SizeIs(1));
  EXPECT_EQ(Session::open(path, cached()).value().cache().use, CacheUse::Hit);
}

TEST_F(SessionCacheTest, GoesOnWithoutAFolder) {
  SessionOptions options = cached();
  options.cache->folder = folder.write("file", "x") / "cache";
  const Session session = open_dense(options);
  EXPECT_EQ(session.cache().use, CacheUse::FillFailed);
  EXPECT_THAT(answer(session), SizeIs(2));
}

TEST_F(SessionCacheTest, ServesEveryRuntimeItsOwn) {
  for (const tests::TestRuntime& each : tests::test_runtimes()) {
    SCOPED_TRACE(each.library);
    SessionOptions options = cached();
    options.runtime = Runtime::load({.library = each.library}).value();
    const Session first = open_dense(options);
    EXPECT_EQ(first.cache().use, CacheUse::Stored);
    const Session second = open_dense(options);
    EXPECT_EQ(second.cache().use, CacheUse::Hit);
    EXPECT_EQ(answer(second), answer(first));
  }
}

TEST(Processor, IsReadOnceFromTheFirstBlock) {
  const tests::TestFolder root;
  root.write("proc/cpuinfo",
             "processor\t: 0\nmodel name\t: A\nflags\t\t: fpu avx2\ncpu MHz\t\t: 1\n\nprocessor\t: 1\nmodel "
             "name\t: B\n");
  EXPECT_EQ(session::processor(root.path()), "model name\t: A\nflags\t\t: fpu avx2\n");
  EXPECT_EQ(session::processor(root / "elsewhere"), "");
}

}  // namespace
}  // namespace surefoot
