/// Model files on the disk: opening one, and saying why there is none.
#pragma once

#include <filesystem>
#include <string>

#include "file/mapped_file.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::onnx {

/// Maps the model at `path`, or reads it when it has at most `read_up_to` bytes, exactly as given: links are
/// followed by the system.
/// Errors: NotFound, saying which part of the path is missing, where a dangling link leads, and the
/// nearest name; InvalidModel for a folder, naming the models in it, one level deep, and for what is no
/// plain file; IoFailed with the system's reason.
Result<file::MappedFile> open_model_file(const std::filesystem::path& path, std::size_t read_up_to = 0);
/// As surefoot::inspect(), of the file that was opened at `path`.
Result<ModelInfo> inspect_file(const file::MappedFile& file, const std::filesystem::path& path);

/// `path` as UTF-8 text in backquotes, for messages.
std::string quoted(const std::filesystem::path& path);

}  // namespace surefoot::onnx
