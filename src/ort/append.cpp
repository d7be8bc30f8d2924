#include "ort/append.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "ort/loader.hpp"
#include "ort/log.hpp"

namespace surefoot::ort {
namespace {

/// Options as the parallel arrays that ORT takes.
struct KeysAndValues {
  explicit KeysAndValues(const Append& what) {
    for (const auto& [key, value] : what.options) {
      keys.push_back(key.c_str());
      values.push_back(value.c_str());
    }
  }
  std::vector<const char*> keys, values;
};

using Adder = Result<void> (*)(const Environment&, OrtSessionOptions*, const Append&);

Result<void> add_nothing(const Environment&, OrtSessionOptions*, const Append&) { return {}; }

/// The providers whose options are an object of their own: create, update by key, append.
template <class Options, const auto& create, const auto& update, const auto& add>
Result<void> add_with_object(const Environment& environment, OrtSessionOptions* to, const Append& what) {
  const Api& api = environment.api();
  auto options = make<Options>(api, create);
  if (!options) return fail(std::move(options).error());
  const KeysAndValues entries(what);
  if (!what.options.empty()) {
    auto updated =
        api.call(update, options->get(), entries.keys.data(), entries.values.data(), entries.keys.size());
    if (!updated) return updated;
  }
  return api.call(add, to, static_cast<const Options*>(options->get()));
}

Result<void> add_generic(const Environment& environment, OrtSessionOptions* to, const Append& what) {
  const KeysAndValues entries(what);
  return environment.api().call(fn::SessionOptionsAppendExecutionProvider, to, what.name.c_str(),
                                entries.keys.data(), entries.values.data(), entries.keys.size());
}

Result<void> add_acl(const Environment& environment, OrtSessionOptions* to, const Append& what) {
  using AddAcl = OrtStatus* (*)(OrtSessionOptions*, bool);
  auto library = map_library(environment.library().path);
  if (!library) return fail(std::move(library).error());
  const auto add = reinterpret_cast<AddAcl>(symbol(*library, "OrtSessionOptionsAppendExecutionProvider_ACL"));
  if (add == nullptr)
    return fail(
        {.code = ErrorCode::Unsupported, .what = "this ONNX Runtime exports no function that adds ACL"});
  const bool fast_math = !what.options.empty() && what.options.front().second == "1";
  OrtStatus* status = add(to, fast_math);
  if (status != nullptr) return fail(environment.api().take_error(status));
  return {};
}

Result<void> add_plugin(const Environment& environment, OrtSessionOptions* to, const Append& what) {
  std::vector<const OrtEpDevice*> devices;
  for (const Device& device : environment.devices())
    if (device.provider == what.name) devices.push_back(device.handle);
  if (devices.empty())
    return fail({.code = ErrorCode::ProviderFailed,
                 .what = fmt::format("provider `{}` offers no device on this machine", what.name)});
  const KeysAndValues entries(what);
  return environment.api().call(fn::SessionOptionsAppendExecutionProvider_V2, to, environment.handle(),
                                devices.data(), devices.size(), entries.keys.data(), entries.values.data(),
                                entries.keys.size());
}

/// What providers say when they read their options. The functions stand in the texts of WebGPU, which
/// does nothing else in them.
constexpr std::string_view kOptionRefusals[] = {
    "Unknown provider option: ",                    // CUDA, TensorRT and all others that parse alike
    "Failed to parse provider option ",             //
    "The format of provider option ",               // TensorRT
    "Profile shapes validation failed",             //
    "ParseEpConfig(",                               // WebGPU, 1.27 to 1.30
    "ParseWebGpuContextConfig(",                    //
    "Invalid provider_option key: ",                // OpenVINO 1.24, in the log alone, as what follows
    "Unsupported inference precision is selected",  //
    "Number of threads should be a number",         //
    "should be a boolean",                          //
    "Invalid layout definition format: ",           //
    "JSON parsing error: ",                         //
};

Adder adder_of(AppendMethod method) {
  switch (method) {
    case AppendMethod::None:
      return add_nothing;
    case AppendMethod::CudaV2:
      return add_with_object<OrtCUDAProviderOptionsV2, fn::CreateCUDAProviderOptions,
                             fn::UpdateCUDAProviderOptions,
                             fn::SessionOptionsAppendExecutionProvider_CUDA_V2>;
    case AppendMethod::TensorRtV2:
      return add_with_object<OrtTensorRTProviderOptionsV2, fn::CreateTensorRTProviderOptions,
                             fn::UpdateTensorRTProviderOptions,
                             fn::SessionOptionsAppendExecutionProvider_TensorRT_V2>;
    case AppendMethod::Rocm:
      return add_with_object<OrtROCMProviderOptions, fn::CreateROCMProviderOptions,
                             fn::UpdateROCMProviderOptions, fn::SessionOptionsAppendExecutionProvider_ROCM>;
    case AppendMethod::Cann:
      return add_with_object<OrtCANNProviderOptions, fn::CreateCANNProviderOptions,
                             fn::UpdateCANNProviderOptions, fn::SessionOptionsAppendExecutionProvider_CANN>;
    case AppendMethod::Dnnl:
      return add_with_object<OrtDnnlProviderOptions, fn::CreateDnnlProviderOptions,
                             fn::UpdateDnnlProviderOptions, fn::SessionOptionsAppendExecutionProvider_Dnnl>;
    case AppendMethod::Acl:
      return add_acl;
    case AppendMethod::Generic:
      return add_generic;
    case AppendMethod::Plugin:
      return add_plugin;
  }
  return add_nothing;
}

}  // namespace

bool blames_an_option(const Error& error) {
  return std::ranges::any_of(kOptionRefusals, [&](std::string_view words) {
    return error.what.find(words) != error.what.npos ||
           (error.native && error.native->text.find(words) != error.native->text.npos);
  });
}

Error as_wrong_option(Error error) {
  error.code = ErrorCode::InvalidArgument;
  error.hint = "correct the provider's options: what no table of ours knows is judged by the provider alone";
  return error;
}

Result<void> append(const Environment& environment, OrtSessionOptions* to, const Append& what) {
  const LogCapture log;
  auto added = adder_of(what.method)(environment, to, what);
  if (added) return {};
  Error error = log.explain(std::move(added).error());
  if (!what.options.empty() && blames_an_option(error)) return fail(as_wrong_option(std::move(error)));
  if (error.code != ErrorCode::Unsupported) error.code = ErrorCode::ProviderFailed;
  return fail(std::move(error));
}

}  // namespace surefoot::ort
