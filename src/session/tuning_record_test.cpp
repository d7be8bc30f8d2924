#include "session/tuning_record.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "tests/support/session_fixture.hpp"

namespace surefoot::session {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(TunedSettings, AreSetWhereTheCallerLeftThemOpen) {
  SessionOptions options;
  options.threads.intra_op = 3;
  ASSERT_TRUE(apply_tuned(
      {{"threads", "1"}, {"spinning", "off"}, {"optimization", "basic"}, {"provider", "openvino"}}, options));
  EXPECT_EQ(options.threads.intra_op, 3);
  EXPECT_EQ(options.threads.spinning, false);
  EXPECT_EQ(options.optimization, OptimizationLevel::Basic);
  EXPECT_THAT(options.providers.prefer, ElementsAre("openvino"));
}

TEST(TunedSettings, AreRefusedWhereTheyAreNone) {
  for (const auto& [name, value] : TunedSettings{{"colour", "red"},
                                                 {"threads", "0"},
                                                 {"optimization", "much"},
                                                 {"spinning", "maybe"},
                                                 {"memory_pattern", "on"},
                                                 {"parallel", "off"}}) {
    SessionOptions options;
    const auto applied = apply_tuned({{name, value}}, options);
    ASSERT_FALSE(applied) << name;
    EXPECT_THAT(applied.error().what, HasSubstr(name));
    EXPECT_FALSE(options.threads.intra_op) << "nothing is set in part";
  }
}

struct TuningRecord : tests::SessionTest {
  void SetUp() override {
    SessionTest::SetUp();
    if (IsSkipped()) return;
    model = folder.write("m.onnx", tests::dense_model());
    with = options();
    with.cache = CacheOptions{.folder = folder.path() / "cache"};
    with.providers.prefer = {"measured"};
    place = *tuning_place(model, *inspect(model), *runtime, with);
  }
  /// What a session that wants the measured settings says.
  std::vector<FallbackEvent> events() const {
    auto session = Session::open(model, with);
    return session ? session->events()
                   : std::vector<FallbackEvent>{{"none", Stage::Create, session.error(), {}}};
  }
  void change(const std::string& from, const std::string& to) const {
    std::ifstream in(place.file);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    text.replace(text.find(from), from.size(), to);
    std::ofstream(place.file) << text;
  }

  std::filesystem::path model;
  SessionOptions with;
  TuningPlace place;
};

TEST_F(TuningRecord, IsReadAsItWasWritten) {
  const TunedSettings settings{{"spinning", "off"}, {"threads", "1"}};
  ASSERT_TRUE(write_tuning(place, settings, {{"file", "a \"b\" \\c\n"}}));
  const auto read = read_tuning(place);
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(*read, settings);
  EXPECT_THAT(events(), IsEmpty());
}

TEST_F(TuningRecord, ThatIsNotThereIsAnEventWithWhatToDo) {
  const auto noted = events();
  ASSERT_THAT(noted, SizeIs(1));
  EXPECT_EQ(noted[0].candidate, "measured");
  EXPECT_TRUE(noted[0].kept);
  EXPECT_THAT(noted[0].error.hint, HasSubstr("surefoot tune"));
}

TEST_F(TuningRecord, ThatIsDamagedOrAnothersIsRemovedWithAnEvent) {
  for (const auto& [from, to, why] : {std::array{"tuning/1", "tuning/9", "is damaged"},
                                      {"\n}\n", "\n", "is damaged"},
                                      {"\": \"off\"", "\": off", "is damaged"},
                                      {"\"off\"", "\"oft\"", "is damaged"},
                                      {"\"model\": \"", "\"model\": \"0", "another model's"},
                                      {"\"machine\": \"", "\"machine\": \"0", "another machine's"}}) {
    ASSERT_TRUE(write_tuning(place, {{"spinning", "off"}}, {}));
    change(from, to);
    const auto noted = events();
    ASSERT_THAT(noted, SizeIs(1)) << to;
    EXPECT_THAT(noted[0].error.what, HasSubstr(why));
    EXPECT_FALSE(std::filesystem::exists(place.file));
  }
}

TEST_F(TuningRecord, LiesElsewhereForAModelOfOtherContent) {
  const auto other = folder.write("other.onnx", tests::dense_model() + tests::dense_model());
  const auto copy = folder.write("copy.onnx", tests::dense_model());
  EXPECT_NE(tuning_place(other, {}, *runtime, with)->file, place.file);
  EXPECT_EQ(tuning_place(copy, {}, *runtime, with)->file, place.file);
}

TEST_F(TuningRecord, PutsAProviderFirstWhereTheCallerNamesNone) {
  ASSERT_TRUE(write_tuning(place, {{"provider", "openvino"}}, {}));
  const auto first = [&] { return Session::open(model, with)->plan().candidates().front().name; };
  EXPECT_EQ(first(), "openvino");
  with.providers.prefer = {"measured", "xnnpack"};
  EXPECT_EQ(first(), "xnnpack");
}

}  // namespace
}  // namespace surefoot::session
