#include "model_source.hpp"

#include <nanobind/stl/filesystem.h>

namespace surefoot::python {

ModelSource::ModelSource(nb::object model) : held_(std::move(model)) {
  if (!PyBytes_Check(held_.ptr())) {
    path_ = nb::cast<std::filesystem::path>(held_);
    return;
  }
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(held_.ptr(), &data, &size) != 0) throw nb::python_error();
  bytes_ = std::as_bytes(std::span(data, static_cast<std::size_t>(size)));
}

}  // namespace surefoot::python
