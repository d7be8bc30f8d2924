/// Whether a provider that opened does any of the work.
#pragma once

#include "ort/session.hpp"
#include "surefoot/plan.hpp"

namespace surefoot::session {

/// Errors: ProviderFailed when the leading provider's capability call failed (ORT only logs that) or
/// when it took no node. Success where ORT cannot tell: before 1.24, and for providers whose row says
/// that ORT's report is incomplete.
Result<void> check_placement(const ort::Session& session, const Candidate& candidate);

}  // namespace surefoot::session
