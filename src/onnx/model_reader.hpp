/// Reads an ONNX model's facts in one pass over the file, weights jumped over.
#pragma once

#include <string_view>

#include "onnx/model_tree.hpp"
#include "onnx/wire.hpp"
#include "surefoot/model_info.hpp"

namespace surefoot::onnx {

/// Reads `source` as a ModelProto; `subject` names it in errors: "`bert.onnx`".
/// Errors: InvalidModel, with the byte at which the file ends too early or is damaged, or what it
/// lacks to be a model.
Result<ModelInfo> read_model(Source& source, std::string_view subject);

/// A model's facts, and its tree to be edited.
struct ModelIndex {
  ModelInfo info;
  ModelTree tree;
};

/// Reads both in the same pass: names, types, shapes and places; payloads are jumped over. The index views
/// the source. Errors: those of read_model(); InvalidModel for a graph that is stored in more than one piece.
Result<ModelIndex> index_model(Source& source, std::string_view subject);

}  // namespace surefoot::onnx
