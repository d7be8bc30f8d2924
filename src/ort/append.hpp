/// Adding a provider to session options: which of ORT's functions does it, and calling it.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ort/environment.hpp"

namespace surefoot::ort {

/// Which of ORT's functions adds a provider to a session's options.
enum class AppendMethod : std::uint8_t {
  None,        ///< none: ORT adds it by itself (CPU)
  CudaV2,      ///< CreateCUDAProviderOptions, Update…, SessionOptionsAppendExecutionProvider_CUDA_V2
  TensorRtV2,  ///< CreateTensorRTProviderOptions, Update…, SessionOptionsAppendExecutionProvider_TensorRT_V2
  Rocm,        ///< CreateROCMProviderOptions, Update…, SessionOptionsAppendExecutionProvider_ROCM
  Cann,        ///< CreateCANNProviderOptions, Update…, SessionOptionsAppendExecutionProvider_CANN
  Dnnl,        ///< CreateDnnlProviderOptions, Update…, SessionOptionsAppendExecutionProvider_Dnnl
  Acl,         ///< the exported symbol OrtSessionOptionsAppendExecutionProvider_ACL(options, bool fast_math)
  Generic,     ///< SessionOptionsAppendExecutionProvider(append_name, keys, values)
  Plugin,      ///< only as a library: RegisterExecutionProviderLibrary, then …AppendExecutionProvider_V2
};

/// One provider to add, with its options.
struct Append {
  AppendMethod method = AppendMethod::None;
  std::string name;  ///< Generic: the name that ORT's function takes; Plugin: the devices' provider name
  std::vector<std::pair<std::string, std::string>> options = {};
};

/// Whether ORT's words, or those of the log beside them, say that an option was refused, and not that the
/// machine lacks something.
bool blames_an_option(const Error& error);

/// Such an error as the caller's: InvalidArgument, with what to do.
Error as_wrong_option(Error error);

/// Adds the provider. Errors: InvalidArgument when it refuses an option; ProviderFailed with ORT's text
/// and the cause from its log, or when a plugin offers no device; Unsupported when this ORT lacks the
/// function.
Result<void> append(const Environment& environment, OrtSessionOptions* to, const Append& what);

}  // namespace surefoot::ort
