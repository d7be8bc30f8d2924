#include "surefoot/error.hpp"

namespace surefoot {

std::string_view to_string(ErrorCode code) noexcept {
  switch (code) {
    case ErrorCode::InvalidArgument:
      return "InvalidArgument";
    case ErrorCode::InvalidInput:
      return "InvalidInput";
    case ErrorCode::NotFound:
      return "NotFound";
    case ErrorCode::InvalidModel:
      return "InvalidModel";
    case ErrorCode::RuntimeUnavailable:
      return "RuntimeUnavailable";
    case ErrorCode::Unsupported:
      return "Unsupported";
    case ErrorCode::ProviderFailed:
      return "ProviderFailed";
    case ErrorCode::RunFailed:
      return "RunFailed";
    case ErrorCode::OutOfMemory:
      return "OutOfMemory";
    case ErrorCode::IoFailed:
      return "IoFailed";
    case ErrorCode::InvalidState:
      return "InvalidState";
    case ErrorCode::Cancelled:
      return "Cancelled";
    case ErrorCode::TimedOut:
      return "TimedOut";
    case ErrorCode::Internal:
      return "Internal";
  }
  return "Unknown";
}

std::string to_string(const Error& error) {
  std::string text = error.what;
  for (const std::string& frame : error.doing) text += "\n  while " + frame;
  if (error.native)
    text += "\n  ONNX Runtime (" + std::to_string(error.native->code) + "): " + error.native->text;
  if (!error.hint.empty()) text += "\nhint: " + error.hint;
  return text;
}

}  // namespace surefoot
