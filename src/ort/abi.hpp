/// ONNX Runtime's C ABI as far as Surefoot calls it: opaque types, enums, and one row per function.
///
/// Declared here, not included, because no package registry ships ORT's header in a form that lasts,
/// and so that a function which the loaded ORT lacks is a typed error by construction. The table is
/// append-only since ORT 1.0, which makes a slot number a promise. tests/abi holds every line against
/// the official header.
#pragma once

#include <cstddef>
#include <cstdint>

namespace surefoot::ort {

struct OrtAllocator;
struct OrtArenaCfg;
struct OrtCANNProviderOptions;
struct OrtCompileApi;
struct OrtCUDAProviderOptionsV2;
struct OrtDnnlProviderOptions;
struct OrtEnv;
struct OrtEpAssignedNode;
struct OrtEpAssignedSubgraph;
struct OrtEpDevice;
struct OrtHardwareDevice;
struct OrtIoBinding;
struct OrtMapTypeInfo;
struct OrtMemoryInfo;
struct OrtModelCompilationOptions;
struct OrtModelMetadata;
struct OrtOptionalTypeInfo;
struct OrtROCMProviderOptions;
struct OrtRunOptions;
struct OrtSequenceTypeInfo;
struct OrtSession;
struct OrtSessionOptions;
struct OrtStatus;
struct OrtSyncStream;
struct OrtTensorRTProviderOptionsV2;
struct OrtTensorTypeAndShapeInfo;
struct OrtThreadingOptions;
struct OrtTypeInfo;
struct OrtValue;

#ifdef _WIN32
using OrtPathChar = wchar_t;
#else
using OrtPathChar = char;
#endif

enum OrtErrorCode : int {
  ORT_OK,
  ORT_FAIL,
  ORT_INVALID_ARGUMENT,
  ORT_NO_SUCHFILE,
  ORT_NO_MODEL,
  ORT_ENGINE_ERROR,
  ORT_RUNTIME_EXCEPTION,
  ORT_INVALID_PROTOBUF,
  ORT_MODEL_LOADED,
  ORT_NOT_IMPLEMENTED,
  ORT_INVALID_GRAPH,
  ORT_EP_FAIL,
  ORT_MODEL_LOAD_CANCELED,
  ORT_MODEL_REQUIRES_COMPILATION,
  ORT_NOT_FOUND,
};

enum OrtLoggingLevel : int {
  ORT_LOGGING_LEVEL_VERBOSE,
  ORT_LOGGING_LEVEL_INFO,
  ORT_LOGGING_LEVEL_WARNING,
  ORT_LOGGING_LEVEL_ERROR,
  ORT_LOGGING_LEVEL_FATAL,
};

enum ONNXType : int {
  ONNX_TYPE_UNKNOWN,
  ONNX_TYPE_TENSOR,
  ONNX_TYPE_SEQUENCE,
  ONNX_TYPE_MAP,
  ONNX_TYPE_OPAQUE,
  ONNX_TYPE_SPARSETENSOR,
  ONNX_TYPE_OPTIONAL,
};

/// As ElementType up to Float4E2M1 (23); the last three are numbered otherwise than in onnx.proto.
enum ONNXTensorElementDataType : int {
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED = 0,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT4E2M1 = 23,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2 = 24,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2 = 25,
  ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0 = 26,
};

enum GraphOptimizationLevel : int {
  ORT_DISABLE_ALL = 0,
  ORT_ENABLE_BASIC = 1,
  ORT_ENABLE_EXTENDED = 2,
  ORT_ENABLE_LAYOUT = 3,
  ORT_ENABLE_ALL = 99,
};

enum ExecutionMode : int { ORT_SEQUENTIAL = 0, ORT_PARALLEL = 1 };
enum OrtAllocatorType : int { OrtDeviceAllocator = 0, OrtArenaAllocator = 1 };
enum OrtMemType : int { OrtMemTypeDefault = 0 };
enum OrtMemoryInfoDeviceType : int { OrtMemoryInfoDeviceType_CPU = 0 };
enum OrtHardwareDeviceType : int {
  OrtHardwareDeviceType_CPU,
  OrtHardwareDeviceType_GPU,
  OrtHardwareDeviceType_NPU,
};

enum OrtCompileApiFlags : int { OrtCompileApiFlags_ERROR_IF_NO_NODES_COMPILED = 1 };

using OrtLoggingFunction = void (*)(void* param, OrtLoggingLevel severity, const char* category,
                                    const char* logid, const char* code_location, const char* message);

struct OrtApi;  ///< the table; read through Api alone

struct OrtApiBase {
  const OrtApi* (*GetApi)(std::uint32_t version) noexcept;
  const char* (*GetVersionString)() noexcept;
};

/// One row of functions.def: where ORT keeps a function, and since when.
template <class Signature>
struct Function {
  int slot;
  int since;
  const char* name;
};

namespace fn {
#define ORT_FUNCTION(slot, since, name, ...) inline constexpr Function<__VA_ARGS__> name{slot, since, #name};
#include "ort/functions.def"
#undef ORT_FUNCTION
}  // namespace fn

/// The functions of OrtCompileApi, a table of its own that GetCompileApi gives.
namespace compile_fn {
#define ORT_COMPILE_FUNCTION(slot, since, name, ...) \
  inline constexpr Function<__VA_ARGS__> name{slot, since, #name};
#include "ort/compile_functions.def"
#undef ORT_COMPILE_FUNCTION
}  // namespace compile_fn

/// The newest table that the rows know: what is asked of a newer ORT all the same.
inline constexpr int kNewestApi = 27;
/// The oldest ORT that is opened at all. ORT 1.23 and later have everything that a session needs.
inline constexpr int kOldestApi = 20;

}  // namespace surefoot::ort
