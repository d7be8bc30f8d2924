#include "options.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string_view>

#include "error/suggest.hpp"
#include "errors.hpp"
#include "events.hpp"
#include "names.hpp"
#include "surefoot/session.hpp"

namespace surefoot::python {
namespace {

/// The value whose name is `name`, among `count` of them from 0 on.
template <class Named>
Named named(const std::string& name, int count, const char* what) {
  std::vector<std::string> known;
  for (int i = 0; i < count; ++i) {
    known.emplace_back(to_string(static_cast<Named>(i)));
    if (known.back() == name) return static_cast<Named>(i);
  }
  raise({.code = ErrorCode::InvalidArgument,
         .what = "`" + name + "` is no " + what,
         .hint = suggestion(name, known)});
}

void set_optimization(SessionOptions& options, const std::optional<std::string>& name) {
  options.optimization.reset();
  if (name) options.optimization = named<OptimizationLevel>(*name, 5, "optimization level");
}

void set_log_level(SessionOptions& options, const std::optional<std::string>& name) {
  options.log_level.reset();
  if (name) options.log_level = named<LogLevel>(*name, 5, "log level");
}

void set_cache(SessionOptions& options, const std::filesystem::path& folder, std::uint64_t limit_bytes,
               bool wait) {
  options.cache = {
      .folder = folder, .limit_bytes = limit_bytes, .fill = wait ? CacheFill::Inline : CacheFill::Background};
}

void set_graph_capture(SessionOptions& options, const std::string& name) {
  options.graph_capture = named<GraphCapture>(name, 3, "graph capture");
}

void set_probes(SessionOptions& options, const std::string& name) {
  static constexpr std::array<std::string_view, 3> kPolicies = {"ignore", "remember", "probe"};
  options.probes.policy = static_cast<ProbePolicy>(place_of(name, kPolicies, "use of probes"));
}

template <auto Outer, auto Inner>
void field(nb::class_<SessionOptions>& options, const char* name) {
  using Type = std::remove_cvref_t<decltype(std::declval<SessionOptions>().*Outer.*Inner)>;
  options.def_prop_rw(
      name, [](const SessionOptions& self) { return self.*Outer.*Inner; },
      [](SessionOptions& self, Type value) { self.*Outer.*Inner = std::move(value); },
      nb::arg("value").none());
}

}  // namespace

void bind_options(nb::module_& module) {
  nb::class_<SessionOptions> options(module, "Options");
  options.def(nb::init<>());
  field<&SessionOptions::providers, &ProviderSelection::prefer>(options, "prefer");
  field<&SessionOptions::providers, &ProviderSelection::only>(options, "only");
  field<&SessionOptions::providers, &ProviderSelection::exclude>(options, "exclude");
  field<&SessionOptions::providers, &ProviderSelection::options>(options, "provider_options");
  field<&SessionOptions::providers, &ProviderSelection::first_only>(options, "first_only");
  field<&SessionOptions::threads, &ThreadOptions::intra_op>(options, "intra_op");
  field<&SessionOptions::threads, &ThreadOptions::inter_op>(options, "inter_op");
  field<&SessionOptions::threads, &ThreadOptions::parallel>(options, "parallel");
  field<&SessionOptions::threads, &ThreadOptions::spinning>(options, "spinning");
  field<&SessionOptions::threads, &ThreadOptions::shared>(options, "shared_threads");
  options.def_rw("dimensions", &SessionOptions::dimensions)
      .def_rw("dimensions_by_denotation", &SessionOptions::dimensions_by_denotation)
      .def_rw("memory_pattern", &SessionOptions::memory_pattern)
      .def_rw("cpu_arena", &SessionOptions::cpu_arena)
      .def_rw("profile_prefix", &SessionOptions::profile_prefix)
      .def_rw("optimized_model", &SessionOptions::optimized_model)
      .def_rw("custom_op_libraries", &SessionOptions::custom_op_libraries)
      .def_rw("config", &SessionOptions::config)
      .def_rw("external_data_folder", &SessionOptions::external_data_folder)
      .def_rw("runtime", &SessionOptions::runtime, nb::arg("value").none())
      .def("set_optimization", set_optimization, nb::arg("level").none())
      .def("set_log_level", set_log_level, nb::arg("level").none())
      .def("set_cache", set_cache, nb::arg("folder"), nb::arg("limit_bytes"), nb::arg("wait"))
      .def_rw("allow_outside_data", &SessionOptions::allow_outside_data)
      .def_rw("shared_arena", &SessionOptions::shared_arena)
      .def_rw("min_placement", &SessionOptions::min_placement)
      .def_rw("verify", &SessionOptions::verify)
      .def_rw("plugin_graph_option", &SessionOptions::plugin_graph_option)
      .def("set_graph_capture", set_graph_capture, nb::arg("capture"))
      .def("set_probes", set_probes, nb::arg("policy"))
      .def("set_on_event",
           [](SessionOptions& self, nb::object call) { self.on_event = event_call(std::move(call)); });
}

}  // namespace surefoot::python
