/// Memory that pretends to be a device's: ORT copies to and from it as it would with a GPU's.
#pragma once

#include "host.hpp"

namespace surefoot::fault_ep {

inline constexpr std::uint32_t kVendorId = 0xFA17;
inline constexpr const char* kDeviceMemoryName = "FaultDev";

/// Lifetime  ORT borrows all three parts; the factory that owns this outlives them.
class DeviceMemory {
 public:
  DeviceMemory();

  const OrtMemoryInfo* info() const { return info_.get(); }
  OrtAllocator* allocator() { return &allocator_; }
  OrtDataTransferImpl* data_transfer() { return &data_transfer_; }

 private:
  struct Allocator : OrtAllocator {
    const OrtMemoryInfo* memory_info;
  };

  std::unique_ptr<OrtMemoryInfo, void (*)(OrtMemoryInfo*)> info_;
  Allocator allocator_{};
  OrtDataTransferImpl data_transfer_{};
};

}  // namespace surefoot::fault_ep
