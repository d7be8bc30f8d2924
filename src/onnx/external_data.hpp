/// The rule for where external data may lie; surefoot::check_external_data is declared in
/// surefoot/model_info.hpp.
#pragma once

#include <filesystem>
#include <string_view>

#include "surefoot/model_info.hpp"

namespace surefoot::onnx {

/// Whether `location`, as a model states it, is absolute or climbs out of the model's folder by
/// `..`, by the rules of POSIX or of Windows, so that a model means the same everywhere.
/// Links are not looked at: a link inside the folder may lead out of it, as in a download cache
/// that keeps the content elsewhere.
bool leaves_folder(std::string_view location);

/// The file that `location` stands for, in a model that lies in `folder`.
std::filesystem::path external_file(const std::filesystem::path& folder, std::string_view location);
/// Checks that weights in the same file lie apart, or exactly on each other as tied ones do, and that none
/// names the model's own file. Errors: InvalidModel naming the two weights.
Result<void> check_data_ranges(const ModelInfo& info, const std::filesystem::path& model_path);

}  // namespace surefoot::onnx
