#include "provider/packages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace surefoot::provider {
namespace {

enum class Source { Nvidia, NvidiaWithSuffix, TensorRt, Pip, Action };

struct PackageRow {
  std::string_view stem;     ///< of the soname: "libcudart"
  std::string_view package;  ///< a pip package without its CUDA suffix, or an action
  Source source;
};

// CUDA 13's packages have no suffix, older ones have: nvidia-cublas, nvidia-cublas-cu12. cuDNN's always have.
constexpr std::array kPackages{
    PackageRow{"libcudart", "nvidia-cuda-runtime", Source::Nvidia},
    PackageRow{"libcublas", "nvidia-cublas", Source::Nvidia},
    PackageRow{"libcublasLt", "nvidia-cublas", Source::Nvidia},
    PackageRow{"libcurand", "nvidia-curand", Source::Nvidia},
    PackageRow{"libcufft", "nvidia-cufft", Source::Nvidia},
    PackageRow{"libcusparse", "nvidia-cusparse", Source::Nvidia},
    PackageRow{"libcusolver", "nvidia-cusolver", Source::Nvidia},
    PackageRow{"libnvrtc", "nvidia-cuda-nvrtc", Source::Nvidia},
    PackageRow{"libnvJitLink", "nvidia-nvjitlink", Source::Nvidia},
    PackageRow{"libcudnn", "nvidia-cudnn", Source::NvidiaWithSuffix},
    PackageRow{"libnvinfer", "tensorrt", Source::TensorRt},
    PackageRow{"libnvinfer_plugin", "tensorrt", Source::TensorRt},
    PackageRow{"libnvonnxparser", "tensorrt", Source::TensorRt},
    PackageRow{"libtensorrt_rtx", "onnxruntime-ep-nv-tensorrt-rtx", Source::Pip},
    PackageRow{"libtensorrt_onnxparser_rtx", "onnxruntime-ep-nv-tensorrt-rtx", Source::Pip},
    PackageRow{"libopenvino", "openvino", Source::Pip},
    PackageRow{"libopenvino_onnx_frontend", "openvino", Source::Pip},
    PackageRow{"libcuda", "install the NVIDIA driver", Source::Action},
    PackageRow{"libnvidia-ml", "install the NVIDIA driver", Source::Action},
    PackageRow{"libamdhip64", "install AMD's ROCm", Source::Action},
    PackageRow{"libhipblas", "install AMD's ROCm", Source::Action},
    PackageRow{"libhipfft", "install AMD's ROCm", Source::Action},
    PackageRow{"libMIOpen", "install AMD's ROCm", Source::Action},
    PackageRow{"librocm_smi64", "install AMD's ROCm", Source::Action},
    PackageRow{"libroctracer64", "install AMD's ROCm", Source::Action},
    PackageRow{"libmigraphx_c", "install MIGraphX (apt install migraphx)", Source::Action},
    PackageRow{"libascendcl", "install Huawei's CANN toolkit", Source::Action},
    PackageRow{"libacl_op_compiler", "install Huawei's CANN toolkit", Source::Action},
    PackageRow{"libfmk_onnx_parser", "install Huawei's CANN toolkit", Source::Action},
    PackageRow{"libvulkan",
               "install the Vulkan loader and a driver (apt install libvulkan1 mesa-vulkan-drivers)",
               Source::Action},
    PackageRow{"libdnnl", "install oneDNN (apt install libdnnl3)", Source::Action},
    PackageRow{"libz", "install zlib (apt install zlib1g)", Source::Action},
    PackageRow{"libgomp", "install GCC's OpenMP library (apt install libgomp1)", Source::Action},
    PackageRow{"libstdc++", "install the C++ library (apt install libstdc++6)", Source::Action},
};

std::string_view stem_of(std::string_view soname) { return soname.substr(0, soname.find(".so")); }

/// The 13 of libcudart.so.13; 0 when there is none.
int major_of(std::string_view soname) {
  const std::size_t at = soname.find(".so.");
  int major = 0;
  if (at != std::string_view::npos)
    std::from_chars(soname.data() + at + 4, soname.data() + soname.size(), major);
  return major;
}

const PackageRow* row_of(std::string_view soname) {
  const auto row = std::find_if(kPackages.begin(), kPackages.end(),
                                [&](const PackageRow& each) { return each.stem == stem_of(soname); });
  return row == kPackages.end() ? nullptr : &*row;
}

std::string pip_package(const PackageRow& row, std::string_view soname, int cuda) {
  constexpr int kFirstWithoutSuffix = 13;
  const std::string suffix = cuda == 0 ? "-cu12" : fmt::format("-cu{}", cuda);
  switch (row.source) {
    case Source::Nvidia:
      return fmt::format("{}{}", row.package, cuda >= kFirstWithoutSuffix ? "" : suffix);
    case Source::NvidiaWithSuffix:
      return fmt::format("{}{}", row.package, suffix);
    case Source::TensorRt:
      return fmt::format("\"{}{}=={}.*\"", row.package, suffix, major_of(soname));
    case Source::Pip:
    case Source::Action:
      break;
  }
  return std::string(row.package);
}

void add_once(std::vector<std::string>& texts, std::string text) {
  if (std::find(texts.begin(), texts.end(), text) == texts.end()) texts.push_back(std::move(text));
}

}  // namespace

int cuda_major(std::span<const std::string> needed) {
  for (const std::string& soname : needed)
    for (const std::string_view stem : {"libcudart", "libcublas", "libcublasLt", "libnvrtc"})
      if (stem_of(soname) == stem) return major_of(soname);
  return 0;
}

std::string how_to_get(std::span<const std::string> sonames, int cuda) {
  std::vector<std::string> packages;
  std::vector<std::string> actions;
  for (const std::string& soname : sonames) {
    const PackageRow* row = row_of(soname);
    if (row == nullptr) continue;
    if (row->source == Source::Action)
      add_once(actions, std::string(row->package));
    else
      add_once(packages, pip_package(*row, soname, cuda));
  }
  if (!packages.empty())
    actions.insert(actions.begin(), fmt::format("pip install {}", fmt::join(packages, " ")));
  return fmt::format("{}", fmt::join(actions, ", and "));
}

}  // namespace surefoot::provider
