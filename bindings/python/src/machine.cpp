#include "machine.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "durations.hpp"
#include "errors.hpp"
#include "events.hpp"
#include "names.hpp"
#include "provider/catalogue.hpp"
#include "session/config_keys.hpp"
#include "surefoot/isolated_probe.hpp"
#include "surefoot/plan.hpp"
#include "surefoot/probe.hpp"
#include "surefoot/runtime.hpp"

namespace surefoot::python {
namespace {

using Folders = std::vector<std::filesystem::path>;

/// (for one operator, for independent operators, spinning)
using Threads = std::tuple<int, int, bool>;

Runtime load_runtime(const std::filesystem::path& library, const Folders& folders, bool allow_telemetry,
                     const std::optional<Threads>& shared) {
  RuntimeOptions options{.library = library, .host_folders = folders, .allow_telemetry = allow_telemetry};
  if (shared) options.shared_threads = std::make_from_tuple<SharedThreads>(*shared);
  return waiting([&] { return Runtime::load(options); });
}

nb::dict error_codes() {
  nb::dict codes;
  for (int number = 1; to_string(static_cast<ErrorCode>(number)) != to_string(ErrorCode{}); ++number)
    codes[text(to_string(static_cast<ErrorCode>(number)))] = number;
  return codes;
}

nb::object reason(const std::optional<Error>& error) { return error ? to_exception(*error) : nb::none(); }

nb::list to_list(const std::vector<RuntimeFound>& all) {
  nb::list list;
  for (const RuntimeFound& found : all)
    list.append(nb::make_tuple(found.path, text(to_string(found.origin)), found.version, found.api_version,
                               found.providers, found.chosen, reason(found.refused)));
  return list;
}

nb::list discover(const std::filesystem::path& library, const Folders& folders) {
  const auto found = [&] {
    const nb::gil_scoped_release released;
    return Runtime::discover({.library = library, .host_folders = folders});
  }();
  return to_list(found);
}

nb::list statuses(const Runtime& runtime) {
  const auto all = [&] {
    const nb::gil_scoped_release released;
    return survey(runtime);
  }();
  return python::to_list(all);
}

nb::list devices(const Runtime& runtime) {
  nb::list list;
  for (const DeviceInfo& device : runtime.devices())
    list.append(nb::make_tuple(device.provider, device.vendor, device.kind));
  return list;
}

void probe_provider(const Runtime& runtime, const std::string& name) {
  waiting([&] { return probe(runtime, name); });
}

nb::tuple to_tuple(const ProbeVerdict& verdict) {
  const double seconds = std::chrono::duration<double>(verdict.elapsed).count();
  return nb::make_tuple(verdict.provider, text(to_string(verdict.outcome)), is_harmful(verdict.outcome),
                        verdict.what, verdict.stage, verdict.hint, verdict.devices, verdict.runtime_version,
                        verdict.output, seconds, verdict.remembered);
}

nb::tuple probe_apart(const Runtime& runtime, const std::string& provider, const ProviderOptions& options,
                      const std::filesystem::path& plugin, bool fresh, double limit) {
  const ProbeRequest request{.provider = provider, .options = options, .fresh = fresh, .plugin = plugin};
  const IsolationOptions isolation{.limit = milliseconds_of(limit)};
  return to_tuple(waiting([&] { return probe_isolated(runtime, request, isolation); }));
}

std::vector<std::string> config_keys(bool session) {
  const auto keys = session::known_keys(session ? session::KeyScope::Session : session::KeyScope::Run);
  return {keys.begin(), keys.end()};
}

/// The short name of any spelling, or None.
nb::object short_name(const std::string& name) {
  const provider::ProviderSpec* row = provider::find(name);
  return row == nullptr ? nb::none() : nb::object(text(row->name));
}

}  // namespace

nb::list to_list(const std::vector<ProviderStatus>& providers) {
  nb::list list;
  for (const ProviderStatus& each : providers)
    list.append(nb::make_tuple(each.name, each.ort_name, each.known, each.platform, each.plugin, each.present,
                               reason(each.absent_because)));
  return list;
}

void bind_machine(nb::module_& module) {
  nb::class_<Runtime>(module, "Runtime")
      .def_prop_ro("path", &Runtime::path)
      .def_prop_ro("version", &Runtime::version)
      .def_prop_ro("api_version", &Runtime::api_version)
      .def_prop_ro("providers", &Runtime::providers)
      .def_prop_ro("plugins", &Runtime::plugins)
      .def("devices", devices)
      .def("statuses", statuses)
      .def("probe", probe_provider, nb::arg("provider"))
      .def("probe_apart", probe_apart, nb::arg("provider"), nb::arg("options"), nb::arg("plugin"),
           nb::arg("fresh"), nb::arg("limit"))
      .def("register_plugin",
           [](Runtime& self, const std::string& name, const std::filesystem::path& library) {
             waiting([&] { return self.register_plugin(name, library); });
           })
      .def("unregister_plugin", [](Runtime& self, const std::string& name) {
        waiting([&] { return self.unregister_plugin(name); });
      });
  module.def("load_runtime", load_runtime, nb::arg("library"), nb::arg("folders"), nb::arg("allow_telemetry"),
             nb::arg("shared_threads").none());
  module.def("discover", discover, nb::arg("library"), nb::arg("folders"));
  module.def("error_codes", error_codes);
  module.def("config_keys", config_keys, nb::arg("session"));
  module.def("short_name", short_name, nb::arg("name"));
  module.def(
      "set_log",
      [](nb::object call, int level) {
        Runtime::set_log(log_call(std::move(call)), static_cast<LogLevel>(level));
      },
      nb::arg("call").none(), nb::arg("level"));
}

}  // namespace surefoot::python
