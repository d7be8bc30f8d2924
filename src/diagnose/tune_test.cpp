#include "surefoot/tune.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "diagnose/tune_search.hpp"
#include "tests/support/session_fixture.hpp"

namespace surefoot {
namespace {

using diagnose::CostPair;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

/// Times by settings, written `name=value name=value`.
struct Table {
  std::map<std::string, double> times;
  double otherwise = 100;
  int measured = 0;

  double of(const TuneSettings& settings) const {
    std::string key;
    for (const auto& [name, value] : settings) key += (key.empty() ? "" : " ") + name + "=" + value;
    const auto at = times.find(key);
    return at == times.end() ? otherwise : at->second;
  }
  diagnose::MeasurePair measure() {
    return [this](const TuneSettings& before, const TuneSettings& after) -> Result<CostPair> {
      ++measured;
      if (after.contains("broken"))
        return fail({.code = ErrorCode::ProviderFailed, .what = "no such device"});
      return CostPair{of(before), of(after)};
    };
  }
};

const std::vector<diagnose::TuneAxis> kAxes = {{"threads", {"1", "2", "4"}}, {"spinning", {"off"}}};

bool never() { return false; }

TEST(TuneSearch, KeepsTheBestValueOfEachSettingOnTopOfTheOthers) {
  Table table{{{"threads=1", 90}, {"threads=2", 60}, {"threads=4", 80}, {"spinning=off threads=2", 50}}};
  const TuneReport report = diagnose::search_settings(kAxes, table.measure(), never);
  EXPECT_THAT(report.settings, ElementsAre(Pair("spinning", "off"), Pair("threads", "2")));
  ASSERT_THAT(report.trials, SizeIs(4));
  EXPECT_FALSE(report.trials[0].kept);
  EXPECT_TRUE(report.trials[1].kept);
  EXPECT_EQ(report.trials[3].before, 60);
  EXPECT_EQ(report.trials[3].after, 50);
  EXPECT_EQ(table.measured, 4);  // not the product of all values
}

TEST(TuneSearch, KeepsNothingForAGainThatNoiseMayBe) {
  Table table{{{"threads=2", 98}}};
  EXPECT_THAT(diagnose::search_settings(kAxes, table.measure(), never).settings, IsEmpty());
}

TEST(TuneSearch, SaysWhatCouldNotBeMeasuredAndGoesOn) {
  Table table{{{"spinning=off", 50}}};
  const std::vector<diagnose::TuneAxis> axes = {{"broken", {"on"}}, {"spinning", {"off"}}};
  const TuneReport report = diagnose::search_settings(axes, table.measure(), never);
  ASSERT_TRUE(report.trials[0].error);
  EXPECT_EQ(report.trials[0].error->what, "no such device");
  EXPECT_THAT(report.settings, ElementsAre(Pair("spinning", "off")));
}

TEST(TuneSearch, NamesWhatTimeDidNotReach) {
  Table table;
  const TuneReport report =
      diagnose::search_settings(kAxes, table.measure(), [&] { return table.measured >= 2; });
  EXPECT_THAT(report.trials, SizeIs(2));
  EXPECT_THAT(report.untried, ElementsAre("threads", "spinning"));
}

TEST(TuneProof, KeepsWhatWinsEachRound) {
  Table table{{{"threads=2", 60}}};
  TuneReport report{.settings = {{"threads", "2"}}};
  ASSERT_TRUE(diagnose::prove(report, table.measure()));
  EXPECT_THAT(report.settings, SizeIs(1));
  EXPECT_EQ(report.before, 100);
  EXPECT_EQ(report.after, 60);
  EXPECT_EQ(table.measured, 3);
}

TEST(TuneProof, FallsBackToTheDefaultWhenOneRoundIsLost) {
  int round = 0;
  TuneReport report{.settings = {{"threads", "2"}},
                    .trials = {{.setting = "threads", .value = "2", .kept = true}}};
  // The second round goes the other way around, and there the default, measured second, is faster.
  ASSERT_TRUE(diagnose::prove(report, [&](const TuneSettings&, const TuneSettings&) -> Result<CostPair> {
    return ++round == 1 ? CostPair{100, 60} : CostPair{100, 90};
  }));
  EXPECT_THAT(report.settings, IsEmpty());
  EXPECT_EQ(report.after, report.before);
  EXPECT_FALSE(report.trials[0].kept);
}

struct Tune : tests::SessionTest {
  std::vector<float> row{1, 2, 3};
  Shape shape{1, 3};
  std::vector<Input> inputs{{"x", TensorView::of<float>(row, shape)}};

  TuneOptions tuning() const {
    TuneOptions made{.session = options(), .time = std::chrono::milliseconds(400)};
    made.session.cache = CacheOptions{.folder = folder.path() / "cache"};
    return made;
  }
};

TEST_F(Tune, LeavesARecordThatSessionsOfTheModelTake) {
  const auto model = folder.write("m.onnx", tests::dense_model());
  const auto report = tune(model, inputs, tuning());
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_GT(report->before, 0);
  EXPECT_LE(report->after, report->before);
  ASSERT_TRUE(std::filesystem::exists(report->record));
  SessionOptions with = tuning().session;
  with.providers.prefer = {"measured"};
  const auto session = Session::open(model, with);
  ASSERT_TRUE(session) << to_string(session.error());
  EXPECT_THAT(session->events(), IsEmpty());
}

TEST_F(Tune, DoesNotSearchWhatTheCallerSet) {
  TuneOptions wanted = tuning();
  wanted.save = false;
  wanted.session.threads = {.intra_op = 1, .parallel = true, .spinning = false};
  wanted.session.optimization = OptimizationLevel::Basic;
  wanted.session.providers.only = {"cpu"};
  const auto report = tune(folder.write("m.onnx", tests::dense_model()), inputs, wanted);
  ASSERT_TRUE(report) << to_string(report.error());
  ASSERT_THAT(report->trials, SizeIs(1));
  EXPECT_EQ(report->trials[0].setting, "memory_pattern");
  EXPECT_TRUE(report->record.empty());
}

TEST_F(Tune, MeasuresThroughputToo) {
  TuneOptions wanted = tuning();
  wanted.goal = TuneGoal::Throughput;
  const auto report = tune(folder.write("m.onnx", tests::dense_model()), inputs, wanted);
  ASSERT_TRUE(report) << to_string(report.error());
  std::ifstream file(report->record);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_THAT(text, HasSubstr("\"goal\": \"throughput\""));
}

}  // namespace
}  // namespace surefoot
