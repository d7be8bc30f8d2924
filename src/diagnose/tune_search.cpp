#include "diagnose/tune_search.hpp"

#include <algorithm>

namespace surefoot::diagnose {
namespace {

/// A gain that a second measurement may take back is none.
constexpr double kClearly = 0.97;
constexpr int kRounds = 3;

TuneTrial try_value(const TuneSettings& best, std::string setting, std::string value,
                    const MeasurePair& measure) {
  TuneSettings changed = best;
  changed[setting] = value;
  TuneTrial trial{.setting = std::move(setting), .value = std::move(value)};
  auto costs = measure(best, changed);
  if (costs) {
    trial.before = costs->before;
    trial.after = costs->after;
  } else {
    trial.error = std::move(costs).error();
  }
  return trial;
}

double ratio(const TuneTrial& trial) { return trial.error ? 1 : trial.after / trial.before; }

}  // namespace

TuneReport search_settings(std::span<const TuneAxis> axes, const MeasurePair& measure,
                           const std::function<bool()>& is_over) {
  TuneReport report;
  for (const TuneAxis& axis : axes) {
    const std::size_t begin = report.trials.size();
    for (const std::string& value : axis.values) {
      if (is_over()) break;
      report.trials.push_back(try_value(report.settings, axis.setting, value, measure));
    }
    if (report.trials.size() - begin < axis.values.size()) report.untried.push_back(axis.setting);
    const auto best =
        std::min_element(report.trials.begin() + static_cast<std::ptrdiff_t>(begin), report.trials.end(),
                         [](const auto& a, const auto& b) { return ratio(a) < ratio(b); });
    if (best == report.trials.end() || ratio(*best) > kClearly) continue;
    best->kept = true;
    report.settings[axis.setting] = best->value;
  }
  return report;
}

Result<void> prove(TuneReport& report, const MeasurePair& measure) {
  bool wins = true;
  for (int round = 0; round < kRounds && wins; ++round) {
    const bool turned = round % 2 == 1;
    auto costs = turned ? measure(report.settings, {}) : measure({}, report.settings);
    if (!costs) return fail(std::move(costs).error());
    if (turned) std::swap(costs->before, costs->after);
    report.before = costs->before;
    report.after = costs->after;
    wins = !report.settings.empty() && costs->after < costs->before;
  }
  if (wins) return {};
  report.settings.clear();
  report.after = report.before;
  for (TuneTrial& trial : report.trials) trial.kept = false;
  return {};
}

}  // namespace surefoot::diagnose
