/// A tensor on a session's device, beside the host memory that mirrors it.
#pragma once

#include <memory>

#include "ort/session.hpp"

namespace surefoot::ort {

/// Lifetime  keeps the session alive; the host memory must outlive it.
/// Threads   one at a time.
class DeviceTensor {
 public:
  /// `where` is what the session says of the input or output. Its content is not defined.
  /// Errors: what ORT said; Unsupported before ORT 1.23, which cannot copy.
  static Result<std::shared_ptr<DeviceTensor>> make(std::shared_ptr<const Session> session,
                                                    const OrtMemoryInfo* where,
                                                    const MutableTensorView& host);

  /// Host to device, and back. Returns when the copy is done. Errors: what ORT said.
  Result<void> send() const { return copy(host_.get(), device_.get()); }
  Result<void> fetch() const { return copy(device_.get(), host_.get()); }

  const OrtValue* value() const noexcept { return device_.get(); }
  std::span<std::byte> host() const noexcept { return memory_; }
  /// Where it lies: an address or a handle, as the device has it, and the device's number.
  void* address() const noexcept;
  int device_number() const noexcept;

 private:
  DeviceTensor(std::shared_ptr<const Session> session, const OrtMemoryInfo* where,
               std::span<std::byte> memory)
      : session_(std::move(session)), where_(where), memory_(memory) {}
  Result<void> copy(const OrtValue* from, OrtValue* to) const;

  std::shared_ptr<const Session> session_;
  const OrtMemoryInfo* where_;  ///< the session's
  std::span<std::byte> memory_;
  Handle<OrtValue> host_;
  Handle<OrtAllocator> allocator_;
  Handle<OrtValue> device_;
};

}  // namespace surefoot::ort
