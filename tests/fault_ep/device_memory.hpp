/// Memory that pretends to be a device's: ORT copies to and from it as it would with a GPU's.
#pragma once

#include "fault_plan.hpp"
#include "host.hpp"

namespace surefoot::fault_ep {

inline constexpr std::uint32_t kVendorId = 0xFA17;
inline constexpr const char* kDeviceMemoryName = "FaultDev";

/// Lifetime  ORT borrows all three parts; the factory that owns this, and `plan`, outlives them.
class DeviceMemory {
 public:
  explicit DeviceMemory(FaultPlan& plan);

  const OrtMemoryInfo* info() const { return info_.get(); }
  OrtAllocator* allocator() { return &allocator_; }
  OrtDataTransferImpl* data_transfer() { return &data_transfer_; }

 private:
  struct Allocator : OrtAllocator {
    const OrtMemoryInfo* memory_info;
  };

  std::unique_ptr<OrtMemoryInfo, void (*)(OrtMemoryInfo*)> info_;
  Allocator allocator_{};
  struct DataTransfer : OrtDataTransferImpl {
    FaultPlan* plan;
  };
  static OrtStatus* ORT_API_CALL copy_tensors(OrtDataTransferImpl* self, const OrtValue** sources,
                                              OrtValue** targets, OrtSyncStream** streams,
                                              std::size_t count) noexcept;
  DataTransfer data_transfer_{};
};

}  // namespace surefoot::fault_ep
