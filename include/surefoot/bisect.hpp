/// Which rule of ONNX Runtime's graph optimizer breaks a model.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "surefoot/difference.hpp"
#include "surefoot/session.hpp"

namespace surefoot {

struct BisectRequest {
  std::filesystem::path model;
  SessionOptions options =
      {};  ///< its optimization level is not looked at; no providers named: the CPU alone
  std::span<const Input> inputs;
  std::optional<Tolerance> tolerance = {};
};

/// What optimisation does to the model.
struct Bisection {
  enum class Symptom { None, DoesNotOpen, DoesNotRun, WrongNumbers } symptom = Symptom::None;
  std::string what = {};                                     ///< the error, or the output that differs
  OptimizationLevel fails_at = OptimizationLevel::Disabled;  ///< the lowest level that does
  OptimizationLevel works_at = OptimizationLevel::Disabled;  ///< the level below it
  std::vector<std::string> rules = {};  ///< without these the level works; empty: no rule that has a name
  std::size_t tried = 0;                ///< sessions that were opened
  /// The session entry that avoids it: {"optimization.disable_specified_optimizers", "A;B"}.
  std::optional<std::pair<std::string, std::string>> entry() const;
};

/// "none", "does not open", "does not run", "wrong numbers".
std::string_view to_string(Bisection::Symptom symptom) noexcept;

/// Opens and runs the model level by level, holds each against what it gives without optimisation, and halves
/// the list of the rules at the first level that fails.
/// Errors: what the model says without optimisation: it is not the optimizer's fault then.
Result<Bisection> bisect_optimizer(const BisectRequest& request);

}  // namespace surefoot
