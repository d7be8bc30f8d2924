/// Opening the model that a command names, with the session flags that it was given.
#pragma once

#include "apps/cli/flag.hpp"
#include "surefoot/session.hpp"

namespace surefoot::cli {

/// The command's first word, opened as its flags say.
/// Errors: those of inspect(), even where no ONNX Runtime is to be found; then of the flags, of
/// Runtime::load() and of Session::open().
Result<Session> open_model(const Parsed& parsed);

/// The same with options that the command has changed, on the runtime that its flags name.
Result<Session> open_model(const Parsed& parsed, SessionOptions options);

}  // namespace surefoot::cli
