#include "ort/binding.hpp"

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

Result<void> Binding::bind_input(const char* name, const TensorView& memory) {
  auto value = wrap(session_->environment(), memory);
  if (!value) return fail(std::move(value).error());
  return api().call(fn::BindInput, handle_.get(), name, static_cast<const OrtValue*>(value->get()));
}

Result<void> Binding::bind_input(const char* name, const DeviceTensor& tensor) {
  return api().call(fn::BindInput, handle_.get(), name, tensor.value());
}

Result<void> Binding::bind_output(const char* name, const MutableTensorView& memory) {
  auto value = wrap(session_->environment(), memory);
  if (!value) return fail(std::move(value).error());
  return api().call(fn::BindOutput, handle_.get(), name, static_cast<const OrtValue*>(value->get()));
}

Result<void> Binding::bind_output(const char* name, const DeviceTensor& tensor) {
  return api().call(fn::BindOutput, handle_.get(), name, tensor.value());
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
