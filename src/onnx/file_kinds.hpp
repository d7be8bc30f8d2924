/// The files that people hand over instead of a model, and how each is recognised.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace surefoot::onnx {

/// A kind of file that is no ONNX model.
struct FileKind {
  std::string what;  ///< completes "the file is …": "an HTML page"
  std::string hint;  ///< one action
};

/// What `file` is, where it is of a kind that we know and that is no model of ours. Looks at its
/// first and last 64 KiB, and for a file of zeros at a few places between.
std::optional<FileKind> other_kind(std::string_view file);

}  // namespace surefoot::onnx
