/// Two ways to do the same work, timed side by side.
///
/// The sides take turns within one process, each round's order reversed, and the ratio is taken round by
/// round: a machine that slows down slows both. A benchmark library times one function after the other
/// and compares two medians, which on a shared two-core machine differ by more than what is measured.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace surefoot::benchmarks {

struct Row {
  std::string name;
  std::string what;    ///< one line: our side ÷ the other side
  double ratio = 0;    ///< median over the rounds
  double goal = 0;     ///< at most this
  double spread = 0;   ///< distance of the quartiles
  double ours_us = 0;  ///< median time of one call
  double other_us = 0;
  int rounds = 0;
};

struct Pair {
  std::string name;
  std::string what;
  double goal;
  std::function<void()> ours;
  std::function<void()> other;
  int rounds = 41;
  int calls = 1;  ///< calls per turn: enough that a turn outlasts the clock's grain
};

Row measure(const Pair& pair);

/// The value below which `part` of them lie, 0 ≤ part ≤ 1.
double quantile(std::vector<double> values, double part);

}  // namespace surefoot::benchmarks
