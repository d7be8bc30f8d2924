/// ORT's errors in plain words, with the action that helps.
#pragma once

#include "surefoot/runtime.hpp"

namespace surefoot::session {

/// For an error of opening a model: names the runtime's version where that matters, gives a code that
/// tells the model's fault from the provider's, and a hint.
Error explain_open(Error error, const Runtime& runtime);

}  // namespace surefoot::session
