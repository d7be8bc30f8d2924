#include "session/model_interface.hpp"

#include <algorithm>

namespace surefoot::session {
namespace {

/// How much is known beside ORT's answers.
struct Known {
  bool file_was_read;
  bool ranks;  ///< ORT < 1.24 gives rank 0 both for a scalar and for a rank that it does not know
};

void merge_shape(ValueType& type, const ValueType& declared, const Known& known) {
  if (!type.shape) return;
  if (!known.ranks && type.shape->empty() && !declared.shape) type.shape.reset();
  if (!type.shape || !declared.shape || declared.shape->size() != type.shape->size()) return;
  for (std::size_t i = 0; i < type.shape->size(); ++i)
    (*type.shape)[i].denotation = (*declared.shape)[i].denotation;
}

void merge(std::vector<ValueInfo>& from_ort, const std::vector<ValueInfo>& declared, const Known& known) {
  for (ValueInfo& info : from_ort) {
    const auto at = std::ranges::find(declared, info.name, &ValueInfo::name);
    const bool is_stated = at != declared.end() && at->type.kind != ValueKind::None;
    if (!is_stated) {
      // ORT's own format is not read by us, so that its rank 0 stays unclear; so does that of a type that
      // is stated nowhere.
      const bool is_unclear = !known.ranks && (!known.file_was_read || at != declared.end());
      if (is_unclear && info.type.shape && info.type.shape->empty()) info.type.shape.reset();
    } else if (info.type.kind == ValueKind::Tensor && at->type.kind == ValueKind::Tensor) {
      merge_shape(info.type, at->type, known);
    } else {
      info.type = at->type;
    }
    if (at != declared.end()) {  // ORT does not tell
      info.default_value = at->default_value;
      info.default_bytes = at->default_bytes;
    }
  }
}

}  // namespace

void adopt_interface(ModelInfo& info, const ort::Session& session) {
  const Known known{.file_was_read = info.format == ModelFormat::Onnx, .ranks = session.knows_ranks()};
  std::vector<ValueInfo> inputs = session.inputs(), outputs = session.outputs();
  merge(inputs, info.inputs, known);
  merge(outputs, info.outputs, known);
  info.inputs = std::move(inputs);
  info.outputs = std::move(outputs);
  if (!known.file_was_read) (void)session.fill(info);
}

}  // namespace surefoot::session
