// External data inside and outside of a model's folder, on every ONNX Runtime that tests run on.
#include "session/outside_data.hpp"

#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view kWeight("\0\0\x80\x3f\0\0\0\x40", 8);  // 1.0f, 2.0f

/// y = x + w, with `w` kept at `location`.
std::string model_with(const std::string& location) {
  onnx::ModelBuilder model;
  const ValueType vector = onnx::tensor_type(ElementType::Float32, {2});
  model.input("x", vector);
  model.output("y", vector);
  model.initializer(onnx::ExternalTensor{"w", ElementType::Float32, {2}, location, 0, kWeight.size()});
  model.node({.op = "Add", .inputs = {"x", "w"}, .outputs = {"y"}});
  return model.bytes();
}

struct OutsideData : tests::SessionTest {
  void SetUp() override {
    SessionTest::SetUp();
    folder.write("elsewhere/w.bin", kWeight);
  }
  /// Opens a model whose data lies at `location`, on that runtime.
  Result<Session> open_model(const std::string& location, const Runtime& on, bool allow) const {
    return Session::open(folder.write("home/model.onnx", model_with(location)),
                         {.runtime = on, .providers = {.only = {"cpu"}}, .allow_outside_data = allow});
  }
  static std::vector<float> run(const Session& session) {
    const Tensor x = Tensor::of<float>({10, 20}, {2}).value();
    const auto outputs = session.infer({{"x", x}});
    EXPECT_TRUE(outputs) << to_string(outputs.error());
    if (!outputs) return {};
    const auto y = outputs->as<float>("y").value();
    return {y.begin(), y.end()};
  }
  template <class Check>
  static void on_each(Check check) {
    for (const tests::TestRuntime& installed : tests::test_runtimes()) {
      SCOPED_TRACE(installed.library);
      check(Runtime::load({.library = installed.library}).value());
    }
  }
};

TEST_F(OutsideData, IsRefusedWithTheWayToAllowIt) {
  for (const std::string& location :
       {std::string("../elsewhere/w.bin"), (folder / "elsewhere/w.bin").string()}) {
    const Error refused = error_of(open_model(location, *runtime, false));
    EXPECT_EQ(refused.code, ErrorCode::InvalidModel);
    EXPECT_THAT(refused.what, HasSubstr("outside the model's folder"));
    EXPECT_THAT(refused.hint, HasSubstr("`allow_outside_data`"));
  }
}

TEST_F(OutsideData, IsReadWhereItIsAllowed) {
  fs::create_directories(folder / "home");
  fs::create_symlink("../elsewhere/w.bin", folder / "home/link.bin");
  on_each([&](const Runtime& on) {
    for (const std::string& location : {std::string("../elsewhere/w.bin"),
                                        (folder / "elsewhere/w.bin").string(), std::string("link.bin")}) {
      const auto session = open_model(location, on, true);
      ASSERT_TRUE(session) << location << to_string(session.error());
      EXPECT_THAT(run(*session), ElementsAre(11, 22)) << location;
    }
  });
}

TEST_F(OutsideData, IsReadForAModelInMemoryToo) {
  const std::string model = model_with("../elsewhere/w.bin");
  fs::create_directories(folder / "home");
  on_each([&](const Runtime& on) {
    const auto session = Session::open(tests::bytes_of(model), {.runtime = on,
                                                                .providers = {.only = {"cpu"}},
                                                                .external_data_folder = folder / "home",
                                                                .allow_outside_data = true});
    ASSERT_TRUE(session) << to_string(session.error());
    EXPECT_THAT(run(*session), ElementsAre(11, 22));
  });
}

TEST_F(OutsideData, BehindALinkIsExplainedWhereOrtDoesNotFollowIt) {
  fs::create_directories(folder / "home");
  fs::create_symlink("../elsewhere/w.bin", folder / "home/link.bin");
  on_each([&](const Runtime& on) {
    const auto session = open_model("link.bin", on, false);
    if (session) {
      EXPECT_LT(on.api_version(), 27);
      EXPECT_THAT(run(*session), ElementsAre(11, 22));
      return;
    }
    EXPECT_EQ(session.error().code, ErrorCode::InvalidModel);
    EXPECT_THAT(session.error().hint, HasSubstr("`allow_outside_data`"));
  });
}

TEST_F(OutsideData, OfADownloadCacheOfLinksNeedsNoPermission) {
  folder.write("hub/blobs/1111", model_with("w.bin"));
  folder.write("hub/blobs/2222", kWeight);
  fs::create_directories(folder / "hub/snapshots/a");
  fs::create_symlink("../../blobs/1111", folder / "hub/snapshots/a/model.onnx");
  fs::create_symlink("../../blobs/2222", folder / "hub/snapshots/a/w.bin");
  on_each([&](const Runtime& on) {
    for (const bool allow : {false, true}) {
      const auto session =
          Session::open(folder / "hub/snapshots/a/model.onnx",
                        {.runtime = on, .providers = {.only = {"cpu"}}, .allow_outside_data = allow});
      ASSERT_TRUE(session) << to_string(session.error());
      EXPECT_THAT(run(*session), ElementsAre(11, 22));
    }
  });
}

TEST_F(OutsideData, KeepsAModelOutOfTheCacheAndThatAlone) {
  folder.write("home/w.bin", kWeight);
  for (const auto& [location, use] :
       {std::pair("../elsewhere/w.bin", CacheUse::Unfit), std::pair("w.bin", CacheUse::Stored)}) {
    const auto session =
        Session::open(folder.write("home/model.onnx", model_with(location)),
                      {.runtime = runtime,
                       .providers = {.only = {"cpu"}},
                       .cache = CacheOptions{.folder = folder / "cache", .fill = CacheFill::Inline},
                       .allow_outside_data = true});
    ASSERT_TRUE(session) << to_string(session.error());
    EXPECT_EQ(session->cache().use, use) << location;
  }
}

TEST_F(OutsideData, ThatIsMissingIsStillNamed) {
  const Error missing = error_of(open_model("../nowhere/w.bin", *runtime, true));
  EXPECT_EQ(missing.code, ErrorCode::InvalidModel);
  EXPECT_THAT(missing.what, HasSubstr("w.bin` is missing"));
}

TEST_F(OutsideData, IsNotNotedWhereAllLiesInside) {
  const ModelInfo inside{.external_data = {{.tensor = "w", .location = "sub/w.bin", .bytes = 8}}};
  folder.write("home/sub/w.bin", kWeight);
  session::Source source{.path = folder / "home/model.onnx"};
  session::note_outside_data(source, inside, {});
  EXPECT_THAT(source.outside_data, IsEmpty());
}

}  // namespace
}  // namespace surefoot
