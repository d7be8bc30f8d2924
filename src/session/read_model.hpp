/// Reading what a session is to be opened on.
#pragma once

#include <optional>

#include "file/mapped_file.hpp"
#include "session/source.hpp"
#include "surefoot/session.hpp"

namespace surefoot::session {

/// A model, and the content of its file where that was read and ORT needs nothing beside it.
struct ReadModel {
  ModelInfo info;
  std::optional<file::MappedFile> content = {};
};

/// Everything that can be said of the model before a runtime is even looked for. Weights that are supplied
/// are external data no longer. Errors: those of inspect() and check_external_data(); InvalidArgument for a
/// folder of external data that is missing, or given beside a path, and for a supplied weight that the model
/// does not keep outside.
Result<ReadModel> read_model(const Source& source, const SessionOptions& options);

}  // namespace surefoot::session
