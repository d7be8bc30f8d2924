#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include "bound_arrays.hpp"
#include "model.hpp"

namespace surefoot::python {
namespace {

/// A patch, and the model that it changes, whose lock it takes.
class OpenPatch {
 public:
  OpenPatch(nb::object model, Patch patch) : model_(std::move(model)), patch_(std::move(patch)) {}
  OpenPatch(const OpenPatch&) = delete;
  OpenPatch& operator=(const OpenPatch&) = delete;
  ~OpenPatch() {
    model().with([this](Model&) { patch_.reset(); });
  }

  bool is_active() const { return patch_->is_active(); }
  void release() {
    model().call([this](Model&) { return patch_->release(); });
  }

 private:
  OpenModel& model() { return nb::cast<OpenModel&>(model_); }

  nb::object model_;
  std::optional<Patch> patch_;
};

/// (name, array) or (name, a, b, scale)
WeightPatch patch_of(nb::handle given) {
  const nb::tuple parts = nb::cast<nb::tuple>(given);
  std::string name = nb::cast<std::string>(parts[0]);
  if (parts.size() == 2) {
    Tensor value = owned_tensor(name, parts[1]);
    return {std::move(name), std::move(value)};
  }
  LowRankDelta delta{owned_tensor(name, parts[1]), owned_tensor(name, parts[2]), nb::cast<double>(parts[3])};
  return {std::move(name), std::move(delta)};
}

std::unique_ptr<OpenPatch> patch(nb::object of, nb::list changes) {
  std::vector<WeightPatch> patches;
  for (nb::handle change : changes) patches.push_back(patch_of(change));
  Patch made = nb::cast<OpenModel&>(of).call([&](Model& model) { return model.patch(std::move(patches)); });
  return std::make_unique<OpenPatch>(std::move(of), std::move(made));
}

}  // namespace

void bind_patch(nb::module_& module, nb::class_<OpenModel>& model) {
  nb::class_<OpenPatch>(module, "Patch")
      .def_prop_ro("is_active", &OpenPatch::is_active)
      .def("release", &OpenPatch::release);
  model.def("patch", patch, nb::arg("changes"));
}

}  // namespace surefoot::python
