/// The nodes of a model and what flows between them: names, operators, types, and the few integers that
/// shapes are made of. Weights are jumped over.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "surefoot/model_info.hpp"

namespace surefoot::onnx {

struct NodeOutline {
  std::string name, op, domain;  ///< domain is empty for the default one
  std::vector<std::string> inputs, outputs;
  std::map<std::string, std::string> texts;  ///< attributes that are strings
  int depth = 0;                             ///< above 0: inside a subgraph or a function

  /// What to call it: its name, or what it makes.
  const std::string& label() const;
};

/// A value that is known from the file: an initializer, or what a Constant node makes.
struct ConstantOutline {
  ElementType type = ElementType::Undefined;
  Shape shape = {};
  /// The elements of an int64 one of at most kMostIntegers that stands in the file itself.
  std::vector<std::int64_t> integers = {};

  static constexpr std::size_t kMostIntegers = 32;
};

struct GraphOutline {
  std::vector<NodeOutline> nodes;          ///< in the file's order; those of a subgraph before their owner
  std::vector<std::string> inputs;         ///< of the main graph, those with an initializer left out
  std::map<std::string, ValueType> types;  ///< as the main graph states them, inner values included
  std::map<std::string, ConstantOutline> constants;  ///< of the main graph
  std::map<ElementType, std::size_t> weights;  ///< how many constants of each type, those of subgraphs too
};

/// Errors: those of inspect(). An ORT-format file gives an empty outline.
Result<GraphOutline> read_outline(const std::filesystem::path& path);
Result<GraphOutline> read_outline(std::span<const std::byte> model);

}  // namespace surefoot::onnx
