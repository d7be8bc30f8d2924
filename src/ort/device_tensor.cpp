#include "ort/device_tensor.hpp"

#include "ort/element.hpp"
#include "ort/value.hpp"

namespace surefoot::ort {

Result<std::shared_ptr<DeviceTensor>> DeviceTensor::make(std::shared_ptr<const Session> session,
                                                         const OrtMemoryInfo* where,
                                                         const MutableTensorView& host) {
  const Api& api = session->environment().api();
  const auto* const raw = static_cast<const OrtSession*>(session->handle());
  std::shared_ptr<DeviceTensor> made(new DeviceTensor(std::move(session), where, host.bytes));
  auto wrapped = wrap(made->session_->environment(), host);
  if (!wrapped) return fail(std::move(wrapped).error());
  auto allocator = ort::make<OrtAllocator>(api, fn::CreateAllocator, raw, where);
  if (!allocator) return fail(std::move(allocator).error());
  auto device = ort::make<OrtValue>(api, fn::CreateTensorAsOrtValue, allocator->get(), host.shape.data(),
                                    host.shape.size(), to_ort(host.type));
  if (!device) return fail(std::move(device).error());
  made->host_ = std::move(*wrapped);
  made->allocator_ = std::move(*allocator);
  made->device_ = std::move(*device);
  // Whether copies work at all shows now, and not in a run.
  if (auto sent = made->send(); !sent) return fail(std::move(sent).error());
  return made;
}

Result<void> DeviceTensor::copy(const OrtValue* from, OrtValue* to) const {
  const Environment& environment = session_->environment();
  return environment.api().call(fn::CopyTensors, static_cast<const OrtEnv*>(environment.handle()), &from, &to,
                                static_cast<OrtSyncStream*>(nullptr), std::size_t{1});
}

void* DeviceTensor::address() const noexcept {
  void* data = nullptr;
  (void)session_->environment().api().call(fn::GetTensorMutableData, device_.get(), &data);
  return data;
}

int DeviceTensor::device_number() const noexcept {
  int number = 0;
  (void)session_->environment().api().call(fn::MemoryInfoGetId, where_, &number);
  return number;
}

}  // namespace surefoot::ort
