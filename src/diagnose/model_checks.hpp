/// The single checks of check_model(): each looks at one thing and adds what it finds.
#pragma once

#include "onnx/graph_outline.hpp"
#include "surefoot/model_check.hpp"

namespace surefoot::diagnose {

/// What the checks look at.
struct CheckedModel {
  const std::filesystem::path& path;
  const ModelInfo& info;
  const onnx::GraphOutline& outline;
};

using Findings = std::vector<ModelFinding>;

/// IR version and opsets against each ORT found; fills `runtimes` and `first_runtime` too.
void check_runtimes(ModelCheck& check, std::span<const RuntimeFound> runtimes);

/// Operators of foreign domains, with the library that brings them.
void check_operators(const CheckedModel& model, Findings& findings);
/// Parts that were compiled for a provider.
void check_compiled_parts(const CheckedModel& model, Findings& findings);
/// Text operators that want a locale of the system.
void check_locales(const CheckedModel& model, Findings& findings);
/// Half-precision weights and inputs.
void check_half_precision(const CheckedModel& model, Findings& findings);

/// Files beside the model: missing or short ones, and all of them with their sizes.
void check_weights(const CheckedModel& model, Findings& findings);

/// Inputs with free dimensions.
void check_free_dimensions(const CheckedModel& model, Findings& findings);
/// Nodes whose output's shape depends on the data.
void check_unknown_shapes(const CheckedModel& model, Findings& findings);
/// A Reshape that fixes the first axis of what comes from a free batch.
void check_frozen_batch(const CheckedModel& model, Findings& findings);
/// Nodes that keep a provider from recording the whole model as one graph.
void check_graph_capture(const CheckedModel& model, Findings& findings);

/// Operators whose outputs have as many elements as the data decides.
bool has_data_dependent_shape(const onnx::NodeOutline& node);

/// "`a` (NonZero)" for each node, at most ten and how many more.
std::vector<std::string> names_of(std::span<const onnx::NodeOutline* const> nodes);

}  // namespace surefoot::diagnose
