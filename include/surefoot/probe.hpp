/// Probes: whether a provider really works, found out by using it.
#pragma once

#include "surefoot/plan.hpp"

namespace surefoot {

/// Opens a one-node model (a matrix product) on the provider, required, runs it, and compares the numbers
/// with those computed here. Runs in this process: a provider that crashes takes it along.
/// Errors: InvalidArgument (unknown name, wrong option); the reason why the provider is absent;
/// ProviderFailed with the stage's own error; RunFailed when the numbers differ by more than 1 %.
Result<void> probe(const Runtime& runtime, const std::string& provider, const ProviderOptions& options = {});

}  // namespace surefoot
