/// What can be said against a request to compile before anything is opened.
#pragma once

#include "surefoot/compile.hpp"

namespace surefoot::compilation {

/// Errors: InvalidArgument (an option that has no meaning here, a form that does not go with another option),
/// Unsupported (the source is compiled already).
Result<void> check_request(const CompileOptions& options, const ModelInfo& source);

}  // namespace surefoot::compilation
