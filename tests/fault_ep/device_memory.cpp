#include "device_memory.hpp"

#include <cstdlib>
#include <cstring>

#include "fault_injection.hpp"

namespace surefoot::fault_ep {
namespace {

constexpr std::size_t kAlignmentBytes = 64;

OrtMemoryInfo* make_info() {
  OrtMemoryInfo* info = nullptr;
  check(host().api->CreateMemoryInfo_V2(kDeviceMemoryName, OrtMemoryInfoDeviceType_GPU, kVendorId, 0,
                                        OrtDeviceMemoryType_DEFAULT, 0, OrtDeviceAllocator, &info));
  return info;
}

void* ORT_API_CALL allocate(OrtAllocator*, std::size_t size_bytes) {
  return std::aligned_alloc(kAlignmentBytes,
                            (size_bytes + kAlignmentBytes - 1) / kAlignmentBytes * kAlignmentBytes);
}

void ORT_API_CALL release(OrtAllocator*, void* block) { std::free(block); }

bool is_ours(const OrtMemoryDevice* device) {
  return host().ep->MemoryDevice_GetVendorId(device) == kVendorId;
}

bool ORT_API_CALL can_copy(const OrtDataTransferImpl*, const OrtMemoryDevice* source,
                           const OrtMemoryDevice* target) noexcept {
  return is_ours(source) || is_ours(target);
}

void copy_tensor(const OrtValue* source, OrtValue* target) {
  const OrtApi& api = *host().api;
  const void* from = nullptr;
  void* to = nullptr;
  std::size_t size_bytes = 0;
  check(api.GetTensorData(source, &from));
  check(api.GetTensorMutableData(target, &to));
  check(api.GetTensorSizeInBytes(source, &size_bytes));
  if (size_bytes != 0) std::memcpy(to, from, size_bytes);
}

}  // namespace

OrtStatus* ORT_API_CALL DeviceMemory::copy_tensors(OrtDataTransferImpl* self, const OrtValue** sources,
                                                   OrtValue** targets, OrtSyncStream**,
                                                   std::size_t count) noexcept {
  return guard([&] {
    for (std::size_t i = 0; i < count; ++i) {
      const bool to_device = is_ours(host().ep->Value_GetMemoryDevice(targets[i]));
      enter(*static_cast<DataTransfer*>(self)->plan, to_device ? Stage::send : Stage::fetch);
      copy_tensor(sources[i], targets[i]);
    }
  });
}

DeviceMemory::DeviceMemory(FaultPlan& plan)
    : info_(make_info(), [](OrtMemoryInfo* info) { host().api->ReleaseMemoryInfo(info); }) {
  allocator_.version = host().version;
  allocator_.memory_info = info_.get();
  allocator_.Alloc = allocate;
  allocator_.Free = release;
  allocator_.Info = [](const OrtAllocator* self) { return static_cast<const Allocator*>(self)->memory_info; };
  data_transfer_.ort_version_supported = host().version;
  data_transfer_.Release = [](OrtDataTransferImpl*) noexcept {};
  data_transfer_.CanCopy = can_copy;
  data_transfer_.CopyTensors = copy_tensors;
  data_transfer_.plan = &plan;
}

}  // namespace surefoot::fault_ep
