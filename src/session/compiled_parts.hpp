/// Parts of a model that a provider compiled before: whether they fit what is here.
///
/// ORT asks the provider while it makes a session (from 1.23 on). To ask it ourselves is no way: QNN's plugin
/// (2.7.0) answers through the logger of its last session, and crashes when that is gone.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "surefoot/model_info.hpp"
#include "surefoot/plan.hpp"

namespace surefoot::session {

/// The failure of opening such a model in words: that the parts are of another version or for other hardware
/// where the provider says so, that they may be where it does not; the error as it was for any other model.
Error explain_compiled_parts(Error error, const ModelInfo& model);

/// What is to be known of a session that opened: parts that run, and would run better compiled anew.
/// `warnings` are ORT's.
std::optional<Error> note_on_compiled_parts(const ModelInfo& model, std::span<const std::string> warnings);

/// The provider whose parts the model holds, and why it is not to be had, in place of what every other
/// provider had to say; the error as it was for a model without such parts.
Error name_missing_compiler(Error error, const ModelInfo& model, const Plan& plan);

}  // namespace surefoot::session
