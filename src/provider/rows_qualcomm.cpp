// Facts: the keys are those that the QNN plugin 2.7 reads; older builds know fewer.
#include "provider/rows.hpp"

namespace surefoot::provider {
namespace {

constexpr std::array<std::string_view, 5> kBackends{"cpu", "gpu", "htp", "saver", "ir"};
constexpr std::array<std::string_view, 4> kProfiling{"off", "basic", "detailed", "optrace"};
constexpr std::array<std::string_view, 10> kPerformance{
    "burst",        "balanced",        "default",     "high_performance",    "high_power_saver",
    "low_balanced", "low_power_saver", "power_saver", "extreme_power_saver", "sustained_high_performance"};
constexpr std::array<std::string_view, 4> kContextPriorities{"low", "normal", "normal_high", "high"};
constexpr std::array<std::string_view, 4> kGenieLevels{"error", "warn", "info", "verbose"};
constexpr std::array<std::string_view, 1> kOnlyOne{"1"};

constexpr std::array kQnnOptions{
    choice("backend_type", kBackends, "which part of the chip computes; htp is the NPU", 22),
    path("backend_path", "backend library, in place of `backend_type`"),
    from_zero("device_id", "index of the device that `htp_arch` is about"),
    choice("profiling_level", kProfiling, "how much is measured"),
    path("profiling_file_path", "where measured times are written"),
    from_zero("rpc_control_latency", "microseconds of latency of the calls to the NPU; 0: not set"),
    from_zero("vtcm_mb", "megabytes of the NPU's own memory; 0: not set"),
    switch_of("enable_vtcm_backup_buffer_sharing", "sessions share the NPU's backup memory", 23),
    choice("htp_share_resource_optimization", kOnlyOne, "sessions share the NPU's backup memory"),
    choice("htp_performance_mode", kPerformance, "speed against power"),
    choice("qnn_context_priority", kContextPriorities, "priority among models on the NPU"),
    whole("htp_graph_finalization_optimization_mode", 0, 3, "how long a model is prepared for faster runs"),
    from_zero("soc_model", "number of the chip; 0: unknown"),
    whole("htp_arch", 0, 999, "least NPU architecture: 68, 73, 75, …; 0: none"),
    switch_of("enable_htp_fp16_precision", "single-precision models compute in half precision"),
    switch_of("htp_bf16_enable", "computes in bfloat16; needs `soc_model` 88 or more", 24),
    switch_of("enable_htp_fp16_clamp_overflow", "half-precision results beyond the range are clamped"),
    switch_of("offload_graph_io_quantization", "the CPU quantizes inputs and outputs"),
    switch_of("enable_htp_spill_fill_buffer", "contexts share their spill memory"),
    switch_of("enable_htp_shared_memory_allocator", "memory that CPU and NPU share", 21),
    switch_of("enable_dx12_shared_memory_allocator", "memory that Direct3D 12 and the NPU share"),
    switch_of("extended_udma", "the NPU's extended memory transfer"),
    switch_of("enable_block_quant_weight_optimization", "a faster way for block-quantized weights"),
    switch_of("enable_htp_monolithic_lstm", "an LSTM stays one operation"),
    switch_of("enable_htp_graph_splitting", "large models are prepared in parts"),
    from_zero("htp_graph_splitting_num_prepare_threads", "threads that prepare those parts"),
    from_zero("num_graph_prepare_threads", "threads that prepare the parts of a model"),
    from_zero("htp_reused_io_limit_mb", "megabytes of input and output memory used again"),
    switch_of("enable_htp_prepare_only", "compiles and writes the context, runs nothing"),
    switch_of("enable_htp_prepare_and_load", "compiles and loads the context in one session"),
    switch_of("disable_file_mapped_weights", "weights are read instead of mapped"),
    text("op_packages", "libraries of own operators: type:path:symbol[:target], split by `,`"),
    path("qnn_saver_path", "library that records all calls, for finding faults"),
    switch_of("dump_json_qnn_graph", "writes the compiled graphs as JSON"),
    path("json_qnn_graph_dir", "where they are written"),
    switch_of("dump_qnn_ir_dlc", "writes the compiled graphs as DLC", 23),
    path("dump_qnn_ir_dlc_dir", "where they are written", 23),
    path("qnn_ir_backend_path", "library that writes DLC files", 23),
    switch_of("dump_qnn_ep_input_graph", "writes the graphs that the provider was handed"),
    path("dump_qnn_ep_input_graph_dir", "where they are written"),
    switch_of("enable_framework_op_trace", "writes which operators became which of the NPU's"),
    path("framework_op_trace_dir", "where that is written"),
    switch_of("skip_backend_op_validation", "DLC files are written without asking the backend"),
    switch_of("skip_qnn_version_check", "takes backend libraries of another version"),
    choice("genie_log_level", kGenieLevels, "how much the language model engine logs"),
};

}  // namespace

// Built into ORT or a library beside it, depending on who built it: neither is a sign of a fault.
constinit const ProviderSpec kQnn{
    .name = "qnn",
    .ort_name = "QNNExecutionProvider",
    .title = "QNN",
    .platforms = kOnLinux | kOnWindows | kOnAndroid,
    .append = AppendMethod::Generic,
    .append_name = "QNN",
    .install = "install the plugin: pip install onnxruntime-qnn, and give its library to Surefoot",
    .plugin_install = "pip install onnxruntime-qnn",
    .options = kQnnOptions,
    .check_together = check_qnn,
    .writes_ep_context = true,
    .default_rank = 7,
    .vendor = "qualcomm"};

}  // namespace surefoot::provider
