#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

#include "diagnosis.hpp"
#include "errors.hpp"
#include "surefoot/cache.hpp"

namespace surefoot::python {
namespace {

namespace fs = std::filesystem;

nb::list models(const fs::path& folder) {
  nb::list list;
  for (const CachedModel& each : waiting([&] { return cached_models({.folder = folder}); })) {
    const double used = std::chrono::duration<double>(each.used.time_since_epoch()).count();
    list.append(nb::make_tuple(each.key, each.model, each.form, each.onnxruntime, each.bytes, used));
  }
  return list;
}

}  // namespace

void bind_cache(nb::module_& module) {
  module.def("cached_models", models, nb::arg("folder"));
  module.def(
      "clear_cache",
      [](const fs::path& folder) { return waiting([&] { return clear_cache({.folder = folder}); }); },
      nb::arg("folder"));
  module.def(
      "cache_folder", [](const fs::path& folder) { return value_or_raise(cache_folder({.folder = folder})); },
      nb::arg("folder"));
}

}  // namespace surefoot::python
