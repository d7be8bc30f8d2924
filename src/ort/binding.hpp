/// One ORT session bound to memory that stays where it is, and run on it again and again.
#pragma once

#include <memory>
#include <vector>

#include "ort/device_tensor.hpp"
#include "ort/run_options.hpp"

namespace surefoot::ort {

/// Lifetime  keeps the session alive; bound memory must outlive the binding, or be bound anew.
/// Threads   one at a time.
class Binding {
 public:
  static Result<Binding> make(std::shared_ptr<const Session> session);

  /// Binds host memory to the input of that name, in place of what was bound before. Where the session takes
  /// the input on a device, ORT copies it there now: bind it again when it has changed.
  Result<void> bind_input(const char* name, const TensorView& memory);
  /// Binds memory on the device, where it stays.
  Result<void> bind_input(const char* name, const DeviceTensor& tensor);
  /// Binds host memory to an output: written by each run, whatever device computes it.
  Result<void> bind_output(const char* name, const MutableTensorView& memory);
  /// Leaves the output on the device, in that memory.
  Result<void> bind_output(const char* name, const DeviceTensor& tensor);
  /// Leaves it to each run where the output is placed.
  Result<void> leave_output(const char* name);

  /// Errors: what ORT said, with its warnings. Allocates nothing of ours.
  Result<void> run(const RunOptions& options) const;

  /// The outputs of the last run in the order in which they were bound, as ORT holds them.
  Result<std::vector<Value>> outputs() const;

 private:
  Binding(std::shared_ptr<const Session> session, Handle<OrtIoBinding> handle)
      : session_(std::move(session)), handle_(std::move(handle)) {}
  const Api& api() const noexcept { return session_->environment().api(); }

  std::shared_ptr<const Session> session_;
  Handle<OrtIoBinding> handle_;
};

}  // namespace surefoot::ort
