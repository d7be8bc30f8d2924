/// Sequences without items, which ORT's C API has no function to make.
#pragma once

#include "ort/environment.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::session {

/// An empty sequence for an input of that type. Made on first use by a model of one node, and kept for
/// the process's life.
/// Threads  safe from any. Errors: Unsupported (a sequence of maps or of sequences); what ORT said.
Result<const ort::RawValue*> empty_sequence(ort::Environment& environment, const ValueType& type);

}  // namespace surefoot::session
