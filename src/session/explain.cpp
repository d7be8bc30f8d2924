#include "session/explain.hpp"

#include <fmt/format.h>

#include <string_view>

#include "surefoot/plan.hpp"

namespace surefoot::session {
namespace {

/// Which ORT stands in the way matters to the person who reads it.
enum class Names { Nothing, Runtime };

struct Row {
  std::string_view phrase;  ///< in ORT's text, from 1.20 to 1.32
  ErrorCode code;
  Names names;
  std::string_view hint;
};

constexpr std::string_view kNotRegistered = "is not a registered function/op";

/// A link beside the model that leads elsewhere is followed before 1.27 (not by any from 1.27 to 1.32),
/// unless the model itself is a link to the same place.
constexpr std::string_view kOutside =
    "if you trust the model, allow data outside its folder (`allow_outside_data`)";

constexpr Row kRows[] = {
    {"Unsupported model IR version", ErrorCode::InvalidModel, Names::Runtime,
     "use a newer ONNX Runtime, or export the model with an older `ir_version`"},
    {"only *guarantees* support for models stamped with official released onnx opset versions",
     ErrorCode::InvalidModel, Names::Runtime,
     "use a newer ONNX Runtime, or export the model for an older opset"},
    {kNotRegistered, ErrorCode::Unsupported, Names::Runtime,
     "give the library that implements the operator (custom-op libraries), or use a newer ONNX Runtime"},
    {"Could not find an implementation for", ErrorCode::Unsupported, Names::Runtime,
     "another provider or a newer ONNX Runtime may have it; else convert the model to a type that it has"},
    {"EPContext node", ErrorCode::Unsupported, Names::Nothing,
     "open it with the provider that compiled it, or take the model that it was compiled from"},
    {"INVALID_PROTOBUF", ErrorCode::InvalidModel, Names::Nothing, "fetch the file again: it is damaged"},
    {"Protobuf parsing failed", ErrorCode::InvalidModel, Names::Nothing,
     "fetch the file again: it is damaged"},
    {"escapes model directory", ErrorCode::InvalidModel, Names::Runtime, kOutside},
    {"escapes working directory", ErrorCode::InvalidModel, Names::Runtime, kOutside},
    {"is not currently registered or supported", ErrorCode::Unsupported, Names::Runtime,
     "convert these tensors to a type that it has, or use a newer ONNX Runtime"},
    {"No Op registered for", ErrorCode::Unsupported, Names::Runtime,
     "check the operator's name and its opset, or use a newer ONNX Runtime"},
    {"nvalid model", ErrorCode::InvalidModel, Names::Nothing,
     "export the model again: its graph is not valid"},
    {"not implemented", ErrorCode::Unsupported, Names::Runtime, "a newer ONNX Runtime may have it"},
};

}  // namespace

Error explain_open(Error error, const Runtime& runtime) {
  // A session that cannot be made is never the failure of a run.
  if (error.code == ErrorCode::RunFailed) error.code = ErrorCode::ProviderFailed;
  for (const Row& row : kRows) {
    if (error.what.find(row.phrase) == std::string::npos) continue;
    error.code = row.code;
    error.hint = row.hint;
    if (row.names == Names::Runtime)
      error.what += fmt::format(" (ONNX Runtime {}, `{}`)", runtime.version(), runtime.path().string());
    break;
  }
  return error;
}

Error name_foreign_operators(Error error, const ModelInfo& model) {
  const std::vector<OpCount> foreign = foreign_operators(model);
  if (foreign.empty() || error.what.find(kNotRegistered) == std::string::npos) return error;
  std::string names;
  for (const OpCount& op : foreign)
    names += fmt::format("{}`{}.{}` x{}", names.empty() ? "" : ", ", op.domain, op.op, op.count);
  error.what += fmt::format("; of the model's operators ONNX Runtime does not bring {}", names);
  return error;
}

}  // namespace surefoot::session
