/// Whole machines as data, for tests of the doctor: each as people have it, with what is wrong on it.
#pragma once

#include "surefoot/doctor.hpp"

namespace surefoot::diagnose {

/// A provider that works.
inline ProviderFact present(std::string name, std::string vendor = {}, bool needs_device = true) {
  return {.status = {.name = std::move(name), .present = true},
          .needs_device = needs_device,
          .vendor = std::move(vendor)};
}

/// One that this ONNX Runtime was built without.
inline ProviderFact not_built_in(const std::string& name, std::string vendor, std::string install) {
  return {.status = {.name = name,
                     .absent_because = Error{.code = ErrorCode::Unsupported,
                                             .what = "ONNX Runtime 1.32.0 was built without " + name}},
          .vendor = std::move(vendor),
          .install = std::move(install)};
}

/// One that is built in and lacks libraries.
inline ProviderFact lacking(std::string name, std::string vendor, std::string what, std::string hint) {
  return {
      .status = {.name = std::move(name),
                 .absent_because =
                     Error{.code = ErrorCode::NotFound, .what = std::move(what), .hint = std::move(hint)}},
      .vendor = std::move(vendor)};
}

inline RuntimeFound runtime(std::string path, std::string version, int api) {
  return {.path = std::move(path), .version = std::move(version), .api_version = api, .chosen = true};
}

inline RuntimeFound refused(std::string path, std::string what, std::string hint) {
  return {.path = std::move(path),
          .refused =
              Error{.code = ErrorCode::RuntimeUnavailable, .what = std::move(what), .hint = std::move(hint)}};
}

/// A server without any accelerator, and nothing wrong.
inline MachineReport cpu_server() {
  return {.platform = "linux",
          .libc = "2.36",
          .cpu = "AMD EPYC 9654",
          .cpu_features = {"avx2", "fma", "avx512f"},
          .cpus = 8,
          .cpus_allowed = 8,
          .memory_bytes = 64ULL << 30,
          .runtimes = {runtime("/venv/lib/python3.11/site-packages/onnxruntime/capi/libonnxruntime.so.1.32.0",
                               "1.32.0", 32)},
          .providers = {
              not_built_in("cuda", "nvidia", "install ONNX Runtime's GPU build: pip install onnxruntime-gpu"),
              present("cpu", {}, false)}};
}

/// A desktop with an NVIDIA card, CUDA 12 and a GPU build that fit together.
inline MachineReport cuda_12_box() {
  MachineReport machine = cpu_server();
  machine.gpus = {{.vendor = "nvidia", .id = "10de:2684", .node = "/dev/nvidia0"}};
  machine.nvidia_driver = "550.54.14";
  machine.cuda_wanted = 12;
  machine.libraries = {{"libcudart.so.12", "/usr/local/cuda/lib64/libcudart.so.12"}};
  machine.providers = {
      lacking(
          "tensorrt", "nvidia",
          "`libonnxruntime_providers_tensorrt.so` needs `libnvinfer.so.10`, which the loader does not find",
          "pip install tensorrt-cu12"),
      present("cuda", "nvidia"), present("cpu", {}, false)};
  return machine;
}

}  // namespace surefoot::diagnose
