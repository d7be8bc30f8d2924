#include <algorithm>
#include <cmath>

#include "surefoot/report.hpp"

namespace surefoot {
namespace {

/// 1, 2 or 5 times a power of ten, not below `width`: limits of bins that a person can read.
double round_width(double width) {
  const double power = std::pow(10, std::floor(std::log10(width)));
  for (const double step : {1.0, 2.0, 5.0})
    if (step * power >= width) return step * power;
  return 10 * power;
}

}  // namespace

Histogram histogram_of(std::span<const double> microseconds, std::size_t bins) {
  if (microseconds.empty() || bins == 0) return {};
  constexpr double kLeastWidth = 0.1;  // finer than the clock is none
  const Latency latency = latency_of({microseconds.begin(), microseconds.end()});
  const double least = latency.least, high = latency.p99;
  const double width = round_width(std::max((high - least) / static_cast<double>(bins), kLeastWidth));
  Histogram histogram{.from = std::floor(least / width) * width, .width = width};
  const auto bin_of = [&](double time) { return static_cast<std::size_t>((time - histogram.from) / width); };
  histogram.counts.resize(bin_of(high) + 1);
  for (const double time : microseconds) {
    const std::size_t bin = bin_of(time);
    ++(bin < histogram.counts.size() ? histogram.counts[bin] : histogram.beyond);
  }
  return histogram;
}

}  // namespace surefoot
