/// Decides where each weight goes when a model is saved, before anything is written.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "model/state.hpp"
#include "onnx/tensor_rewriter.hpp"

namespace surefoot::model {

/// A weight that is written otherwise than it is stored; without a place it goes into the model's file.
struct Move {
  const Weight* weight;
  std::optional<onnx::ExternalPlace> place = {};
};

struct SavePlan {
  std::vector<Move> moves;              ///< those of one data file in order of their places in it
  std::set<std::string> files_to_keep;  ///< locations that what stays refers to
};

/// `target` is the model's file that will be written.
/// What ONNX Runtime is to be given in memory: the places are names only. Small weights stay in the graph,
/// since shapes are inferred from them; so do text and those of subgraphs, which it takes from nowhere else.
SavePlan plan_session(const State& state);

SavePlan plan_save(const State& state, const std::filesystem::path& target, const SaveOptions& options);

}  // namespace surefoot::model
