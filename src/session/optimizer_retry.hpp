/// Opening a model on which ORT's own graph optimizer fails.
#pragma once

#include <memory>
#include <optional>

#include "ort/session.hpp"
#include "session/source.hpp"

namespace surefoot::session {

struct LessOptimized {
  std::shared_ptr<const ort::Session> session;
  Error note;  ///< which rule or level was at fault, and what ORT said
};

/// Tries without optimization; when that works, the optimizer is at fault, and the one rule is looked
/// for by halving the list of rules that are switched off. Costs one failed open for a model that is
/// wrong in itself, about eight more for one that the optimizer breaks.
/// Empty when the model does not open without optimization either.
std::optional<LessOptimized> open_less_optimized(ort::Environment& environment, const Source& source,
                                                 ort::SessionSettings settings, const Error& failure);

}  // namespace surefoot::session
