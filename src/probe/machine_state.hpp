/// What a verdict depends on, as a fingerprint: when any of it changes, the verdict is forgotten.
#pragma once

#include <map>
#include <string>

#include "cache/digest.hpp"
#include "surefoot/isolated_probe.hpp"
#include "surefoot/provider.hpp"

namespace surefoot::probe {

/// Covers the runtime's file and version, the provider's own library and options, every registered plugin,
/// the loader's cache and search path, kernel and drivers, device files, Vulkan's driver list. Reads names,
/// sizes and times alone; kernel, drivers and devices once a process.
/// `provider` is the short name.
cache::Digest state_of(const Runtime& runtime, const std::string& provider, const ProbeRequest& request);

/// The plugin libraries that a probe registers, by name.
std::map<std::string, std::filesystem::path> plugins_of(const Runtime& runtime, const ProbeRequest& request);

}  // namespace surefoot::probe
