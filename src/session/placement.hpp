/// Whether a provider that opened does any of the work, and which.
#pragma once

#include <optional>

#include "ort/session.hpp"
#include "surefoot/placement.hpp"
#include "surefoot/plan.hpp"
#include "surefoot/profile.hpp"

namespace surefoot::session {

/// Errors: ProviderFailed when the leading provider's capability call failed (ORT only logs that), when it
/// took no node, or when the candidate's providers but the CPU took less than `least` of all. Gives a note,
/// Unsupported, where ORT cannot tell: before 1.24, and for providers whose row says that ORT's report is
/// incomplete.
Result<std::optional<Error>> check_placement(const ort::Session& session, const Candidate& candidate,
                                             double least = 0);

/// What ORT reported when the session was made. Errors: Unsupported where it cannot tell.
Result<Placement> reported_placement(const ort::Session& session, const Candidate& candidate);

/// What a profile shows, with the nodes of the report where that is complete.
Placement measured_placement(const ProfileSummary& profile, Result<Placement> reported,
                             const Candidate& candidate);

}  // namespace surefoot::session
