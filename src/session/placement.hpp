/// Whether a provider that opened does any of the work.
#pragma once

#include <optional>

#include "ort/session.hpp"
#include "surefoot/plan.hpp"

namespace surefoot::session {

/// Errors: ProviderFailed when the leading provider's capability call failed (ORT only logs that) or
/// when it took no node. Gives a note, Unsupported, where ORT cannot tell: before 1.24, and for providers
/// whose row says that ORT's report is incomplete.
Result<std::optional<Error>> check_placement(const ort::Session& session, const Candidate& candidate);

}  // namespace surefoot::session
