/// The files of a model: its own, and those that it needs beside it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cache/store.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::session {

/// External data and compiled parts, as the model names them, each once.
std::vector<std::string> files_beside(const ModelInfo& info);

/// Adds the content of them all, the model's own file first. Errors: those of Store::content_of().
Result<void> add_content(cache::Hasher& hasher, const cache::Store& store, const std::filesystem::path& model,
                         const ModelInfo& info);

}  // namespace surefoot::session
