#include "session/fault.hpp"

namespace surefoot::session {

Fault fault_of(const Error& error) {
  switch (error.code) {
    case ErrorCode::Cancelled:
      return Fault::Caller;
    case ErrorCode::OutOfMemory:
      return Fault::Memory;
    case ErrorCode::ProviderFailed:
      return Fault::Provider;
    default:
      return Fault::Unclear;
  }
}

bool blames_inputs(const Error& first, const Error& second, bool on_host) {
  if (on_host) return true;
  const Fault one = fault_of(first), other = fault_of(second);
  // Two providers may each fail for reasons of their own, in the same words.
  return one == other && one != Fault::Provider;
}

}  // namespace surefoot::session
