// Facts: the keys are those that the libraries of ONNX Runtime 1.31 and of the TensorRT RTX plugin 0.5 read.
#include "provider/rows.hpp"

namespace surefoot::provider {
namespace {

constexpr std::array<std::string_view, 3> kSearches{"EXHAUSTIVE", "HEURISTIC", "DEFAULT"};

constexpr std::array kCudaOptions{
    from_zero("device_id", "index of the GPU"),
    flag("has_user_compute_stream", "whether `user_compute_stream` is given"),
    address("user_compute_stream", "CUDA stream to work on, owned by the caller"),
    size_in_bytes("gpu_mem_limit", "most bytes that the memory arena may take"),
    choice("arena_extend_strategy", kArenaStrategies, "how the memory arena grows"),
    choice("cudnn_conv_algo_search", kSearches, "how the algorithm of a convolution is chosen"),
    flag("do_copy_in_default_stream", "copies go on the stream that computes"),
    flag("cudnn_conv_use_max_workspace", "convolutions may take as much work memory as they like"),
    flag("cudnn_conv1d_pad_to_nc1d", "Conv1D is padded to [N,C,1,D] instead of [N,C,D,1]"),
    flag("enable_cuda_graph", "captures the run as a CUDA graph and replays it; fixed shapes only"),
    flag("enable_cudnn", "uses cuDNN where it is found; builds that load it while running"),
    flag("enable_skip_layer_norm_strict_mode", "exact instead of fast SkipLayerNormalization"),
    flag("prefer_nhwc", "lays tensors out channels last"),
    flag("use_ep_level_unified_stream", "one stream for all threads"),
    flag("use_tf32", "single-precision matrix products may use TF32"),
    flag("fuse_conv_bias", "fuses convolution, bias and activation, compiled when first met"),
    from_zero("sdpa_kernel", "bit mask of the attention kernels allowed; 0 leaves the choice"),
    flag("tunable_op_enable", "uses tuned kernels where there are any"),
    flag("tunable_op_tuning_enable", "tunes kernels while running"),
    from_zero("tunable_op_max_tuning_duration_ms",
              "most milliseconds of tuning for each kernel; 0: no limit"),
    address("gpu_external_alloc", "function that allocates GPU memory in place of the arena"),
    address("gpu_external_free", "function that frees what `gpu_external_alloc` gave"),
    address("gpu_external_empty_cache", "function that gives cached GPU memory back"),
};

constexpr std::array kTensorRtOptions{
    from_zero("device_id", "index of the GPU"),
    flag("has_user_compute_stream", "whether `user_compute_stream` is given"),
    address("user_compute_stream", "CUDA stream to work on, owned by the caller"),
    whole("trt_max_partition_iterations", 1, 1'000'000, "most rounds of splitting the model for TensorRT"),
    whole("trt_min_subgraph_size", 1, 1'000'000, "fewest nodes that are worth an engine"),
    size_in_bytes("trt_max_workspace_size", "most bytes of work memory of an engine; 0: all there is"),
    flag("trt_fp16_enable", "engines may compute in half precision"),
    flag("trt_bf16_enable", "engines may compute in bfloat16", 23),
    flag("trt_int8_enable", "engines may compute in 8-bit integers"),
    text("trt_int8_calibration_table_name", "file name of the INT8 calibration table"),
    flag("trt_int8_use_native_calibration_table", "the table was written by TensorRT itself"),
    flag("trt_dla_enable", "uses a deep learning accelerator of a Jetson board"),
    from_zero("trt_dla_core", "which of the board's accelerators"),
    flag("trt_dump_subgraphs", "writes the parts given to TensorRT as ONNX files"),
    flag("trt_engine_cache_enable", "keeps built engines as files"),
    path("trt_engine_cache_path", "folder of the kept engines"),
    text("trt_engine_cache_prefix", "start of the names of kept engines"),
    flag("trt_engine_hw_compatible", "engines run on all GPUs from Ampere on"),
    flag("trt_engine_decryption_enable", "kept engines are encrypted"),
    path("trt_engine_decryption_lib_path", "library that decrypts kept engines"),
    flag("trt_force_sequential_engine_build", "builds engines one after another on several GPUs"),
    flag("trt_context_memory_sharing_enable", "engines of one model share their work memory"),
    flag("trt_layer_norm_fp32_fallback", "layer normalization stays in single precision"),
    flag("trt_timing_cache_enable", "keeps measured kernel times, for quicker builds"),
    path("trt_timing_cache_path", "folder of the kept kernel times"),
    flag("trt_force_timing_cache", "uses kernel times of another GPU too"),
    flag("trt_detailed_build_log", "logs each step of a build with its time"),
    flag("trt_build_heuristics_enable", "guesses kernels instead of measuring them, for quicker builds"),
    flag("trt_sparsity_enable", "uses sparse weights where a model has them"),
    whole("trt_builder_optimization_level", 0, 5, "how long a build may look for faster kernels"),
    whole("trt_auxiliary_streams", -1, 1024, "most extra streams per engine; -1: TensorRT decides"),
    text("trt_tactic_sources", "kernel sources to add or leave out: -CUDNN,+CUBLAS"),
    text("trt_extra_plugin_lib_paths", "TensorRT plugin libraries to load, split by `;`"),
    text("trt_profile_min_shapes", "smallest input shapes: name:1x3x224x224,other:1x8"),
    text("trt_profile_opt_shapes", "input shapes to be fastest at"),
    text("trt_profile_max_shapes", "largest input shapes"),
    flag("trt_cuda_graph_enable", "captures the run as a CUDA graph and replays it; fixed shapes only"),
    text("trt_preview_features", "TensorRT's preview features to switch on, split by `,`", 22),
    text("trt_op_types_to_exclude", "operators that are left to the next provider, split by `,`", 21),
    flag("trt_dump_ep_context_model", "writes a model that holds the built engines"),
    path("trt_ep_context_file_path", "where that model is written"),
    whole("trt_ep_context_embed_mode", 0, 1, "1: engines inside that model, 0: in files beside it"),
    flag("trt_weight_stripped_engine_enable", "builds engines without weights, filled in when opened"),
    path("trt_onnx_model_folder_path", "folder of the model that stripped engines take their weights from"),
    address("trt_onnx_bytestream", "that model in memory"),
    size_in_bytes("trt_onnx_bytestream_size", "bytes of `trt_onnx_bytestream`"),
    address("trt_external_data_bytestream", "external weights in memory", 23),
    size_in_bytes("trt_external_data_bytestream_size", "bytes of `trt_external_data_bytestream`", 23),
    flag("trt_load_user_initializer", "takes weights that the program has added from memory", 23),
};

constexpr std::array kTensorRtRtxOptions{
    from_zero("device_id", "index of the GPU"),
    flag("has_user_compute_stream", "whether `user_compute_stream` is given"),
    address("user_compute_stream", "CUDA stream to work on, owned by the caller"),
    address("user_aux_stream_array", "array of extra CUDA streams, owned by the caller"),
    from_zero("nv_length_aux_stream_array", "number of streams in `user_aux_stream_array`"),
    size_in_bytes("nv_max_workspace_size", "most bytes of work memory of a build; 0: automatic"),
    size_in_bytes("nv_max_shared_mem_size", "most bytes of shared memory of a kernel; 0: all there is"),
    flag("nv_dump_subgraphs", "writes the parts given to TensorRT RTX as files"),
    flag("nv_detailed_build_log", "logs each step of a build"),
    text("nv_profile_min_shapes", "smallest input shapes: name:1x3x224x224,other:1x8"),
    text("nv_profile_opt_shapes", "input shapes to be fastest at"),
    text("nv_profile_max_shapes", "largest input shapes"),
    flag("nv_multi_profile_enable", "several shape profiles in one session"),
    flag("enable_cuda_graph", "captures the run as a CUDA graph and replays it; fixed shapes only"),
    flag("nv_use_external_data_initializer", "takes weights from memory instead of the engine"),
    path("nv_runtime_cache_path", "folder in which compiled kernels are kept"),
    text("nv_weight_streaming_budget", "weights kept on the GPU: 0 all, -1 automatic, bytes, 512M or 50%"),
    text("nv_op_types_to_exclude", "operators that are left to the next provider, split by `,`"),
    flag("nv_enable_profiling", "measures each layer; switches graph capture off"),
    path("nv_profiling_output_file", "where the measured times are written"),
    flag("nv_persistent_context_memory", "keeps the work memory of engines between runs"),
    text("nv_target_sm", "GPU generation that context models are compiled for"),
    flag("nv_use_sync_gpu_allocator", "allocates with cudaMalloc instead of cudaMallocAsync"),
    from_zero("nv_multi_rotary_cache_concat_offset", "token at which long position embeddings begin"),
    flag("nv_weight_stripped_engine_enable_experimental", "context models without weights (experimental)"),
    address("VkExternalComputeQueueDataParamsNV_data", "Vulkan compute queue to share the GPU with"),
};

constexpr std::array<std::string_view, 1> kTrtAliases{"trt"};
constexpr std::array<std::string_view, 5> kRtxAliases{"nvtensorrtrtx", "nv_tensorrt_rtx", "tensorrt_rtx",
                                                      "trtrtx", "nvrtx"};
constexpr std::array<std::string_view, 1> kWithCuda{"cuda"};
constexpr std::array<std::string_view, 2> kTensorRtKeeps{"trt_engine_cache_enable",
                                                         "trt_timing_cache_enable"};
constexpr std::array<std::string_view, 2> kTensorRtFolders{"trt_engine_cache_path", "trt_timing_cache_path"};
constexpr std::array<std::string_view, 1> kRtxFolders{"nv_runtime_cache_path"};
constexpr std::array<std::string_view, 1> kWithTensorRt{"tensorrt"};
constexpr std::string_view kInstallGpu = "install ONNX Runtime's GPU build: pip install onnxruntime-gpu";

}  // namespace

constinit const ProviderSpec kCuda{
    .name = "cuda",
    .ort_name = "CUDAExecutionProvider",
    .title = "CUDA",
    .platforms = kOnLinux | kOnWindows,
    .append = AppendMethod::CudaV2,
    .library = "onnxruntime_providers_cuda",
    .shared_bridge = true,
    .install = kInstallGpu,
    .options = kCudaOptions,
    .companions = kWithTensorRt,
    .memory_name = "Cuda",
    .dlpack_device = 2,
    .graph_capture = {.option = "enable_cuda_graph", .needs = kWholeModel, .by_thread = true},
    .default_rank = 4,
    .vendor = "nvidia"};

constinit const ProviderSpec kTensorRt{
    .name = "tensorrt",
    .ort_name = "TensorrtExecutionProvider",
    .title = "TensorRT",
    .aliases = kTrtAliases,
    .platforms = kOnLinux | kOnWindows,
    .append = AppendMethod::TensorRtV2,
    .library = "onnxruntime_providers_tensorrt",
    .shared_bridge = true,
    .builds_engines = true,
    .own_cache = {.switches = kTensorRtKeeps, .folders = kTensorRtFolders},
    .install = kInstallGpu,
    .options = kTensorRtOptions,
    .check_together = check_tensorrt,
    .companions = kWithCuda,
    .memory_name = "Cuda",
    .dlpack_device = 2,
    .writes_ep_context = true,
    .graph_capture = {.option = "trt_cuda_graph_enable", .needs = kWholeModel, .by_thread = true},
    .default_rank = 2,
    .vendor = "nvidia"};

constinit const ProviderSpec kTensorRtRtx{
    .name = "tensorrtrtx",
    .ort_name = "NvTensorRTRTXExecutionProvider",
    .title = "TensorRT RTX",
    .aliases = kRtxAliases,
    .platforms = kOnLinux | kOnWindows,
    .append = AppendMethod::Generic,
    .append_name = "NvTensorRtRtx",
    .append_since = 22,
    // ORT 1.32 answers "no longer built into ONNX Runtime": from there on it is a plugin only.
    .append_until = 31,
    .library = "onnxruntime_providers_nv_tensorrt_rtx",
    .shared_bridge = true,
    .builds_engines = true,
    .own_cache = {.folders = kRtxFolders},
    .install =
        "install the plugin: pip install onnxruntime-ep-nv-tensorrt-rtx, and give its library to Surefoot",
    .plugin_install = "pip install onnxruntime-ep-nv-tensorrt-rtx",
    .options = kTensorRtRtxOptions,
    .check_together = check_tensorrt_rtx,
    .memory_name = "Cuda",
    .dlpack_device = 2,
    .writes_ep_context = true,
    .graph_capture = {.option = "enable_cuda_graph", .needs = kWholeModel, .by_thread = true},
    .default_rank = 1,
    .vendor = "nvidia"};

}  // namespace surefoot::provider
