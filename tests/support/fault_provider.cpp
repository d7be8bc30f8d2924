#include "tests/support/fault_provider.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "tests/support/runtimes.hpp"

namespace surefoot::tests {
namespace {

template <class Function>
Function* function(const char* name) {
  static void* const library = ::dlopen(fault_ep_library().c_str(), RTLD_NOW);
  void* const found = library == nullptr ? nullptr : ::dlsym(library, name);
  if (found == nullptr) {
    std::fprintf(stderr, "%s has no %s\n", fault_ep_library().c_str(), name);
    std::abort();
  }
  return reinterpret_cast<Function*>(found);
}

}  // namespace

FaultProvider::FaultProvider(Runtime runtime, const std::string& plan, std::string name)
    : runtime_(std::move(runtime)), name_(std::move(name)) {
  set_plan(plan);
  reset_counts();
  if (auto done = runtime_.register_plugin(name_, fault_ep_library()); !done) {
    std::fprintf(stderr, "%s\n", to_string(done.error()).c_str());
    std::abort();
  }
}

FaultProvider::~FaultProvider() {
  set_plan("");
  if (auto done = runtime_.unregister_plugin(name_); !done)
    std::fprintf(stderr, "unregistering `%s`: %s\n", name_.c_str(), to_string(done.error()).c_str());
}

void FaultProvider::set_plan(const std::string& plan) { ::setenv("FAULTEP", plan.c_str(), 1); }

long FaultProvider::count(const char* stage) { return function<long(const char*)>("fault_ep_count")(stage); }
void FaultProvider::reset_counts() { function<void()>("fault_ep_reset_counts")(); }
long FaultProvider::max_concurrent_runs() { return function<long()>("fault_ep_max_concurrent_runs")(); }

SessionOptions faulty_options(const Runtime& runtime, const std::string& plan, const std::string& name) {
  SessionOptions options{.runtime = runtime};
  if (!plan.empty()) options.providers.options[name]["fault"] = plan;
  return options;
}

}  // namespace surefoot::tests
