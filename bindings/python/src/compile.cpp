#include "surefoot/compile.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "diagnosis.hpp"
#include "durations.hpp"
#include "errors.hpp"
#include "events.hpp"
#include "inputs.hpp"
#include "names.hpp"

namespace surefoot::python {
namespace {

namespace fs = std::filesystem;

void set_form(CompileOptions& options, const std::optional<std::string>& name) {
  static constexpr std::array<std::string_view, 3> kForms = {"onnx", "ort", "ep-context"};
  options.form.reset();
  if (name) options.form = static_cast<CompiledForm>(place_of(*name, kForms, "form"));
}

void set_on_step(CompileOptions& options, nb::object call) {
  options.on_step = {};
  if (auto told = text_call(std::move(call)))
    options.on_step = [told = std::move(told)](CompileStep step) { told(to_string(step)); };
}

nb::dict to_dict(const CompileValidation& validation) {
  nb::dict made;
  made["made_up_inputs"] = validation.made_up_inputs;
  made["reference"] = validation.reference;
  made["outputs"] = validation.outputs;
  made["difference"] = validation.difference;
  made["tolerance"] = validation.tolerance;
  made["output"] = validation.output;
  return made;
}

nb::dict to_dict(const CompileReport& report) {
  nb::dict made;
  made["files"] = report.files;
  made["form"] = text(to_string(report.form));
  made["provider"] = report.provider;
  made["onnxruntime"] = report.onnxruntime;
  made["source_bytes"] = report.source_bytes;
  made["compiled_bytes"] = report.compiled_bytes;
  made["compiled_parts"] = report.compiled_parts;
  made["compile_time"] = seconds_of(report.compile_time);
  made["load_before"] = seconds_of(report.load_before);
  made["load_after"] = seconds_of(report.load_after);
  made["validation"] = to_dict(report.validation);
  made["compatibility"] = report.compatibility;
  made["notes"] = to_list(report.notes);
  return made;
}

nb::dict compile_model(const fs::path& source, const fs::path& destination, const std::string& target,
                       nb::dict feed, CompileOptions options) {
  const ModelInfo info = waiting([&] { return inspect(source); });
  const CallInputs inputs(info, std::move(feed));
  options.inputs.assign(inputs.inputs().begin(), inputs.inputs().end());
  return to_dict(waiting([&] { return compile(source, destination, target, options); }));
}

}  // namespace

void bind_compile(nb::module_& module) {
  nb::class_<CompileOptions>(module, "CompileOptions")
      .def(nb::init<>())
      .def_rw("session", &CompileOptions::session)
      .def_rw("embed", &CompileOptions::embed)
      .def_rw("external_weights", &CompileOptions::external_weights, nb::arg("value").none())
      .def_rw("tolerance", &CompileOptions::tolerance, nb::arg("value").none())
      .def("set_form", set_form, nb::arg("form").none())
      .def("set_on_step", set_on_step, nb::arg("call").none());
  module.def("compile", compile_model, nb::arg("source"), nb::arg("destination"), nb::arg("target"),
             nb::arg("feed"), nb::arg("options"));
}

}  // namespace surefoot::python
