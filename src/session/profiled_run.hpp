/// A few runs of a candidate under ORT's profiler.
#pragma once

#include <span>

#include "session/opener.hpp"
#include "surefoot/profile.hpp"

namespace surefoot::session {

/// Opens the candidate once more, apart from the chain, runs it and reads the profile; the file is gone
/// afterwards. The first run, which warms up, is not counted. ORT logs at level info meanwhile.
/// Errors: those of opening and running; IoFailed where no profile can be written.
Result<ProfileSummary> profile_run(const OpenRequest& request, const Candidate& candidate,
                                   std::span<const ort::Argument> arguments,
                                   std::span<const ort::Target> targets);

}  // namespace surefoot::session
