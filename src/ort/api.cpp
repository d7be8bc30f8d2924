#include "ort/api.hpp"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace surefoot::ort {
namespace {

struct Phrase {
  std::string_view text;
  ErrorCode code;
};

/// ORT's codes do not classify: an exhausted arena and a device without memory arrive as FAIL,
/// RUNTIME_EXCEPTION or EP_FAIL (seen from 1.20 to 1.32), so the text decides first.
constexpr std::array kPhrases = {
    Phrase{"Failed to allocate memory", ErrorCode::OutOfMemory},
    Phrase{"std::bad_alloc", ErrorCode::OutOfMemory},
    Phrase{"out of memory", ErrorCode::OutOfMemory},
    Phrase{"terminate flag", ErrorCode::Cancelled},
    Phrase{"Unsupported model IR version", ErrorCode::InvalidModel},
    Phrase{"is not a registered function/op", ErrorCode::Unsupported},
    Phrase{"Could not find an implementation", ErrorCode::Unsupported},
};

/// `text` without the source file, line and function of ORT's that stand before many a message:
/// "…/onnxruntime/core/graph/model.cc:256 onnxruntime::Model::Model(…) Unsupported model IR version: 99".
std::string without_source_location(std::string_view text) {
  const std::size_t folder = text.find("/onnxruntime/core/");
  const std::size_t end = text.find(") ", folder);
  if (folder == text.npos || end == text.npos) return std::string(text);
  const std::size_t before = text.find_last_of(" :", folder);
  std::string kept(text.substr(0, before == text.npos ? 0 : before + 1));
  return kept += text.substr(end + 2);
}

}  // namespace

ErrorCode classify(OrtErrorCode code, std::string_view text) {
  for (const Phrase& phrase : kPhrases)
    if (text.find(phrase.text) != text.npos) return phrase.code;
  switch (code) {
    case ORT_INVALID_ARGUMENT:
      return ErrorCode::InvalidArgument;
    case ORT_NO_SUCHFILE:
    case ORT_NOT_FOUND:
      return ErrorCode::NotFound;
    case ORT_NO_MODEL:
    case ORT_INVALID_PROTOBUF:
    case ORT_INVALID_GRAPH:
      return ErrorCode::InvalidModel;
    case ORT_NOT_IMPLEMENTED:
    case ORT_MODEL_REQUIRES_COMPILATION:
      return ErrorCode::Unsupported;
    case ORT_EP_FAIL:
      return ErrorCode::ProviderFailed;
    case ORT_MODEL_LOAD_CANCELED:
      return ErrorCode::Cancelled;
    default:
      return ErrorCode::RunFailed;
  }
}

Error Api::take_error(OrtStatus* status) const {
  const OrtErrorCode code = get(fn::GetErrorCode)(status);
  std::string text = get(fn::GetErrorMessage)(status);
  get(fn::ReleaseStatus)(status);
  // The first line is the message; what follows is ORT's own stack trace or a node dump.
  std::string what = without_source_location(std::string_view(text).substr(0, text.find('\n')));
  return {
      .code = classify(code, text), .what = std::move(what), .native = NativeError{code, std::move(text)}};
}

Error Api::lacking(const char* name, int since) const {
  return {.code = ErrorCode::Unsupported,
          .what = fmt::format("ONNX Runtime {} has no `{}`, which came with 1.{}", text_, name, since),
          .hint = fmt::format("use ONNX Runtime 1.{} or newer", since)};
}

}  // namespace surefoot::ort
