/// In what two models differ: graph, weights, interface.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "surefoot/model.hpp"

namespace surefoot {

/// One thing that is not the same in two models.
struct Difference {
  enum class Area { Model, Input, Output, Function, Node, Weight } area;
  enum class Kind { Added, Removed, Changed } kind;
  std::string name;   ///< of the input, node, weight, …; of the model itself: "opset `ai.onnx`"
  std::string field;  ///< what of it changed: "type", "inputs", "attribute `axis`", "elements"; else empty
  /// What it was and what it is, as text; the one that there is for what was removed or added. Of elements
  /// only `after`: "3 of 64 differ, by at most 0.5".
  std::string before = {}, after = {};

  bool operator==(const Difference&) const = default;
};

/// "model", "input", "output", "function", "node", "weight".
std::string_view to_string(Difference::Area area) noexcept;
/// "added", "removed", "changed".
std::string_view to_string(Difference::Kind kind) noexcept;

/// Compares two models as they are now, edits included: what changed from one to the other, the model itself
/// first, then inputs, outputs, functions, nodes, weights, each in file order. Empty: both compute the same.
///
/// Same      Nodes are matched by what they give, or else by their names, and weights by name. Left out are
///           the order of nodes and weights, names of nodes that are matched by what they give,
///           documentation, producer, types of inner values, and how and where a weight is stored.
/// Errors: those of reading weights, and of nodes' tensor attributes. Reads every weight of both.
Result<std::vector<Difference>> differences(const Model& from, const Model& to);

}  // namespace surefoot
