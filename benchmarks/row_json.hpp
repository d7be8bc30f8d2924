/// A row as benchmarks/report.py reads it.
#pragma once

#include <nlohmann/json.hpp>

#include "benchmarks/paired.hpp"

namespace surefoot::benchmarks {

inline nlohmann::ordered_json json_of(const Row& row) {
  return {{"name", row.name},         {"what", row.what},     {"ratio", row.ratio},
          {"goal", row.goal},         {"spread", row.spread}, {"ours_us", row.ours_us},
          {"other_us", row.other_us}, {"rounds", row.rounds}};
}

}  // namespace surefoot::benchmarks
