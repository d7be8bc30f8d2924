/// Which ONNX Runtime reads which IR version and opsets.
#pragma once

#include <span>
#include <string>

#include "surefoot/model_info.hpp"

namespace surefoot::plan {

/// What one release accepts at most.
struct ReleaseSupport {
  int minor = 0;  ///< of 1.x
  std::int64_t ir = 0;
  std::int64_t opset = 0;     ///< of the default domain
  std::int64_t ml_opset = 0;  ///< of ai.onnx.ml
};

/// Oldest first. Measured: each release was given models of IR 99, opset 99 and ai.onnx.ml 99, and said how
/// far it goes; release_support_test.cpp asks those that the tests have.
std::span<const ReleaseSupport> known_releases();

/// The row of 1.`minor`; the nearest where there is none.
const ReleaseSupport& support_of(int minor);

/// Why a release refuses the model: "it reads IR versions up to 10, the model has 13"; empty when it does
/// not.
std::string refusal(const ReleaseSupport& release, const ModelInfo& model);

/// The oldest release that refuses nothing, or null.
const ReleaseSupport* first_release_for(const ModelInfo& model);

}  // namespace surefoot::plan
