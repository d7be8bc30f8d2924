#include "factory.hpp"

#include <span>

#include "fault_injection.hpp"

namespace surefoot::fault_ep {
namespace {

Factory& factory(OrtEpFactory* self) { return *static_cast<Factory*>(self); }

/// The CPU exists everywhere, so tests run everywhere. ORT's selection policies prefer it then to their own.
std::size_t offer_devices(Factory& self, std::span<const OrtHardwareDevice* const> hardware,
                          std::span<OrtEpDevice*> offered) {
  std::size_t count = 0;
  for (const OrtHardwareDevice* device : hardware) {
    if (count == offered.size()) break;
    if (host().api->HardwareDevice_Type(device) != OrtHardwareDeviceType_CPU) continue;
    check(host().ep->CreateEpDevice(&self, device, nullptr, nullptr, &offered[count]));
    if (self.memory) check(host().ep->EpDevice_AddAllocatorInfo(offered[count], self.memory->info()));
    ++count;
  }
  return count;
}

OrtStatus* ORT_API_CALL get_supported_devices(OrtEpFactory* self, const OrtHardwareDevice* const* hardware,
                                              std::size_t hardware_count, OrtEpDevice** offered,
                                              std::size_t room, std::size_t* offered_count) noexcept {
  *offered_count = 0;
  return guard([&] {
    if (enter(factory(self).plan, Stage::devices) == Course::offer_nothing) return;
    *offered_count = offer_devices(factory(self), {hardware, hardware_count}, {offered, room});
  });
}

OrtStatus* ORT_API_CALL create_ep(OrtEpFactory* self, const OrtHardwareDevice* const*,
                                  const OrtKeyValuePairs* const*, std::size_t,
                                  const OrtSessionOptions* options, const OrtLogger*, OrtEp** made) noexcept {
  return guard([&] {
    const SessionSettings settings(options, factory(self).name);
    auto provider = std::make_unique<Provider>(factory(self).name, settings);
    enter(settings.fault().empty() ? factory(self).plan : provider->plan, Stage::create);
    *made = provider.release();
  });
}

/// The factory may be gone already when a caller unregisters the library early, so it is not looked at.
void ORT_API_CALL release_ep(OrtEpFactory*, OrtEp* ep) noexcept {
  const std::unique_ptr<Provider> provider(static_cast<Provider*>(ep));
  enter(provider->plan, Stage::release);
}

OrtStatus* ORT_API_CALL validate(OrtEpFactory*, const OrtHardwareDevice* const*, std::size_t,
                                 const char* mark, OrtCompiledModelCompatibility* verdict) noexcept {
  return guard([&] {
    const std::string ours = compatibility_mark();
    const std::string family = ours.substr(0, ours.find('=') + 1);
    if (mark == ours)
      *verdict = OrtCompiledModelCompatibility_EP_SUPPORTED_OPTIMAL;
    else if (std::string_view(mark).starts_with(family))
      *verdict = OrtCompiledModelCompatibility_EP_SUPPORTED_PREFER_RECOMPILATION;
    else
      *verdict = OrtCompiledModelCompatibility_EP_UNSUPPORTED;
  });
}

/// Null stands for ORT's own memory.
OrtStatus* ORT_API_CALL create_allocator(OrtEpFactory* self, const OrtMemoryInfo*, const OrtKeyValuePairs*,
                                         OrtAllocator** allocator) noexcept {
  *allocator = factory(self).memory ? factory(self).memory->allocator() : nullptr;
  return nullptr;
}

OrtStatus* ORT_API_CALL create_data_transfer(OrtEpFactory* self, OrtDataTransferImpl** transfer) noexcept {
  *transfer = factory(self).memory ? factory(self).memory->data_transfer() : nullptr;
  return nullptr;
}

}  // namespace

Factory::Factory(const std::string& registered_name)
    : OrtEpFactory{}, name(environment("FAULTEP_NAME", registered_name)), plan(environment("FAULTEP")) {
  if (!environment("FAULTEP_DEVMEM").empty()) memory.emplace(plan);
  ort_version_supported = host().version;
  GetName = [](const OrtEpFactory* self) noexcept { return static_cast<const Factory*>(self)->name.c_str(); };
  GetVendor = [](const OrtEpFactory*) noexcept { return "surefoot-test"; };
  GetVendorId = [](const OrtEpFactory*) noexcept { return kVendorId; };
  GetVersion = [](const OrtEpFactory*) noexcept { return "1.0.0"; };
  GetSupportedDevices = get_supported_devices;
  CreateEp = create_ep;
  ReleaseEp = release_ep;
  ValidateCompiledModelCompatibilityInfo = validate;
  CreateAllocator = create_allocator;
  ReleaseAllocator = [](OrtEpFactory*, OrtAllocator*) noexcept {};
  CreateDataTransfer = create_data_transfer;
  IsStreamAware = [](const OrtEpFactory*) noexcept { return false; };
}

}  // namespace surefoot::fault_ep
