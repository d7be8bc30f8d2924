/// Whether two sessions give the same on the same made-up inputs.
#pragma once

#include <vector>

#include "ort/session.hpp"

namespace surefoot::session {

/// A small tensor for each input that is required, in their order: free axes by guess, no zeros.
/// Errors: Unsupported where one of them is no tensor, or its rank is not known.
Result<std::vector<Tensor>> sample_inputs(const std::vector<ValueInfo>& inputs);

/// How near two outputs must be.
enum class Alike {
  Exactly,  ///< bit for bit; a run that both refuse counts as the same, since free axes are filled by guess
  Roughly,  ///< within loose_tolerance(), and both must run
};

/// Runs both on small inputs of the types that the model declares, and compares `one`'s outputs with
/// `other`'s. Errors: RunFailed naming the output that differs; Unsupported where an input is no tensor.
Result<void> compare_on_samples(const ort::Session& one, const ort::Session& other,
                                Alike wanted = Alike::Exactly);

}  // namespace surefoot::session
