// Facts: the keys are those that onnxruntime-openvino 1.24 and ORT's oneDNN provider read.
#include "provider/rows.hpp"

namespace surefoot::provider {
namespace {

constexpr std::array<std::string_view, 3> kPrecisions{"FP16", "FP32", "ACCURACY"};
constexpr std::array<std::string_view, 3> kOldDevices{"CPU", "GPU", "NPU"};
constexpr std::array<std::string_view, 4> kPriorities{"LOW", "MEDIUM", "HIGH", "DEFAULT"};

constexpr OptionSpec truth(std::string_view key, std::string_view meaning, int since = 0) {
  return {.key = key, .type = OptionType::Bool, .meaning = meaning, .values = kTrueOrFalse, .since = since};
}

constexpr std::array kOpenVinoOptions{
    text("device_type", "CPU, GPU, NPU, GPU.1, or several: AUTO:GPU,CPU, HETERO:…, MULTI:…"),
    choice("device_id", kOldDevices, "the old name of `device_type`"),
    text("device_luid", "identifiers of the devices to use, split by `,`", 22),
    choice("precision", kPrecisions, "the precision that is computed in; ACCURACY: the model's own"),
    path("cache_dir", "folder in which compiled models are kept"),
    OptionSpec{.key = "load_config",
               .type = OptionType::Json,
               .meaning = "OpenVINO's own properties: {\"CPU\": {\"INFERENCE_NUM_THREADS\": 2}}"},
    text("context", "OpenCL context to share, as a hexadecimal address"),
    whole("num_of_threads", 1, 4096, "threads of the CPU device"),
    whole("num_streams", 1, 4096, "requests that run side by side"),
    choice("model_priority", kPriorities, "priority among models on one device"),
    truth("enable_opencl_throttling", "uses less of the CPU while waiting for a GPU"),
    truth("enable_qdq_optimizer", "removes quantization that an NPU does not need"),
    truth("enable_causallm", "state handling for language models", 22),
    truth("disable_dynamic_shapes", "compiles for the shapes of each run"),
    text("reshape_input", "fixed or bounded input shapes: name[1,3,224,224]", 23),
    text("layout", "layouts of inputs and outputs: name[NCHW]"),
};

constexpr std::array kDnnlOptions{
    flag("use_arena", "takes memory from ORT's arena"),
    address("threadpool_args", "thread count of oneDNN's own pool"),
};

constexpr std::array<std::string_view, 1> kOpenVinoAliases{"ov"};
constexpr std::array<std::string_view, 2> kDnnlAliases{"onednn", "mkldnn"};

constexpr std::array<std::string_view, 1> kOpenVinoFolders{"cache_dir"};

}  // namespace

constinit const ProviderSpec kOpenVino{
    .name = "openvino",
    .ort_name = "OpenVINOExecutionProvider",
    .title = "OpenVINO",
    .aliases = kOpenVinoAliases,
    .platforms = kOnLinux | kOnWindows,
    .append = AppendMethod::Generic,
    .append_name = "OpenVINO",
    .library = "onnxruntime_providers_openvino",
    .shared_bridge = true,
    .own_cache = {.folders = kOpenVinoFolders, .pays = openvino_keeps_kernels},
    .install = "install ONNX Runtime's OpenVINO build: pip install onnxruntime-openvino",
    .plugin_install = "pip install onnxruntime-ep-openvino",
    .options = kOpenVinoOptions,
    .check_together = check_openvino,
    .writes_ep_context = true,
    .default_rank = 9,
    .needs_device = false,
    .vendor = "intel"};

constinit const ProviderSpec kDnnl{
    .name = "dnnl",
    .ort_name = "DnnlExecutionProvider",
    .title = "oneDNN",
    .aliases = kDnnlAliases,
    .platforms = kOnLinux | kOnWindows,
    .append = AppendMethod::Dnnl,
    .library = "onnxruntime_providers_dnnl",
    .shared_bridge = true,
    .install =
        "build ONNX Runtime with --use_dnnl, or take the build of the Maven package org.bytedeco:onnxruntime",
    .options = kDnnlOptions,
    .needs_device = false};

}  // namespace surefoot::provider
