/// What of a candidate the cache can keep.
#pragma once

#include <string>

#include "session/opener.hpp"

namespace surefoot::session {

/// The CPU's optimised model, or what a provider compiles. Errors: Unsupported for a provider that compiles
/// nothing that could be kept, and where graphs are captured.
Result<void> check_kept(const SessionOptions& options, const Candidate& candidate);

/// Purpose::compiled_for: the candidate's providers with their options, drivers and devices.
std::string compiled_for(const OpenRequest& request, const Candidate& candidate);

}  // namespace surefoot::session
