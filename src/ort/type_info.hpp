/// The types of a session's inputs and outputs, as ORT infers them.
#pragma once

#include "ort/api.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::ort {

/// Errors: what ORT said.
Result<ValueType> value_type(const Api& api, const OrtTypeInfo* info);

}  // namespace surefoot::ort
