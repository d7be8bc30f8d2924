#include <gmock/gmock.h>

#include <numeric>

#include "surefoot/report.hpp"

namespace surefoot {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(HistogramOf, PutsEveryTimeIntoOneBin) {
  std::vector<double> times(1000);
  std::iota(times.begin(), times.end(), 100.0);
  const Histogram histogram = histogram_of(times);
  EXPECT_EQ(histogram.from, 100);
  EXPECT_EQ(histogram.width, 50);
  EXPECT_EQ(std::accumulate(histogram.counts.begin(), histogram.counts.end(), histogram.beyond), 1000U);
  EXPECT_EQ(histogram.counts.front(), 50U);
}

TEST(HistogramOf, KeepsOneLongTimeFromFlatteningTheRest) {
  std::vector<double> times(200, 10.0);
  times.push_back(1e6);
  const Histogram histogram = histogram_of(times);
  EXPECT_THAT(histogram.counts, SizeIs(1));
  EXPECT_EQ(histogram.counts.front(), 200U);
  EXPECT_EQ(histogram.beyond, 1U);
}

TEST(HistogramOf, ReachesTo99OfHundredTimes) {
  std::vector<double> times(454);
  std::iota(times.begin(), times.end(), 0.0);
  const Histogram histogram = histogram_of(times);
  EXPECT_GT(histogram.from + histogram.width * static_cast<double>(histogram.counts.size()),
            latency_of(times).p99);
  EXPECT_EQ(histogram.beyond, 0U) << "the last bin ends at 460";
}

TEST(HistogramOf, OfNothingIsEmpty) {
  EXPECT_THAT(histogram_of({}).counts, IsEmpty());
  const std::vector<double> one{0.0};
  EXPECT_THAT(histogram_of(one).counts, SizeIs(1));
}

TEST(HistogramOf, HasLimitsThatAPersonCanRead) {
  const std::vector<double> times{3.1, 4.7, 9.9, 12.3, 15.8};
  const Histogram histogram = histogram_of(times, 10);
  EXPECT_EQ(histogram.width, 2);
  EXPECT_EQ(histogram.from, 2);
}

}  // namespace
}  // namespace surefoot
