/// Whether a compiled model gives what its source gives.
#pragma once

#include "surefoot/compile.hpp"

namespace surefoot::compilation {

/// The inputs of both runs, and what the source made of them.
struct Reference {
  std::vector<std::string> sample_names = {};  ///< of what was made up; empty where the caller gave inputs
  std::vector<Tensor> samples = {};
  std::vector<Input> inputs = {};       ///< view the two above, or the caller's memory
  std::vector<std::string> names = {};  ///< of the outputs
  std::vector<Value> outputs = {};
};

/// Runs the source. Errors: those of infer(); made-up inputs that the model refuses are no fault of it, and
/// the hint says so.
Result<Reference> run_source(const Session& source, const std::vector<Input>& given);

/// Runs the artifact on the same, and compares. `tolerance` below 0: by element type.
/// Errors: those of infer(); RunFailed naming the output that differs most.
Result<CompileValidation> compare_with(const Session& compiled, const Reference& reference, double tolerance);

}  // namespace surefoot::compilation
