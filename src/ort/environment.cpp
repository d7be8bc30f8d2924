#include "ort/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <span>

#include "ort/log.hpp"

namespace surefoot::ort {
namespace {

std::string kind_of(OrtHardwareDeviceType type) {
  switch (type) {
    case OrtHardwareDeviceType_CPU:
      return "cpu";
    case OrtHardwareDeviceType_GPU:
      return "gpu";
    case OrtHardwareDeviceType_NPU:
      return "npu";
  }
  return "unknown";
}

std::string text_or_empty(const char* text) { return text == nullptr ? "" : text; }

}  // namespace

Result<Environment*> Environment::of(const Library& library, const EnvironmentOptions& options) {
  // Never destroyed, see the class; keyed by the base table, which is one per mapped library.
  static auto* mutex = new std::mutex;
  static auto* environments = new std::map<const OrtApiBase*, std::unique_ptr<Environment>>;
  std::lock_guard lock(*mutex);
  auto& place = (*environments)[library.base];
  if (!place) {
    std::unique_ptr<Environment> made(new Environment(library, api_of(library)));
    if (auto started = made->start(options.pools); !started) return fail(std::move(started).error());
    place = std::move(made);
  }
  if (options.pools && !place->has_pools())
    return fail({.code = ErrorCode::InvalidState,
                 .what = fmt::format("ONNX Runtime {} was started without threads to share", library.version),
                 .hint = "ask for them where this process loads ONNX Runtime first"});
  if (!options.allow_telemetry) place->switch_telemetry_off();
  return place.get();
}

void Environment::switch_telemetry_off() {
  if (telemetry_allowed_.exchange(false)) (void)api_.call(fn::DisableTelemetryEvents, handle_);
}

Result<void> Environment::make_env(const std::optional<ThreadPools>& pools) {
  const auto level = static_cast<OrtLoggingLevel>(log_level());
  if (!pools)
    return api_.call(fn::CreateEnvWithCustomLogger, &receive_log, nullptr, level, "surefoot", &handle_);
  auto options = make<OrtThreadingOptions>(api_, fn::CreateThreadingOptions);
  if (!options) return fail(std::move(options).error());
  OrtThreadingOptions* const raw = options->get();
  auto made = api_.call(fn::SetGlobalIntraOpNumThreads, raw, pools->intra_op);
  if (made) made = api_.call(fn::SetGlobalInterOpNumThreads, raw, pools->inter_op);
  if (made) made = api_.call(fn::SetGlobalSpinControl, raw, pools->spinning ? 1 : 0);
  if (made)
    made = api_.call(fn::CreateEnvWithCustomLoggerAndGlobalThreadPools, &receive_log, nullptr, level,
                     "surefoot", static_cast<const OrtThreadingOptions*>(raw), &handle_);
  has_pools_ = made.has_value();
  return made;
}

Result<void> Environment::ensure_shared_arena() {
  std::lock_guard lock(arena_mutex_);
  if (has_arena_) return {};
  const OrtArenaCfg* const ort_chooses = nullptr;
  auto made = api_.call(fn::CreateAndRegisterAllocator, handle_, cpu_memory_, ort_chooses);
  has_arena_ = made.has_value();
  return made;
}

Result<void> Environment::start(const std::optional<ThreadPools>& pools) {
  const LogCapture log;
  auto made = make_env(pools);
  if (made) {
    OrtMemoryInfo* memory = nullptr;
    made = api_.call(fn::CreateCpuMemoryInfo, OrtArenaAllocator, OrtMemTypeDefault, &memory);
    cpu_memory_ = memory;
  }
  if (made) made = api_.call(fn::GetAllocatorWithDefaultOptions, &allocator_);
  if (made) return {};
  Error error = log.explain(std::move(made).error());
  error.code = ErrorCode::RuntimeUnavailable;
  return fail(std::move(error).while_doing(fmt::format("starting ONNX Runtime {}", library_.version)));
}

Result<void> Environment::register_plugin(const std::string& name, const std::filesystem::path& path) {
  std::lock_guard lock(plugins_mutex_);
  if (std::ranges::find(plugins_, name) != plugins_.end())
    return fail({.code = ErrorCode::InvalidArgument,
                 .what = fmt::format("a provider library is already registered under `{}`", name),
                 .hint = "choose another name for it"});
  std::error_code problem;
  if (!std::filesystem::exists(path, problem))
    return fail(
        {.code = ErrorCode::NotFound,
         .what = fmt::format("provider library `{}` does not exist", path.string()),
         .hint = "give the path of the library itself: in a pip package it lies in the package's folder"});
  // ORT looks for a relative path beside its own library.
  const auto file = std::filesystem::absolute(path, problem);
  const std::size_t devices_before = devices_locked().size();
  const LogCapture log;
  if (auto done = api_.call(fn::RegisterExecutionProviderLibrary, handle_, name.c_str(), file.c_str());
      !done) {
    Error error = log.explain(std::move(done).error());
    if (error.code != ErrorCode::Unsupported) error.code = ErrorCode::ProviderFailed;
    return fail(std::move(error).while_doing(fmt::format("registering `{}` as `{}`", path.string(), name)));
  }
  plugins_.push_back(name);
  plugin_files_[name] = file;
  if (devices_locked().size() == devices_before) idle_plugins_.push_back(name);
  return {};
}

Result<void> Environment::unregister_plugin(const std::string& name) {
  std::lock_guard lock(plugins_mutex_);
  const auto at = std::ranges::find(plugins_, name);
  if (at == plugins_.end())
    return fail({.code = ErrorCode::NotFound,
                 .what = fmt::format("no provider library is registered under `{}`", name)});
  if (const int live = live_sessions_; live > 0)
    return fail({.code = ErrorCode::InvalidState,
                 .what = fmt::format("provider library `{}` cannot be unregistered while {} session{} open",
                                     name, live, live == 1 ? " is" : "s are"),
                 .hint = "close every session first"});
  if (auto done = api_.call(fn::UnregisterExecutionProviderLibrary, handle_, name.c_str()); !done)
    return fail(std::move(done).error());
  plugin_files_.erase(name);  // `name` may be a reference to *at
  std::erase(idle_plugins_, name);
  plugins_.erase(at);
  return {};
}

std::vector<std::string> Environment::plugins() const {
  std::lock_guard lock(plugins_mutex_);
  return plugins_;
}

bool Environment::has_plugin(const std::string& name) const {
  std::lock_guard lock(plugins_mutex_);
  return std::ranges::find(plugins_, name) != plugins_.end();
}

std::map<std::string, std::filesystem::path> Environment::plugin_files() const {
  std::lock_guard lock(plugins_mutex_);
  return plugin_files_;
}

std::vector<std::string> Environment::idle_plugins() const {
  std::lock_guard lock(plugins_mutex_);
  return idle_plugins_;
}

std::vector<Device> Environment::devices() const {
  std::lock_guard lock(plugins_mutex_);  // registering moves ORT's list
  return devices_locked();
}

std::vector<Device> Environment::devices_locked() const {
  const OrtEpDevice* const* handles = nullptr;
  std::size_t count = 0;
  if (!api_.call(fn::GetEpDevices, static_cast<const OrtEnv*>(handle_), &handles, &count)) return {};
  std::vector<Device> devices;
  for (const OrtEpDevice* handle : std::span(handles, count)) {
    const OrtHardwareDevice* hardware = api_.get(fn::EpDevice_Device)(handle);
    devices.push_back({text_or_empty(api_.get(fn::EpDevice_EpName)(handle)),
                       text_or_empty(api_.get(fn::EpDevice_EpVendor)(handle)),
                       kind_of(api_.get(fn::HardwareDevice_Type)(hardware)), handle});
  }
  return devices;
}

// Under the lock, so that no library is unregistered between the look at the number and the act.
LiveSession::LiveSession(Environment& environment) : environment_(environment) {
  std::lock_guard lock(environment.plugins_mutex_);
  ++environment.live_sessions_;
}

}  // namespace surefoot::ort
