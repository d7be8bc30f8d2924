/// What verdicts make of the providers that a plan may choose among.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "probe/child_process.hpp"
#include "surefoot/isolated_probe.hpp"
#include "surefoot/provider.hpp"

namespace surefoot::probe {

using ProviderOptionsOf = std::function<ProviderOptions(const ProviderStatus&)>;

/// The verdict that is remembered for this state of the machine.
std::optional<ProbeVerdict> remembered(const Runtime& runtime, const ProbeRequest& request,
                                       const IsolationOptions& options = {});

/// What became of a process of the probe program's: its own answer, else how it ended.
void judge(const ChildEnd& end, std::chrono::milliseconds limit, ProbeVerdict& verdict);

/// Why a provider with that verdict is not to be used.
Error rejection(const ProbeVerdict& verdict);

/// Marks those of `providers` whose verdict is harmful as not present, with the reason; true when there was
/// one. With ProbePolicy::Probe those without a verdict are probed. Errors: those of probe_isolated().
Result<bool> heed_verdicts(const Runtime& runtime, const IsolationOptions& options,
                           const ProviderOptionsOf& options_of, std::span<ProviderStatus* const> providers);

}  // namespace surefoot::probe
