/// Which inputs and outputs a prepared run binds, and their shapes.
#pragma once

#include <optional>

#include "session/interface.hpp"
#include "surefoot/prepared_run.hpp"

namespace surefoot::session {

struct Slot {
  const Port* port;
  std::optional<Shape> shape;  ///< always known for an input
};

struct PreparedLayout {
  std::vector<Slot> inputs, outputs;
};

/// Fixes every free axis of the inputs by `options`; an axis takes its size from every other one of its
/// symbolic name. `model` must outlive the layout.
/// Errors: InvalidArgument with all sizes that are wrong or unknown; Unsupported for an input or output that
/// is no tensor of numbers.
Result<PreparedLayout> lay_out(const Interface& model, const PrepareOptions& options);

}  // namespace surefoot::session
