/// A plugin library around another one, to whose provider it shows a made-up device in place of the
/// machine's own, so that providers bound to a vendor run on any machine: OpenVINO wants Intel's CPU.
///
///   DEVICE_SHIM_LIBRARY    path of the real plugin library
///   DEVICE_SHIM_TYPE       cpu (default), gpu or npu
///   DEVICE_SHIM_VENDOR     default Intel
///   DEVICE_SHIM_VENDOR_ID  hexadecimal, default 8086
///
/// Needs ONNX Runtime 1.24, the first that lets a plugin make a device.
#include <dlfcn.h>
#include <onnxruntime_c_api.h>

#include <array>
#include <cstdlib>
#include <span>
#include <string>

namespace {

constexpr std::uint32_t kApi = 24;
constexpr std::size_t kMostFactories = 8;

using SupportedDevices = decltype(OrtEpFactory::GetSupportedDevices);

struct WrappedFactory {
  OrtEpFactory* factory = nullptr;
  SupportedDevices real = nullptr;
};

/// A process has one device and one real library behind each copy of this one.
OrtHardwareDevice* made_up_device = nullptr;
std::array<WrappedFactory, kMostFactories> wrapped{};
ReleaseEpApiFactoryFn real_release = nullptr;

std::string environment(const char* name, const char* fallback) {
  const char* value = std::getenv(name);
  return value == nullptr ? fallback : value;
}

/// Of a host whose version reads "1.<minor>.<patch>". Asking for a table that it lacks prints to stderr.
std::uint32_t minor_version(const OrtApiBase& base) {
  const std::string version = base.GetVersionString();
  return static_cast<std::uint32_t>(std::strtoul(version.c_str() + version.find('.') + 1, nullptr, 10));
}

OrtHardwareDeviceType device_type() {
  const std::string type = environment("DEVICE_SHIM_TYPE", "cpu");
  if (type == "gpu") return OrtHardwareDeviceType_GPU;
  return type == "npu" ? OrtHardwareDeviceType_NPU : OrtHardwareDeviceType_CPU;
}

OrtStatus* make_device(const OrtApi& api) {
  if (made_up_device != nullptr) return nullptr;
  const auto vendor_id = std::strtoul(environment("DEVICE_SHIM_VENDOR_ID", "8086").c_str(), nullptr, 16);
  return api.GetEpApi()->CreateHardwareDevice(device_type(), static_cast<std::uint32_t>(vendor_id), 0,
                                              environment("DEVICE_SHIM_VENDOR", "Intel").c_str(), nullptr,
                                              &made_up_device);
}

OrtStatus* ORT_API_CALL show_made_up_device(OrtEpFactory* self, const OrtHardwareDevice* const*, std::size_t,
                                            OrtEpDevice** offered, std::size_t room,
                                            std::size_t* count) noexcept {
  const OrtHardwareDevice* devices[] = {made_up_device};
  *count = 0;
  for (const auto& [factory, real] : wrapped)
    if (factory == self) return real(self, devices, 1, offered, room, count);
  return nullptr;
}

OrtStatus* wrap(const OrtApi& api, std::span<OrtEpFactory* const> factories) {
  if (factories.size() > wrapped.size()) return api.CreateStatus(ORT_FAIL, "device shim: too many factories");
  wrapped = {};
  for (std::size_t i = 0; i < factories.size(); ++i) {
    wrapped[i] = {factories[i], factories[i]->GetSupportedDevices};
    factories[i]->GetSupportedDevices = show_made_up_device;
  }
  return nullptr;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) OrtStatus* CreateEpFactories(
    const char* registered_name, const OrtApiBase* base, const OrtLogger* logger, OrtEpFactory** factories,
    std::size_t room, std::size_t* count) {
  *count = 0;
  if (minor_version(*base) < kApi)
    return base->GetApi(1)->CreateStatus(ORT_FAIL, "device shim: needs ONNX Runtime 1.24 or newer");
  const OrtApi* api = base->GetApi(kApi);
  const std::string path = environment("DEVICE_SHIM_LIBRARY", "");
  if (path.empty()) return api->CreateStatus(ORT_FAIL, "device shim: DEVICE_SHIM_LIBRARY is not set");
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return api->CreateStatus(ORT_FAIL, dlerror());
  const auto real_create = reinterpret_cast<CreateEpApiFactoriesFn>(dlsym(library, "CreateEpFactories"));
  real_release = reinterpret_cast<ReleaseEpApiFactoryFn>(dlsym(library, "ReleaseEpFactory"));
  if (real_create == nullptr || real_release == nullptr) return api->CreateStatus(ORT_FAIL, dlerror());
  if (OrtStatus* status = make_device(*api)) return status;
  if (OrtStatus* status = real_create(registered_name, base, logger, factories, room, count)) return status;
  return wrap(*api, {factories, *count});
}

extern "C" __attribute__((visibility("default"))) OrtStatus* ReleaseEpFactory(OrtEpFactory* factory) {
  return real_release(factory);
}
