/// Parts of a model that a provider compiled before: whether they fit what is here.
#pragma once

#include <optional>

#include "surefoot/model_info.hpp"
#include "surefoot/plan.hpp"
#include "surefoot/runtime.hpp"

namespace surefoot::session {

/// Asks the provider about what it left in the model to know its work by.
/// Errors: Unsupported where the parts are of another version or for other hardware. Gives a note where they
/// run and would run better compiled anew; nothing where the provider does not say.
Result<std::optional<Error>> check_compiled_parts(const ModelInfo& model, const Runtime& runtime);

/// The provider whose parts the model holds, and why it is not to be had, in place of what every other
/// provider had to say; the error as it was for a model without such parts.
Error name_missing_compiler(Error error, const ModelInfo& model, const Plan& plan);

/// Adds to the failure of opening such a model that the parts may be of another version.
Error suspect_compiled_parts(Error error, const ModelInfo& model);

}  // namespace surefoot::session
