/// Where a session's model comes from.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "surefoot/model_info.hpp"

namespace surefoot::session {

/// A file, opened exactly as named, or bytes of the caller's.
struct Source {
  std::filesystem::path path = {};
  std::span<const std::byte> bytes = {};
  ModelFormat format = ModelFormat::Onnx;  ///< seen from the content; ORT alone would go by the extension
  std::filesystem::path data_folder = {};  ///< where the locations of external data start
  /// All locations of external data, where it has to be read for ORT, which would refuse one of them.
  std::vector<std::string> outside_data = {};

  /// "`model.onnx`" or "the model in memory (1234 bytes)", for messages.
  std::string name() const {
    return path.empty() ? "the model in memory (" + std::to_string(bytes.size()) + " bytes)"
                        : "`" + path.string() + "`";
  }
};

}  // namespace surefoot::session
