// Facts: the keys are those that the libraries of onnxruntime-rocm 1.22 and onnxruntime-migraphx 1.27 read.
#include "provider/rows.hpp"

namespace surefoot::provider {
namespace {

constexpr std::array kRocmOptions{
    from_zero("device_id", "index of the GPU"),
    flag("has_user_compute_stream", "whether `user_compute_stream` is given"),
    address("user_compute_stream", "HIP stream to work on, owned by the caller"),
    size_in_bytes("gpu_mem_limit", "most bytes that the memory arena may take"),
    choice("arena_extend_strategy", kArenaStrategies, "how the memory arena grows"),
    flag("miopen_conv_exhaustive_search", "measures all algorithms of a convolution"),
    flag("miopen_conv_use_max_workspace", "convolutions may take as much work memory as they like"),
    flag("do_copy_in_default_stream", "copies go on the stream that computes"),
    flag("enable_hip_graph", "captures the run as a HIP graph and replays it; fixed shapes only"),
    flag("tunable_op_enable", "uses tuned kernels where there are any"),
    flag("tunable_op_tuning_enable", "tunes kernels while running"),
    from_zero("tunable_op_max_tuning_duration_ms",
              "most milliseconds of tuning for each kernel; 0: no limit"),
    address("gpu_external_alloc", "function that allocates GPU memory in place of the arena"),
    address("gpu_external_free", "function that frees what `gpu_external_alloc` gave"),
    address("gpu_external_empty_cache", "function that gives cached GPU memory back"),
};

constexpr std::array kMiGraphXOptions{
    from_zero("device_id", "index of the GPU"),
    flag("migraphx_fp16_enable", "computes in half precision"),
    flag("migraphx_bf16_enable", "computes in bfloat16"),
    flag("migraphx_fp8_enable", "computes in 8-bit floating point"),
    flag("migraphx_int8_enable", "computes in 8-bit integers"),
    text("migraphx_int8_calibration_table_name", "file name of the INT8 calibration table"),
    flag("migraphx_int8_use_native_calibration_table", "the table was written by MIGraphX itself"),
    flag("migraphx_exhaustive_tune", "measures all kernels while compiling"),
    path("migraphx_model_cache_dir", "folder in which compiled models are kept", 23),
    size_in_bytes("migraphx_mem_limit", "most bytes that the memory arena may take"),
    choice("migraphx_arena_extend_strategy", kArenaStrategies, "how the memory arena grows"),
    address("migraphx_external_alloc", "function that allocates GPU memory in place of the arena"),
    address("migraphx_external_free", "function that frees what `migraphx_external_alloc` gave"),
    address("migraphx_external_empty_cache", "function that gives cached GPU memory back"),
};

constexpr std::array kVitisAiOptions{
    path("config_file", "configuration of the compiler"),
    path("cache_dir", "folder in which compiled models are kept"),
    text("cache_key", "name of the compiled model in `cache_dir`"),
    path("xclbin", "NPU binary for INT8 models"),
    text("target", "backend of the compiler for INT8 models"),
    text("encryptionKey", "key that compiled models are encrypted with"),
    switch_of("ep_context_enable", "writes a model that holds the compiled parts"),
    switch_of("ep_context_embed_mode", "1: compiled parts inside that model, 0: in files beside it"),
    path("ep_context_file_path", "where that model is written"),
};

constexpr std::array<std::string_view, 1> kRocmAliases{"hip"};
constexpr std::array<std::string_view, 1> kVitisAliases{"vitis"};
constexpr std::array<std::string_view, 1> kWithMiGraphX{"migraphx"};
constexpr std::array<std::string_view, 1> kMiGraphXFolders{"migraphx_model_cache_dir"};
constexpr std::array<std::string_view, 1> kWithRocm{"rocm"};

}  // namespace

constinit const ProviderSpec kRocm{
    .name = "rocm",
    .ort_name = "ROCMExecutionProvider",
    .title = "ROCm",
    .aliases = kRocmAliases,
    .platforms = kOnLinux,
    .append = AppendMethod::Rocm,
    .append_until = 22,  // removed from ORT's sources after 1.22
    .library = "onnxruntime_providers_rocm",
    .shared_bridge = true,
    .install = "use MIGraphX instead: pip install onnxruntime-migraphx; ROCm's own builds ended with 1.22",
    .options = kRocmOptions,
    .companions = kWithMiGraphX,
    .memory_name = "Hip",
    .dlpack_device = 10,
    .graph_capture = {.option = "enable_hip_graph", .needs = kWholeModel, .by_thread = true},
    .default_rank = 5,
    .vendor = "amd"};

constinit const ProviderSpec kMiGraphX{
    .name = "migraphx",
    .ort_name = "MIGraphXExecutionProvider",
    .title = "MIGraphX",
    .platforms = kOnLinux | kOnWindows,
    .append = AppendMethod::Generic,
    .append_name = "MIGraphX",
    .append_since = 23,
    .library = "onnxruntime_providers_migraphx",
    .shared_bridge = true,
    .builds_engines = true,
    .own_cache = {.folders = kMiGraphXFolders},
    .install = "install ONNX Runtime's AMD build: pip install onnxruntime-migraphx",
    .options = kMiGraphXOptions,
    .companions = kWithRocm,
    .memory_name = "Cuda",
    .dlpack_device = 2,  // ORT's own name for it, though the device is AMD's
    .default_rank = 3,
    .vendor = "amd"};

constinit const ProviderSpec kVitisAi{
    .name = "vitisai",
    .ort_name = "VitisAIExecutionProvider",
    .title = "Vitis AI",
    .aliases = kVitisAliases,
    .platforms = kOnLinux | kOnWindows,
    .append = AppendMethod::Generic,
    .append_name = "VitisAI",
    .library = "onnxruntime_providers_vitisai",
    .shared_bridge = true,
    .install = "install AMD's Ryzen AI Software, which brings an ONNX Runtime of its own",
    .options = kVitisAiOptions,
    .any_option = true,  // AMD's compiler reads further keys, which change with its releases
    .writes_ep_context = true};

}  // namespace surefoot::provider
