/// What went wrong, in a form that a person can act on and a program can switch over.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace surefoot {

/// A code exists only where a caller would act differently; the rest is text.
/// The numbers are frozen: exit codes, C, Python and HTTP derive from them.
enum class ErrorCode : std::int32_t {
  InvalidArgument = 1,     ///< an argument, option or configuration key is wrong: mend the call
  InvalidInput = 2,        ///< the inputs of a call do not fit the model: mend the data
  NotFound = 3,            ///< a file, an input or a name does not exist
  InvalidModel = 4,        ///< the file is not a model that can be used: mend the file
  RuntimeUnavailable = 5,  ///< no ONNX Runtime library could be used: install one
  Unsupported = 6,         ///< this ONNX Runtime, provider or platform lacks it: upgrade or do without
  ProviderFailed = 7,      ///< no candidate provider could do the work: see the events
  RunFailed = 8,           ///< the model itself failed on these inputs
  OutOfMemory = 9,         ///< memory ran out: use less
  IoFailed = 10,           ///< reading or writing failed: permissions, space, device
  InvalidState = 11,       ///< the object cannot do this now: the order of calls is wrong
  Cancelled = 12,          ///< the caller asked for it to stop
  TimedOut = 13,           ///< a limit set by the caller ran out
  Internal = 14,           ///< our bug, by definition
};

/// The code's name in `PascalCase`, e.g. "InvalidInput"; "Unknown" for a number outside the list.
std::string_view to_string(ErrorCode code) noexcept;

/// What ONNX Runtime said, verbatim.
struct NativeError {
  int code = 0;      ///< OrtErrorCode
  std::string text;  ///< ORT's message, followed by the warnings it logged while failing
};

/// One failure. A value: copyable, without hidden state.
struct Error {
  ErrorCode code = ErrorCode::Internal;
  std::string what;                     ///< one clause, no full stop: "input `ids` has 2 axes, model wants 3"
  std::vector<std::string> doing = {};  ///< innermost first: {"binding inputs", "running `bert.onnx`"}
  std::string hint = {};                ///< one action, or empty
  std::optional<NativeError> native = {};  ///< ORT's own code and text, where it was ORT that failed

  /// Adds the frame that encloses those already there; returns itself, so that it chains.
  Error&& while_doing(std::string frame) && {
    doing.push_back(std::move(frame));
    return std::move(*this);
  }
};

/// The whole error as lines of text: what, ORT's words, frames, hint. No colour, no final newline.
std::string to_string(const Error& error);

}  // namespace surefoot
