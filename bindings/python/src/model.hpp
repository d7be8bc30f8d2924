/// `_core.Model`, a model that is open for editing, and its patches.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <utility>

#include "errors.hpp"
#include "surefoot/model.hpp"

namespace surefoot::python {

/// A model of which one thread at a time makes use, as it wants it.
class OpenModel {
 public:
  explicit OpenModel(Model model) : model_(std::move(model)) {}
  OpenModel(const OpenModel&) = delete;
  OpenModel& operator=(const OpenModel&) = delete;
  /// The model's session may end here: see OpenSession::close.
  ~OpenModel() {
    const nb::gil_scoped_release released;
    model_.reset();
  }

  /// Calls `body(model)` without Python's lock, which other threads may wait for while they hold ours.
  template <class Body>
  auto with(Body&& body) {
    const nb::gil_scoped_release released;
    const std::scoped_lock locked(mutex_);
    return body(*model_);
  }
  /// The same for a `Result`: its value, or the exception.
  template <class Body>
  auto call(Body&& body) {
    return value_or_raise(with(std::forward<Body>(body)));
  }

 private:
  std::mutex mutex_;
  std::optional<Model> model_;
};

void bind_model(nb::module_& module);
void bind_weights(nb::class_<OpenModel>& model);
void bind_nodes(nb::class_<OpenModel>& model);
void bind_interface(nb::class_<OpenModel>& model);
void bind_patch(nb::module_& module, nb::class_<OpenModel>& model);

}  // namespace surefoot::python
