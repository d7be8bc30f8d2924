#include "ort/binding.hpp"

#include <algorithm>

#include "ort/element.hpp"
#include "ort/log.hpp"
#include "ort/value.hpp"

namespace surefoot::ort {
namespace {

/// Releases the values of an array that ORT allocated, and the array.
class ValueArray {
 public:
  explicit ValueArray(const Environment& environment) : environment_(environment) {}
  ~ValueArray() {
    const auto release = environment_.api().get(fn::ReleaseValue);
    for (std::size_t i = 0; i < count; ++i)
      if (values[i] != nullptr) release(values[i]);
    if (values != nullptr)
      (void)environment_.api().call(fn::AllocatorFree, environment_.allocator(), static_cast<void*>(values));
  }
  ValueArray(const ValueArray&) = delete;
  ValueArray& operator=(const ValueArray&) = delete;

  Handle<OrtValue> take(std::size_t i) {
    return {std::exchange(values[i], nullptr), Release<OrtValue>{&environment_.api()}};
  }

  OrtValue** values = nullptr;
  std::size_t count = 0;

 private:
  const Environment& environment_;
};

}  // namespace

Result<Binding> Binding::make(std::shared_ptr<const Session> session) {
  auto handle = ort::make<OrtIoBinding>(session->environment().api(), fn::CreateIoBinding, session->handle());
  if (!handle) return fail(std::move(handle).error());
  return Binding(std::move(session), std::move(*handle));
}

const Binding::Sent* Binding::find_sent(std::string_view name) const noexcept {
  const auto at = std::ranges::find(sent_, name, &Sent::name);
  return at == sent_.end() ? nullptr : &*at;
}

bool Binding::needs_send(const char* name) const noexcept { return find_sent(name) != nullptr; }

/// Memory that stays on the device, so that a run finds the input at the same address each time. Where
/// there is none to be had, ORT copies whenever it binds.
void Binding::place_on_device(Sent& sent, const OrtMemoryInfo* where, const TensorView& memory) const {
  auto allocator = ort::make<OrtAllocator>(api(), fn::CreateAllocator,
                                           static_cast<const OrtSession*>(session_->handle()), where);
  if (!allocator) return;
  auto device = ort::make<OrtValue>(api(), fn::CreateTensorAsOrtValue, allocator->get(), memory.shape.data(),
                                    memory.shape.size(), to_ort(memory.type));
  if (!device) return;
  sent.allocator = std::move(*allocator);
  sent.device = std::move(*device);
  if (copy(sent)) return;
  sent.device.reset();
}

Result<void> Binding::copy(const Sent& sent) const {
  const OrtValue* from = sent.host.get();
  OrtValue* to = sent.device.get();
  return api().call(fn::CopyTensors, static_cast<const OrtEnv*>(session_->environment().handle()), &from, &to,
                    static_cast<OrtSyncStream*>(nullptr), std::size_t{1});
}

Result<void> Binding::bind_input(const char* name, const TensorView& memory) {
  std::erase_if(sent_, [&](const Sent& sent) { return sent.name == name; });
  auto host = wrap(session_->environment(), memory);
  if (!host) return fail(std::move(host).error());
  const InputPlace place = session_->place_of_input(name);
  if (place.on_host)
    return api().call(fn::BindInput, handle_.get(), name, static_cast<const OrtValue*>(host->get()));
  Sent sent{.name = name, .host = std::move(*host), .allocator = {}, .device = {}};
  if (place.device != nullptr) place_on_device(sent, place.device, memory);
  const OrtValue* const bound = sent.device != nullptr ? sent.device.get() : sent.host.get();
  sent_.push_back(std::move(sent));
  return api().call(fn::BindInput, handle_.get(), name, bound);
}

Result<void> Binding::send(const char* name) {
  const Sent* sent = find_sent(name);
  if (sent == nullptr) return {};
  if (sent->device != nullptr) return copy(*sent);
  return api().call(fn::BindInput, handle_.get(), name, static_cast<const OrtValue*>(sent->host.get()));
}

Result<void> Binding::bind_output(const char* name, const MutableTensorView& memory) {
  auto value = wrap(session_->environment(), memory);
  if (!value) return fail(std::move(value).error());
  return api().call(fn::BindOutput, handle_.get(), name, static_cast<const OrtValue*>(value->get()));
}

Result<void> Binding::leave_output(const char* name) {
  return api().call(fn::BindOutputToDevice, handle_.get(), name, session_->environment().cpu_memory());
}

Result<void> Binding::run(const RunOptions& options) const {
  const LogCapture log;
  auto done = api().call(fn::RunWithBinding, session_->handle(), options.raw(),
                         static_cast<const OrtIoBinding*>(handle_.get()));
  if (done) return done;
  return fail(log.explain(failure_of_run(std::move(done).error())));
}

Result<std::vector<Value>> Binding::outputs() const {
  const Environment& environment = session_->environment();
  ValueArray made(environment);
  auto got = api().call(fn::GetBoundOutputValues, static_cast<const OrtIoBinding*>(handle_.get()),
                        environment.allocator(), &made.values, &made.count);
  if (!got) return fail(std::move(got).error());
  std::vector<Value> outputs(made.count);
  for (std::size_t i = 0; i < made.count; ++i) {
    if (made.values[i] == nullptr) continue;
    auto value = unwrap(environment, made.take(i));
    if (!value) return fail(std::move(value).error());
    outputs[i] = std::move(*value);
  }
  return outputs;
}

}  // namespace surefoot::ort
