/// The inputs and outputs of a session: what the file declares, made precise by what ORT infers.
#pragma once

#include "ort/session.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::session {

/// Replaces the inputs and outputs of `info` by ORT's, which have free dimensions fixed and shapes
/// inferred; keeps from the file what ORT does not tell: denotations, defaults, and that a rank is
/// not stated.
void adopt_interface(ModelInfo& info, const ort::Session& session);

}  // namespace surefoot::session
