#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "durations.hpp"
#include "errors.hpp"
#include "inputs.hpp"
#include "measuring.hpp"
#include "names.hpp"
#include "surefoot/tune.hpp"

namespace surefoot::python {
namespace {

namespace fs = std::filesystem;

void set_goal(TuneOptions& options, const std::string& name) {
  static constexpr std::array<std::string_view, 2> kGoals = {"latency", "throughput"};
  options.goal = static_cast<TuneGoal>(place_of(name, kGoals, "goal"));
}

nb::tuple to_tuple(const TuneTrial& trial) {
  return nb::make_tuple(trial.setting, trial.value, trial.before, trial.after, trial.kept,
                        trial.error ? to_exception(*trial.error) : nb::none());
}

nb::tuple to_tuple(const TuneReport& report) {
  nb::list trials;
  for (const TuneTrial& each : report.trials) trials.append(to_tuple(each));
  return nb::make_tuple(report.settings, trials, report.untried, report.before, report.after,
                        report.record.empty() ? nb::none() : nb::cast(report.record));
}

nb::tuple tuned(const fs::path& model, nb::dict feed, const TuneOptions& options) {
  const ModelInfo info = waiting([&] { return inspect(model); });
  const CallInputs inputs(info, std::move(feed));
  return to_tuple(waiting([&] { return tune(model, inputs.inputs(), options); }));
}

}  // namespace

void bind_tuning(nb::module_& module) {
  nb::class_<TuneOptions>(module, "TuneOptions")
      .def(nb::init<>())
      .def_rw("session", &TuneOptions::session)
      .def_rw("callers", &TuneOptions::callers)
      .def_rw("save", &TuneOptions::save)
      .def("set_goal", set_goal, nb::arg("goal"))
      .def(
          "set_time", [](TuneOptions& self, double seconds) { self.time = time_to_spend(seconds); },
          nb::arg("seconds"));
  module.def("tune", tuned, nb::arg("model"), nb::arg("feed"), nb::arg("options"));
}

}  // namespace surefoot::python
