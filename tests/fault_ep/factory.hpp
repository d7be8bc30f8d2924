/// What ORT holds of the library while it is registered: offers devices, makes providers.
#pragma once

#include <optional>

#include "device_memory.hpp"
#include "provider.hpp"

namespace surefoot::fault_ep {

/// Lifetime  owned by ORT, from CreateEpFactories to ReleaseEpFactory.
struct Factory : OrtEpFactory {
  /// `registered_name` is the provider's name unless FAULTEP_NAME says otherwise.
  /// Throws std::invalid_argument when the environment's fault plan cannot be read.
  explicit Factory(const std::string& registered_name);

  std::string name;
  FaultPlan plan;  // the environment's; sessions with an option `fault` have one of their own
  std::optional<DeviceMemory> memory;
};

}  // namespace surefoot::fault_ep
