/// Model files on the disk: opening one, and saying why there is none.
#pragma once

#include <filesystem>
#include <string>

#include "file/mapped_file.hpp"

namespace surefoot::onnx {

/// Maps the model at `path`, exactly as given: links are followed by the system.
/// Errors: NotFound, saying which part of the path is missing, where a dangling link leads, and the
/// nearest name; InvalidModel for a folder, naming the models in it, one level deep, and for what is no
/// plain file; IoFailed with the system's reason.
Result<file::MappedFile> open_model_file(const std::filesystem::path& path);

/// `path` as UTF-8 text in backquotes, for messages.
std::string quoted(const std::filesystem::path& path);

}  // namespace surefoot::onnx
