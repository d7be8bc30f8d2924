#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "model.hpp"
#include "plan.hpp"

namespace surefoot::python {
namespace {

/// Calls `body` with the interface of the model.
template <class Body>
void edit(OpenModel& self, Body&& body) {
  self.call([&](Model& model) { return body(model.interface()); });
}

void set_axis(OpenModel& self, const std::string& port, std::size_t axis, std::int64_t size,
              const std::string& name) {
  edit(self, [&](auto interface) { return interface.set_axis(port, axis, {.size = size, .name = name}); });
}

}  // namespace

void bind_interface(nb::class_<OpenModel>& model) {
  model
      .def("inputs",
           [](OpenModel& self) {
             return to_list(self.with([](Model& it) { return it.interface().inputs(); }));
           })
      .def("outputs",
           [](OpenModel& self) {
             return to_list(self.with([](Model& it) { return it.interface().outputs(); }));
           })
      .def(
          "rename_value",
          [](OpenModel& self, const std::string& from, const std::string& to) {
            edit(self, [&](auto interface) { return interface.rename(from, to); });
          },
          nb::arg("from_name"), nb::arg("to_name"))
      .def(
          "fix",
          [](OpenModel& self, const std::string& dimension, std::int64_t size) {
            edit(self, [&](auto interface) { return interface.fix(dimension, size); });
          },
          nb::arg("dimension"), nb::arg("size"))
      .def(
          "fix_denotation",
          [](OpenModel& self, const std::string& denotation, std::int64_t size) {
            edit(self, [&](auto interface) { return interface.fix_denotation(denotation, size); });
          },
          nb::arg("denotation"), nb::arg("size"))
      .def("set_axis", set_axis, nb::arg("port"), nb::arg("axis"), nb::arg("size"), nb::arg("name"))
      .def(
          "add_output",
          [](OpenModel& self, const std::string& value) {
            edit(self, [&](auto interface) { return interface.add_output(value); });
          },
          nb::arg("value"))
      .def(
          "remove_output",
          [](OpenModel& self, const std::string& name) {
            edit(self, [&](auto interface) { return interface.remove_output(name); });
          },
          nb::arg("name"));
}

}  // namespace surefoot::python
