/// ORT's errors in plain words, with the action that helps.
#pragma once

#include "surefoot/model_info.hpp"
#include "surefoot/runtime.hpp"

namespace surefoot::session {

/// For an error of opening a model: names the runtime's version where that matters, gives a code that
/// tells the model's fault from the provider's, and a hint.
Error explain_open(Error error, const Runtime& runtime);

/// Adds all operators that ORT does not have to an error about one of them: it stops at the first.
Error name_foreign_operators(Error error, const ModelInfo& model);

}  // namespace surefoot::session
