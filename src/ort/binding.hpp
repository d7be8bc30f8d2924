/// One ORT session bound to memory that stays where it is, and run on it again and again.
#pragma once

#include <memory>
#include <vector>

#include "ort/run_options.hpp"
#include "ort/session.hpp"

namespace surefoot::ort {

/// Lifetime  keeps the session alive; bound memory must outlive the binding, or be bound anew.
/// Threads   one at a time.
class Binding {
 public:
  static Result<Binding> make(std::shared_ptr<const Session> session);

  /// Binds host memory to the input of that name, in place of what was bound before. Where the session takes
  /// the input on a device, `bytes` are copied there by send().
  Result<void> bind_input(const char* name, const TensorView& memory);
  /// Binds host memory to an output: written by each run, whatever device computes it.
  Result<void> bind_output(const char* name, const MutableTensorView& memory);
  /// Leaves it to each run where the output is placed.
  Result<void> leave_output(const char* name);

  /// Whether the input lives on a device, so that changes need send().
  bool needs_send(const char* name) const noexcept;
  /// Copies the bound memory of such an input to its device. Does nothing for others.
  Result<void> send(const char* name);

  /// Errors: what ORT said, with its warnings. Allocates nothing of ours.
  Result<void> run(const RunOptions& options) const;

  /// The outputs of the last run in the order in which they were bound, as ORT holds them.
  Result<std::vector<Value>> outputs() const;

 private:
  /// An input that the session takes on a device, or perhaps does.
  struct Sent {
    std::string name;
    Handle<OrtValue> host;
    Handle<OrtAllocator> allocator;
    Handle<OrtValue> device;  ///< null where ORT can only copy while binding
  };
  Binding(std::shared_ptr<const Session> session, Handle<OrtIoBinding> handle)
      : session_(std::move(session)), handle_(std::move(handle)) {}
  const Api& api() const noexcept { return session_->environment().api(); }
  const Sent* find_sent(std::string_view name) const noexcept;
  Result<void> copy(const Sent& sent) const;
  void place_on_device(Sent& sent, const OrtMemoryInfo* where, const TensorView& memory) const;

  std::shared_ptr<const Session> session_;
  Handle<OrtIoBinding> handle_;
  std::vector<Sent> sent_;
};

}  // namespace surefoot::ort
