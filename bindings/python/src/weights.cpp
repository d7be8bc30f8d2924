#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bound_arrays.hpp"
#include "element_types.hpp"
#include "model.hpp"
#include "names.hpp"
#include "outputs.hpp"
#include "string_arrays.hpp"

namespace surefoot::python {
namespace {

/// An array over the elements where they lie, which may only be read: the mapped file, or an edited tensor.
nb::object array_over_data(WeightData&& data) {
  auto owned = std::make_unique<WeightData>(std::move(data));
  const TensorView view = owned->view();
  nb::object array = made(PyArray_NewFromDescr(
      &PyArray_Type, reinterpret_cast<PyArray_Descr*>(numpy_type(view.type).release().ptr()),
      static_cast<int>(view.shape.size()), reinterpret_cast<const npy_intp*>(view.shape.data()), nullptr,
      const_cast<std::byte*>(view.bytes.data()), NPY_ARRAY_C_CONTIGUOUS, nullptr));
  PyArray_UpdateFlags(as_array(array), NPY_ARRAY_ALIGNED);
  if (view.bytes.empty()) return array;
  nb::capsule owner(owned.release(), [](void* held) noexcept { delete static_cast<WeightData*>(held); });
  if (PyArray_SetBaseObject(as_array(array), owner.release().ptr()) != 0) throw nb::python_error();
  return array;
}

nb::object weight(OpenModel& self, const std::string& name) {
  WeightData data = self.call([&](Model& model) { return model.weights().get(name); });
  const TensorView view = data.view();
  if (view.type == ElementType::String) return array_of_strings(view.strings, view.shape);
  if (element_bits(view.type) < 8) return to_python(value_or_raise(data.clone()));
  return array_over_data(std::move(data));
}

nb::tuple to_tuple(const WeightInfo& info) {
  return nb::make_tuple(info.name, text(to_string(info.type)), nb::tuple(nb::cast(info.shape)), info.bytes,
                        text(to_string(info.storage)), info.location, info.offset);
}

nb::tuple weight_info(OpenModel& self, const std::string& name) {
  return to_tuple(self.call([&](Model& model) { return model.weights().info(name); }));
}

nb::list weight_items(OpenModel& self) {
  const auto items = self.with([](Model& model) { return model.weights().items(); });
  nb::list list;
  for (const WeightInfo& info : items) list.append(to_tuple(info));
  return list;
}

template <auto Change>
void change(OpenModel& self, const std::string& name, nb::handle value) {
  Tensor tensor = owned_tensor(name, value);
  self.call([&](Model& model) {
    Weights weights = model.weights();
    return (weights.*Change)(name, std::move(tensor));
  });
}

}  // namespace

void bind_weights(nb::class_<OpenModel>& model) {
  model.def("weight", weight, nb::arg("name"))
      .def("weight_info", weight_info, nb::arg("name"))
      .def("weight_items", weight_items)
      .def("weight_names",
           [](OpenModel& self) { return self.with([](Model& it) { return it.weights().names(); }); })
      .def(
          "has_weight",
          [](OpenModel& self, const std::string& name) {
            return self.with([&](Model& it) { return it.weights().contains(name); });
          },
          nb::arg("name"))
      .def("set_weight", change<&Weights::set>, nb::arg("name"), nb::arg("value"))
      .def("replace_weight", change<&Weights::replace>, nb::arg("name"), nb::arg("value"))
      .def("insert_weight", change<&Weights::insert>, nb::arg("name"), nb::arg("value"))
      .def(
          "reset_weight",
          [](OpenModel& self, const std::string& name) {
            self.call([&](Model& it) { return it.weights().reset(name); });
          },
          nb::arg("name"))
      .def(
          "erase_weight",
          [](OpenModel& self, const std::string& name) {
            self.call([&](Model& it) { return it.weights().erase(name); });
          },
          nb::arg("name"))
      .def(
          "rename_weight",
          [](OpenModel& self, const std::string& from, const std::string& to) {
            self.call([&](Model& it) { return it.weights().rename(from, to); });
          },
          nb::arg("from_name"), nb::arg("to_name"));
}

}  // namespace surefoot::python
