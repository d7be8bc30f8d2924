#include <algorithm>
#include <cmath>
#include <numeric>

#include "surefoot/bench.hpp"

namespace surefoot {
namespace {

/// Nearest rank.
double percentile(const std::vector<double>& sorted, double part) {
  const auto rank = static_cast<std::size_t>(std::ceil(part * static_cast<double>(sorted.size())));
  return sorted[std::clamp<std::size_t>(rank, 1, sorted.size()) - 1];
}

}  // namespace

Latency latency_of(std::vector<double> times) {
  if (times.empty()) return {};
  std::ranges::sort(times);
  Latency latency{.runs = times.size(),
                  .least = times.front(),
                  .p50 = percentile(times, 0.5),
                  .p90 = percentile(times, 0.9),
                  .p99 = percentile(times, 0.99),
                  .most = times.back()};
  const auto count = static_cast<double>(times.size());
  latency.mean = std::accumulate(times.begin(), times.end(), 0.0) / count;
  // How many times lie below the true median is binomial, with half the count as mean.
  const double reach = 1.96 * std::sqrt(count) / 2;
  latency.p50_from = percentile(times, std::max(0.0, (count / 2 - reach) / count));
  latency.p50_to = percentile(times, std::min(1.0, (count / 2 + reach + 1) / count));
  return latency;
}

}  // namespace surefoot
