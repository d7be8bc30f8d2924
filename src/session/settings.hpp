/// From the caller's options and a candidate to what an ORT session is made with.
#pragma once

#include "ort/session_options.hpp"
#include "surefoot/session.hpp"

namespace surefoot::session {

/// Checks everything in the options that ORT would accept in silence: config keys, names of free
/// dimensions against those of the model, sizes.
/// Errors: InvalidArgument with the nearest name.
Result<void> check_options(const SessionOptions& options, const ModelInfo& model);

/// The settings for one candidate. `plan` gives the checked provider options.
ort::SessionSettings settings_for(const SessionOptions& options, const Plan& plan, const Candidate& candidate,
                                  const Runtime& runtime);

}  // namespace surefoot::session
