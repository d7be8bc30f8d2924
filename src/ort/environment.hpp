/// The ORT environment of one library: made once, never destroyed.
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "ort/library.hpp"

namespace surefoot::ort {

/// A value of ORT's, for those who pass it on without looking inside.
using RawValue = OrtValue;
using ReadyValue = Handle<OrtValue>;

/// A device that a provider offers: ORT's own CPU, or what a registered plugin found.
struct Device {
  std::string provider;  ///< the provider's name as ORT knows it
  std::string vendor;
  std::string kind;  ///< "cpu", "gpu", "npu"
  const OrtEpDevice* handle = nullptr;
};

/// Threads that all sessions of an environment may run on. 0: as many as ORT would give one session.
struct ThreadPools {
  int intra_op = 0;
  int inter_op = 0;
  bool spinning = true;
};

struct EnvironmentOptions {
  bool allow_telemetry = false;
  std::optional<ThreadPools> pools = {};  ///< none: each session has threads of its own
};

/// ORT's objects that all sessions of one library share.
///
/// Lifetime  until the process ends: ORT's environment is a singleton whose destruction while plugins,
///           threads or a second ORT are alive breaks them.
/// Threads   safe from any.
class Environment {
 public:
  /// The environment of `library`, made on the first call. Telemetry is switched off by the first call
  /// that does not allow it, and then stays off.
  /// Its pools are those that the first call asks for.
  /// Errors: RuntimeUnavailable with what ORT said; InvalidState for pools when it was made without.
  static Result<Environment*> of(const Library& library, const EnvironmentOptions& options = {});

  const Library& library() const noexcept { return library_; }
  const Api& api() const noexcept { return api_; }
  OrtEnv* handle() const noexcept { return handle_; }
  bool telemetry_allowed() const noexcept { return telemetry_allowed_; }
  const OrtMemoryInfo* cpu_memory() const noexcept { return cpu_memory_; }
  OrtAllocator* allocator() const noexcept { return allocator_; }
  bool has_pools() const noexcept { return has_pools_; }

  /// Makes the arena of host memory that sessions share who ask for it, once. Errors: what ORT said.
  Result<void> ensure_shared_arena();

  /// Registers a plugin provider library under `name`. Errors: InvalidArgument (the name is taken),
  /// NotFound (no such file), ProviderFailed with ORT's reason, Unsupported before ORT 1.22.
  Result<void> register_plugin(const std::string& name, const std::filesystem::path& path);
  /// Errors: NotFound (no such name), InvalidState while a session lives: ORT would accept that and
  /// corrupt the heap later (seen from 1.24 to 1.32).
  Result<void> unregister_plugin(const std::string& name);
  std::vector<std::string> plugins() const;
  bool has_plugin(const std::string& name) const;
  /// The files of the registered libraries, by the name each is registered under.
  std::map<std::string, std::filesystem::path> plugin_files() const;
  /// Names of registered libraries that offered no device: ORT reports success all the same.
  std::vector<std::string> idle_plugins() const;

  /// Devices of ORT's CPU provider and of all plugins. Empty before ORT 1.22.
  std::vector<Device> devices() const;

 private:
  Environment(Library library, Api api) : library_(std::move(library)), api_(std::move(api)) {}
  friend class LiveSession;
  Result<void> start(const std::optional<ThreadPools>& pools);
  Result<void> make_env(const std::optional<ThreadPools>& pools);
  std::vector<Device> devices_locked() const;
  void switch_telemetry_off();

  Library library_;
  Api api_;
  OrtEnv* handle_ = nullptr;
  const OrtMemoryInfo* cpu_memory_ = nullptr;
  OrtAllocator* allocator_ = nullptr;
  bool has_pools_ = false;
  std::mutex arena_mutex_;
  bool has_arena_ = false;
  mutable std::mutex plugins_mutex_;
  std::vector<std::string> plugins_;
  std::atomic<int> live_sessions_ = 0;
  std::atomic<bool> telemetry_allowed_ = true;
  std::vector<std::string> idle_plugins_;  ///< a part of plugins_
  std::map<std::string, std::filesystem::path> plugin_files_;
};

/// Counts as a session while it lives: no plugin library is unregistered meanwhile.
class LiveSession {
 public:
  explicit LiveSession(Environment& environment);
  ~LiveSession() { --environment_.live_sessions_; }
  LiveSession(const LiveSession&) = delete;
  LiveSession& operator=(const LiveSession&) = delete;

 private:
  Environment& environment_;
};

}  // namespace surefoot::ort
