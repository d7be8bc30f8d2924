/// The search for the fastest settings, over any way of measuring.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "surefoot/tune.hpp"

namespace surefoot::diagnose {

struct TuneAxis {
  std::string setting;
  std::vector<std::string> values;  ///< without the default
};

struct CostPair {
  double before = 0, after = 0;
};

/// Costs of two settings, measured in turns.
using MeasurePair = std::function<Result<CostPair>(const TuneSettings& before, const TuneSettings& after)>;

/// One axis after the other; a value is kept where it is clearly cheaper than the best so far and all others
/// of its axis. Axes that `is_over` leaves no time for are named in `untried`.
TuneReport search_settings(std::span<const TuneAxis> axes, const MeasurePair& measure,
                           const std::function<bool()>& is_over);

/// Rounds of turns against the default, in either order. Puts the default into the report unless the settings
/// won every round. Errors: the measurement's.
Result<void> prove(TuneReport& report, const MeasurePair& measure);

}  // namespace surefoot::diagnose
