/// What the library exports: the two entry points of a plugin provider, and the counts for tests.
#include "counters.hpp"
#include "factory.hpp"
#include "fault_ep.h"
#include "fault_injection.hpp"

using namespace surefoot::fault_ep;

#define FAULT_EP_EXPORT extern "C" __attribute__((visibility("default")))

FAULT_EP_EXPORT OrtStatus* CreateEpFactories(const char* registered_name, const OrtApiBase* base,
                                             const OrtLogger*, OrtEpFactory** factories, std::size_t room,
                                             std::size_t* count) {
  *count = 0;
  return guard([&] {
    meet_host(*base);
    if (room < 1) throw StatusError(ORT_INVALID_ARGUMENT, "there is no room for a factory");
    auto factory = std::make_unique<Factory>(registered_name);
    enter(factory->plan, Stage::factories);
    factories[0] = factory.release();
    *count = 1;
  });
}

FAULT_EP_EXPORT OrtStatus* ReleaseEpFactory(OrtEpFactory* factory) {
  delete static_cast<Factory*>(factory);
  return nullptr;
}

FAULT_EP_EXPORT long fault_ep_count(const char* stage) {
  const auto known = stage_from(stage);
  return known ? passes_of(*known) : -1;
}

FAULT_EP_EXPORT long fault_ep_max_concurrent_runs(void) { return most_runs_at_once(); }

FAULT_EP_EXPORT void fault_ep_reset_counts(void) { reset_counters(); }
