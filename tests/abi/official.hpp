/// Our ABI types as the official header has them, so that signatures of both can be compared as types.
#pragma once

#include <onnxruntime_c_api.h>

#include <string>
#include <string_view>

#include "ort/abi.hpp"

namespace surefoot::abi_test {

/// `Official<T>::type` is `T` with every name of `surefoot::ort` replaced by ORT's of the same name.
/// A type of ours that is not listed below stays itself, and the comparison fails naming it.
template <class T>
struct Official {
  using type = T;
};
template <class T>
struct Official<const T> {
  using type = const typename Official<T>::type;
};
template <class T>
struct Official<T*> {
  using type = typename Official<T>::type*;
};
template <class R, class... P>
struct Official<R(P...)> {
  using type = typename Official<R>::type(typename Official<P>::type...);
};

#define SAME_NAME(name)        \
  template <>                  \
  struct Official<ort::name> { \
    using type = ::name;       \
  };
SAME_NAME(OrtAllocator)
SAME_NAME(OrtArenaCfg)
SAME_NAME(OrtApi)
SAME_NAME(OrtCANNProviderOptions)
SAME_NAME(OrtCUDAProviderOptionsV2)
SAME_NAME(OrtCompileApi)
SAME_NAME(OrtDnnlProviderOptions)
SAME_NAME(OrtEnv)
SAME_NAME(OrtEpAssignedNode)
SAME_NAME(OrtEpAssignedSubgraph)
SAME_NAME(OrtEpDevice)
SAME_NAME(OrtHardwareDevice)
SAME_NAME(OrtIoBinding)
SAME_NAME(OrtMapTypeInfo)
SAME_NAME(OrtMemoryInfo)
SAME_NAME(OrtModelCompilationOptions)
SAME_NAME(OrtModelMetadata)
SAME_NAME(OrtOptionalTypeInfo)
SAME_NAME(OrtROCMProviderOptions)
SAME_NAME(OrtRunOptions)
SAME_NAME(OrtSequenceTypeInfo)
SAME_NAME(OrtSession)
SAME_NAME(OrtSessionOptions)
SAME_NAME(OrtStatus)
SAME_NAME(OrtSyncStream)
SAME_NAME(OrtTensorRTProviderOptionsV2)
SAME_NAME(OrtTensorTypeAndShapeInfo)
SAME_NAME(OrtThreadingOptions)
SAME_NAME(OrtTypeInfo)
SAME_NAME(OrtValue)
SAME_NAME(ExecutionMode)
SAME_NAME(GraphOptimizationLevel)
SAME_NAME(ONNXTensorElementDataType)
SAME_NAME(ONNXType)
SAME_NAME(OrtAllocatorType)
SAME_NAME(OrtErrorCode)
SAME_NAME(OrtHardwareDeviceType)
SAME_NAME(OrtLoggingLevel)
SAME_NAME(OrtMemType)
SAME_NAME(OrtMemoryInfoDeviceType)
#undef SAME_NAME

/// A table entry's function type; whether it is noexcept makes no difference to the ABI.
template <class Pointer>
struct Pointee;
template <class R, class... P>
struct Pointee<R (*)(P...)> {
  using type = R(P...);
};
template <class R, class... P>
struct Pointee<R (*)(P...) noexcept> {
  using type = R(P...);
};

/// The name of a type, for messages.
template <class T>
std::string type_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  text.remove_prefix(text.find("T = ") + 4);
  return std::string(text.substr(0, text.find_first_of(";]")));
}

}  // namespace surefoot::abi_test
