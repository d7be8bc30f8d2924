#include "surefoot/runtime.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "ort/environment.hpp"
#include "ort/loader.hpp"
#include "ort/log.hpp"
#include "runtime/judge.hpp"

namespace surefoot {

struct Runtime::State {
  ort::Environment* environment;
  std::vector<std::string> providers;
  std::vector<RuntimeFound> searched;
};

namespace {

using runtime::Place;
using runtime::Surroundings;

/// ORT reads it when its environment is made; seen to work on 1.30.0, 1.31.1 and 1.32.0, where 0 and an
/// empty value leave telemetry on, which is for the caller to say and not for what was inherited.
void switch_telemetry(bool allowed) {
  if (!allowed) ort::set_environment("ORT_DISABLE_TELEMETRY", "1");
}

std::string list_of(const std::vector<RuntimeFound>& searched) {
  std::string text;
  for (const RuntimeFound& found : searched)
    text +=
        fmt::format("\n  {}: {}", to_string(found.origin), found.refused ? found.refused->what : "usable");
  return text;
}

std::string list_of(const std::vector<Place>& folders) {
  std::string text;
  for (const Place& folder : folders)
    text += fmt::format("\n  {}: `{}`", to_string(folder.origin), folder.path.string());
  return text;
}

Error nothing_found(const std::vector<RuntimeFound>& searched, const Surroundings& around) {
  Error error{.code = ErrorCode::RuntimeUnavailable,
              .what = "no ONNX Runtime library was found; looked in",
              .hint = "pip install onnxruntime, or let SUREFOOT_ONNXRUNTIME name a libonnxruntime file"};
  if (searched.empty()) {
    error.what += list_of(runtime::searched_folders(around));
  } else {
    error.what = "no ONNX Runtime library that was found can be used";
    error.what += list_of(searched);
  }
  return error;
}

/// Opens what was found and makes its environment; notes what is learnt on the way.
Result<ort::Environment*> start(RuntimeFound& found, const ort::EnvironmentOptions& options) {
  auto library = runtime::open_checked(found.path);
  if (!library) return fail(std::move(library).error());
  found.version = library->version;
  found.api_version = library->api_version;
  found.providers = library->providers();
  return ort::Environment::of(*library, options);
}

/// Searching costs a millisecond or more; the answer holds while nobody names another library. Its lock is
/// never held for longer than a look, so that no session waits for another one's first load.
class Remembered {
 public:
  static std::optional<Runtime> find(const std::string& key) {
    std::lock_guard lock(mutex());
    const auto at = runtimes().find(key);
    return at == runtimes().end() ? std::nullopt : std::optional(at->second);
  }
  static void add(const std::string& key, const Runtime& runtime) {
    std::lock_guard lock(mutex());
    runtimes().emplace(key, runtime);
  }

