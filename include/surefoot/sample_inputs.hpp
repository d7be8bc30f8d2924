/// Inputs made up for a model, for trying it without data: to compare, measure and profile.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "surefoot/model_info.hpp"

namespace surefoot {

struct SampleOptions {
  std::uint64_t seed = 0;                               ///< the same seed gives the same numbers everywhere
  std::map<std::string, std::int64_t> dimensions = {};  ///< sizes of free axes, by symbolic name
  std::int64_t scale = 1;  ///< other free axes are made so many times longer, up to a million
};

struct SampleInput {
  std::string name;
  Tensor tensor;
};

/// One tensor for each required input. Free axes get the size 1 where they are the first two (batch,
/// channels) or called batch, and 32 where they lie further in, are the second of two, or are called by a
/// name that says so. Numbers lie in a range that suits type and name: masks are 1, ids small and not
/// negative, lengths the longest axis, images from 0 to 1, other fractions from -1 to 1.
/// Errors: InvalidArgument for a scale out of its range; Unsupported naming the input that is no tensor, or
/// whose rank the model does not state.
Result<std::vector<SampleInput>> sample_inputs(std::span<const ValueInfo> inputs,
                                               const SampleOptions& options = {});

}  // namespace surefoot
