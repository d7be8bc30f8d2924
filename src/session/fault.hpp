/// Whose fault a failed run is.
#pragma once

#include "surefoot/error.hpp"

namespace surefoot::session {

enum class Fault {
  Caller,    ///< stopped by the caller: no candidate is to blame
  Memory,    ///< memory ran out
  Provider,  ///< the provider said that it failed
  Unclear,   ///< ORT's code and text say nothing of whose fault it is
};

Fault fault_of(const Error& error);

/// Whether two candidates refused the same inputs in the same way, so that the inputs are at fault.
/// `on_host`: the second refusal came from CPU, the reference: what it cannot do either judges nobody.
bool blames_inputs(const Error& first, const Error& second, bool on_host);

}  // namespace surefoot::session