 private:
  static std::mutex& mutex() {
    static auto* made = new std::mutex;
    return *made;
  }
  static std::map<std::string, Runtime>& runtimes() {
    static auto* made = new std::map<std::string, Runtime>;
    return *made;
  }
};

std::string search_key(const RuntimeOptions& options, const Surroundings& around) {
  std::string key = fmt::format("{}\n{}\n{}\n{}\n{}", options.library.string(),
                                around.variable("SUREFOOT_ONNXRUNTIME").value_or("\t"),
                                around.variable("ORT_DYLIB_PATH").value_or("\t"), options.allow_telemetry,
                                options.shared_threads.has_value());
  for (const auto& folder : options.host_folders) key += "\n" + folder.string();
  return key;
}

ort::EnvironmentOptions environment_options(const RuntimeOptions& options) {
  ort::EnvironmentOptions made{.allow_telemetry = options.allow_telemetry};
  if (const auto& shared = options.shared_threads)
    made.pools = ort::ThreadPools{shared->intra_op, shared->inter_op, shared->spinning};
  return made;
}

Surroundings surroundings_for(const RuntimeOptions& options) {
  Surroundings around = Surroundings::real();
  around.host_folders = options.host_folders;
  return around;
}

}  // namespace

std::string_view to_string(RuntimeOrigin origin) noexcept {
  switch (origin) {
    case RuntimeOrigin::Explicit:
      return "explicit path";
    case RuntimeOrigin::SurefootVariable:
      return "SUREFOOT_ONNXRUNTIME";
    case RuntimeOrigin::OrtVariable:
      return "ORT_DYLIB_PATH";
    case RuntimeOrigin::Mapped:
      return "already loaded";
    case RuntimeOrigin::Host:
      return "named by the host program";
    case RuntimeOrigin::BesideLibrary:
      return "beside surefoot";
    case RuntimeOrigin::PythonEnvironment:
      return "python environment";
    case RuntimeOrigin::SystemLoader:
      return "system loader";
    case RuntimeOrigin::WellKnown:
      return "well-known folder";
  }
  return "unknown";
}

Result<Runtime> Runtime::load(const RuntimeOptions& options) {
  static auto* loading = new std::mutex;  // a library's first load may take seconds
  const Surroundings around = surroundings_for(options);
  const std::string key = search_key(options, around);
  if (options.log) ort::set_log_sink(options.log, options.log_level);
  if (auto known = Remembered::find(key)) return *std::move(known);
  std::lock_guard lock(*loading);
  if (auto known = Remembered::find(key)) return *std::move(known);
  auto loaded = search(options, around);
  if (loaded) Remembered::add(key, *loaded);
  return loaded;
}

Result<Runtime> Runtime::search(const RuntimeOptions& options, const runtime::Surroundings& around) {
  auto named = runtime::named_place(options.library, around);
  if (!named) return fail(std::move(named).error());
  switch_telemetry(options.allow_telemetry);
  std::vector<RuntimeFound> searched;
  for (const Place& place : *named ? std::vector{**named} : runtime::searched_places(around)) {
    RuntimeFound& found = searched.emplace_back(RuntimeFound{.path = place.path, .origin = place.origin});
    auto environment = start(found, environment_options(options));
    if (environment) {
      found.chosen = true;
      return Runtime(
          std::make_shared<const State>(State{*environment, found.providers, std::move(searched)}));
    }
    if (*named)
      return fail(
          std::move(environment)
              .error()
              .while_doing(fmt::format("loading the ONNX Runtime named by {}", to_string(place.origin))));
    // It runs already, without what is wanted: another copy beside it would be no answer.
    if (environment.error().code == ErrorCode::InvalidState) return fail(std::move(environment).error());
    found.refused = std::move(environment).error();
  }
  return fail(nothing_found(searched, around));
}

std::vector<RuntimeFound> Runtime::discover(const RuntimeOptions& options) {
  const Surroundings around = surroundings_for(options);
  switch_telemetry(options.allow_telemetry);
  std::vector<RuntimeFound> found;
  auto named = runtime::named_place(options.library, around);
  bool chosen = !named;  // load() fails then
  const auto add = [&](const Place& place) {
    found.push_back(runtime::judge(place));
    found.back().chosen = !chosen && !found.back().refused;
    chosen = chosen || found.back().chosen;
  };
  if (!named) {
    const bool ours = around.variable("SUREFOOT_ONNXRUNTIME").has_value();
    found.push_back({.origin = ours ? RuntimeOrigin::SurefootVariable : RuntimeOrigin::OrtVariable,
                     .refused = named.error()});
  }
  if (named && *named) {
    add(**named);
    chosen = true;  // what a user names is never replaced
  }
  std::error_code problem;
  for (const Place& place : runtime::searched_places(around))
    if (!named || !*named || !std::filesystem::equivalent(place.path, (*named)->path, problem)) add(place);
  return found;
}

void Runtime::set_log(LogSink sink, LogLevel level) { ort::set_log_sink(std::move(sink), level); }

const std::filesystem::path& Runtime::path() const noexcept { return environment().library().path; }
const std::string& Runtime::version() const noexcept { return environment().library().version; }
int Runtime::api_version() const noexcept { return environment().library().api_version; }
const std::vector<std::string>& Runtime::providers() const noexcept { return state_->providers; }
const std::vector<RuntimeFound>& Runtime::searched() const noexcept { return state_->searched; }
bool Runtime::telemetry_allowed() const noexcept { return environment().telemetry_allowed(); }
ort::Environment& Runtime::environment() const noexcept { return *state_->environment; }

Result<void> Runtime::register_plugin(const std::string& name, const std::filesystem::path& library) {
  return environment().register_plugin(name, library);
}
Result<void> Runtime::unregister_plugin(const std::string& name) {
  return environment().unregister_plugin(name);
}
std::vector<std::string> Runtime::plugins() const { return environment().plugins(); }

std::vector<DeviceInfo> Runtime::devices() const {
  std::vector<DeviceInfo> devices;
  for (ort::Device& device : environment().devices())
    devices.push_back({std::move(device.provider), std::move(device.vendor), std::move(device.kind)});
  return devices;
}

}  // namespace surefoot
