#include "benchmarks/paired.hpp"

#include <algorithm>
#include <chrono>

namespace surefoot::benchmarks {
namespace {

double time_us(const std::function<void()>& work, int calls) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count() / calls;
}

}  // namespace

double quantile(std::vector<double> values, double part) {
  const auto at = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(at));
  return values[at];
}

Row measure(const Pair& pair) {
  std::vector<double> ours, other, ratios;
  for (int round = -2; round < pair.rounds; ++round) {
    const bool we_begin = round % 2 == 0;
    double a = we_begin ? time_us(pair.ours, pair.calls) : 0;
    const double b = time_us(pair.other, pair.calls);
    if (!we_begin) a = time_us(pair.ours, pair.calls);
    if (round < 0) continue;  // warm-up
    ours.push_back(a);
    other.push_back(b);
    ratios.push_back(a / b);
  }
  return {.name = pair.name,
          .what = pair.what,
          .ratio = quantile(ratios, 0.5),
          .goal = pair.goal,
          .spread = quantile(ratios, 0.75) - quantile(ratios, 0.25),
          .ours_us = quantile(ours, 0.5),
          .other_us = quantile(other, 0.5),
          .rounds = pair.rounds};
}

}  // namespace surefoot::benchmarks
