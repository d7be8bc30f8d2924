/// How long events took by themselves.
#pragma once

#include <span>
#include <vector>

#include "profile/trace_event.hpp"

namespace surefoot::profile {

/// For each event its duration without those of events inside it, on the same thread: a node with a body
/// (If, Loop, Scan) is one event around those of its body.
std::vector<std::int64_t> self_times(std::span<const TraceEvent> events);

}  // namespace surefoot::profile
