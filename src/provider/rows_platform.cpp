// Providers of an operating system or of no maker in particular.
// Facts: the keys are those that ORT's own libraries for Windows, macOS and Linux read (1.24 to 1.31).
#include "provider/rows.hpp"

namespace surefoot::provider {
namespace {

constexpr std::array<std::string_view, 4> kUnits{"CPUAndNeuralEngine", "CPUAndGPU", "CPUOnly", "ALL"};
constexpr std::array<std::string_view, 2> kFormats{"MLProgram", "NeuralNetwork"};
constexpr std::array<std::string_view, 2> kStrategies{"Default", "FastPrediction"};
constexpr std::array kCoreMlOptions{
    choice("MLComputeUnits", kUnits, "which parts of the chip may compute"),
    choice("ModelFormat", kFormats, "form of the Core ML model that is made"),
    switch_of("RequireStaticInputShapes", "takes only nodes whose inputs have fixed shapes"),
    switch_of("EnableOnSubgraphs", "also inside Loop, Scan and If"),
    choice("SpecializationStrategy", kStrategies, "quick loading or quick runs"),
    switch_of("ProfileComputePlan", "logs where each operator runs"),
    switch_of("AllowLowPrecisionAccumulationOnGPU", "the GPU may add up in half precision"),
    path("ModelCacheDirectory", "folder in which compiled models are kept"),
};

constexpr std::array<std::string_view, 3> kPreferences{"default", "high_performance", "minimum_power"};
constexpr std::array<std::string_view, 3> kFilters{"gpu", "any", "npu"};
constexpr std::array kDirectMlOptions{
    from_zero("device_id", "index of the adapter"),
    choice("performance_preference", kPreferences, "which adapter is preferred"),
    choice("device_filter", kFilters, "which kinds of adapters count"),
    OptionSpec{.key = "disable_metacommands",
               .type = OptionType::Bool,
               .meaning = "leaves the driver's own kernels out",
               .values = kTrueOrFalse},
};

constexpr std::array<std::string_view, 2> kLayouts{"NCHW", "NHWC"};
constexpr std::array<std::string_view, 2> kBackends{"Vulkan", "D3D12"};
constexpr std::array<std::string_view, 1> kVulkan{"libvulkan.so.1"};
constexpr std::array<std::string_view, 2> kPowers{"high-performance", "low-power"};
constexpr std::array<std::string_view, 4> kCacheModes{"disabled", "lazyRelease", "simple", "bucket"};
constexpr std::array<std::string_view, 4> kValidations{"disabled", "wgpuOnly", "basic", "full"};
constexpr std::array kWebGpuOptions{
    choice("preferredLayout", kLayouts, "channels first or last"),
    switch_of("enableGraphCapture", "captures the commands of a run and replays them; fixed shapes only"),
    from_zero("sessionBufferPoolGenerations", "generations of buffers kept for captured runs; 0: none"),
    switch_of("enableInt64", "takes operators on 64-bit integers"),
    choice("dawnBackendType", kBackends, "graphics interface below"),
    choice("powerPreference", kPowers, "which adapter is preferred"),
    from_zero("deviceId", "number of the device that sessions share"),
    address("webgpuInstance", "WebGPU instance, owned by the caller"),
    address("webgpuDevice", "WebGPU device, owned by the caller"),
    address("dawnProcTable", "functions of the caller's own Dawn library"),
    choice("storageBufferCacheMode", kCacheModes, "how storage buffers are used again"),
    choice("uniformBufferCacheMode", kCacheModes, "how uniform buffers are used again"),
    choice("queryResolveBufferCacheMode", kCacheModes, "how buffers for measuring are used again"),
    choice("defaultBufferCacheMode", kCacheModes, "how all other buffers are used again"),
    size_in_bytes("maxStorageBufferBindingSize", "most bytes of one buffer; 0: the device's own limit"),
    from_zero("maxNumPendingDispatches", "commands gathered before they are sent"),
    choice("validationMode", kValidations, "how much is checked"),
    switch_of("enableRobustness", "accesses outside of buffers are caught"),
    text("forceCpuNodeNames", "nodes that stay on the CPU, one name a line"),
    from_zero("multiRotaryCacheConcatOffset", "token at which long position embeddings begin"),
    from_zero("kvCacheQuantizationBits", "bits of a quantized attention cache; 0: none"),
    switch_of("preserveDevice", "the device outlives the session"),
    switch_of("enablePIXCapture", "records commands for the PIX tool"),
};

constexpr std::array kXnnpackOptions{
    from_zero("intra_op_num_threads", "threads of XNNPACK's own pool; 0: as many as the session's"),
};

constexpr std::array kAclOptions{
    flag("enable_fast_math", "single-precision work may use bfloat16"),
};

constexpr std::array<std::string_view, 2> kImplementations{"high_precision", "high_performance"};
constexpr std::array kCannOptions{
    from_zero("device_id", "index of the NPU"),
    size_in_bytes("npu_mem_limit", "most bytes that the memory arena may take"),
    choice("arena_extend_strategy", kArenaStrategies, "how the memory arena grows"),
    flag("enable_cann_graph", "whole graphs instead of single operators"),
    flag("enable_cann_subgraph", "graphs may be split between NPU and CPU"),
    flag("dump_graphs", "writes the parts given to CANN as ONNX files"),
    flag("dump_om_model", "keeps compiled models as files"),
    text("precision_mode", "the precision that is computed in, such as force_fp16"),
    choice("op_select_impl_mode", kImplementations, "exact or fast kernels"),
    text("optypelist_for_implmode", "operators that `op_select_impl_mode` is about, split by `,`"),
};

constexpr std::array<std::string_view, 1> kDirectMlAliases{"dml"};

}  // namespace

constinit const ProviderSpec kCoreMl{
    .name = "coreml",
    .ort_name = "CoreMLExecutionProvider",
    .title = "Core ML",
    .platforms = kOnMacos,
    .append = AppendMethod::Generic,
    .append_name = "CoreML",
    .append_since = 21,
    .install = "install ONNX Runtime's build for macOS, which has it: pip install onnxruntime",
    .options = kCoreMlOptions,
    .default_rank = 6,
    .needs_device = false,
    .vendor = "apple"};

constinit const ProviderSpec kDirectMl{
    .name = "directml",
    .ort_name = "DmlExecutionProvider",
    .title = "DirectML",
    .aliases = kDirectMlAliases,
    .platforms = kOnWindows,
    .append = AppendMethod::Generic,
    .append_name = "DML",
    .install = "install ONNX Runtime's DirectML build: pip install onnxruntime-directml",
    .options = kDirectMlOptions,
    .forced = {.memory_pattern_off = true, .sequential = true},
    .memory_name = "DML",
    .graph_capture = {.entry = "ep.dml.enable_graph_capture", .needs = kWholeModel},
    .default_rank = 8};

constinit const ProviderSpec kWebGpu{.name = "webgpu",
                                     .ort_name = "WebGpuExecutionProvider",
                                     .title = "WebGPU",
                                     .platforms = kOnLinux | kOnWindows | kOnMacos,
                                     .append = AppendMethod::Generic,
                                     .append_name = "WebGPU",
                                     .append_since = 21,
                                     .opens_by_name = kVulkan,
                                     .install =
                                         "install an ONNX Runtime build that has it: pip install "
                                         "onnxruntime-webgpu, or npm install onnxruntime-node",
                                     .plugin_install = "pip install onnxruntime-ep-webgpu",
                                     .options = kWebGpuOptions,
                                     .memory_name = "WebGPU_Buf",
                                     .dlpack_device = 15,
                                     .graph_capture = {.option = "enableGraphCapture", .needs = kWholeModel},
                                     // 1.27 and 1.30 list only the nodes that ORT inserted for it, or none.
                                     .assignment_info_complete = false,
                                     .default_rank = 10};

constinit const ProviderSpec kCpu{.name = "cpu",
                                  .ort_name = "CPUExecutionProvider",
                                  .title = "CPU",
                                  .platforms = kOnAll,
                                  .append = AppendMethod::None,
                                  .default_rank = 11,
                                  .needs_device = false};

constinit const ProviderSpec kAzure{
    .name = "azure",
    .ort_name = "AzureExecutionProvider",
    .title = "Azure",
    .platforms = kOnLinux | kOnWindows | kOnMacos,
    .append = AppendMethod::Generic,
    .append_name = "AZURE",
    .install = "install ONNX Runtime's plain build, which has it: pip install onnxruntime",
    .needs_device = false};

constinit const ProviderSpec kXnnpack{
    .name = "xnnpack",
    .ort_name = "XnnpackExecutionProvider",
    .title = "XNNPACK",
    .platforms = kOnAll,
    .append = AppendMethod::Generic,
    .append_name = "XNNPACK",
    .install = "build ONNX Runtime with --use_xnnpack; no Python package has it",
    .options = kXnnpackOptions,
    .needs_device = false};

constinit const ProviderSpec kAcl{.name = "acl",
                                  .ort_name = "ACLExecutionProvider",
                                  .title = "Arm Compute Library",
                                  .platforms = kOnLinux | kOnAndroid,
                                  .append = AppendMethod::Acl,
                                  .install = "build ONNX Runtime with --use_acl; no Python package has it",
                                  .options = kAclOptions,
                                  .needs_device = false};

constinit const ProviderSpec kCann{
    .name = "cann",
    .ort_name = "CANNExecutionProvider",
    .title = "CANN",
    .platforms = kOnLinux,
    .append = AppendMethod::Cann,
    .library = "onnxruntime_providers_cann",
    .shared_bridge = true,
    .install = "install ONNX Runtime's Ascend build: pip install onnxruntime-cann",
    .options = kCannOptions,
    .memory_name = "Cann"};

}  // namespace surefoot::provider
