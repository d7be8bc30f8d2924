#include "model.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include "events.hpp"
#include "names.hpp"
#include "plan.hpp"
#include "session.hpp"

namespace surefoot::python {
namespace {

using Sizes = std::map<std::string, std::int64_t>;

void open(OpenModel* self, const std::filesystem::path& path, const SessionOptions& session,
          bool check_external_data, bool auto_create, bool exclude_engine_builders,
          const std::string& copied_by) {
  auto opened = [&] {
    const nb::gil_scoped_release released;
    return Model::open(path, {.check_external_data = check_external_data,
                              .auto_create = auto_create,
                              .session = session,
                              .exclude_engine_builders = exclude_engine_builders,
                              .copied_by = copied_by});
  }();
  new (self) OpenModel(value_or_raise(std::move(opened)));
}

std::filesystem::path find(const std::string& id, const std::filesystem::path& subfolder,
                           const std::filesystem::path& file_name, const std::string& revision,
                           const std::filesystem::path& cache_folder) {
  auto found = [&] {
    const nb::gil_scoped_release released;
    return find_pretrained(
        id,
        {.subfolder = subfolder, .file_name = file_name, .revision = revision, .cache_folder = cache_folder});
  }();
  return value_or_raise(std::move(found));
}

void save(OpenModel& self, const std::filesystem::path& path, const std::string& placement,
          std::uint64_t external_from_bytes, bool one_file) {
  static constexpr std::array<std::string_view, 3> kPlacements = {"keep", "inside", "external"};
  const SaveOptions options{
      .placement = static_cast<WeightPlacement>(place_of(placement, kPlacements, "placement")),
      .external_from_bytes = external_from_bytes,
      .one_file = one_file};
  self.call([&](Model& model) { return model.save(path, options); });
}

void create_session(OpenModel& self, const SessionOptions* options, const Sizes& dimensions) {
  self.call([&](Model& model) {
    if (options != nullptr) return model.create_session(*options, dimensions);
    return dimensions.empty() ? model.create_session() : model.create_session(dimensions);
  });
}

nb::object session(nb::handle of) {
  auto made = nb::cast<OpenModel&>(of).with([](Model& model) { return model.session(); });
  if (made) return open_session_of(std::move(*made), nb::borrow(of));
  raise(made.error(), made.error().code == ErrorCode::InvalidState ? "not_created" : "exception_of");
}

nb::list session_events(OpenModel& self) {
  const auto events = self.with([](Model& model) { return model.session_events(); });
  nb::list list;
  for (const ModelEvent& event : events)
    list.append(nb::make_tuple(text(to_string(event.kind)), event.reason,
                               event.error ? to_exception(*event.error) : nb::none(),
                               std::chrono::duration<double>(event.elapsed).count()));
  return list;
}

nb::list events(OpenModel& self) {
  return to_list(self.with([](Model& model) { return model.events(); }));
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<OpenModel> model(module, "Model");
  model
      .def("__init__", open, nb::arg("path"), nb::arg("session"), nb::arg("check_external_data"),
           nb::arg("auto_create"), nb::arg("exclude_engine_builders"), nb::arg("copied_by"))
      .def("info", [](OpenModel& self) { return to_dict(self.with([](Model& it) { return it.info(); })); })
      .def("is_edited", [](OpenModel& self) { return self.with([](Model& it) { return it.is_edited(); }); })
      .def("save", save, nb::arg("path"), nb::arg("placement"), nb::arg("external_from_bytes"),
           nb::arg("one_file"))
      .def("create_session", create_session, nb::arg("options").none(), nb::arg("dimensions"))
      .def("release_session", [](OpenModel& self) { self.with([](Model& it) { it.release_session(); }); })
      .def("has_session",
           [](OpenModel& self) { return self.with([](Model& it) { return it.has_session(); }); })
      .def("session", session)
      .def("session_events", session_events)
      .def("events", events);
  bind_weights(model);
  bind_nodes(model);
  bind_interface(model);
  bind_patch(module, model);
  module.def("find_pretrained", find, nb::arg("id"), nb::arg("subfolder"), nb::arg("file_name"),
             nb::arg("revision"), nb::arg("cache_folder"));
}

}  // namespace surefoot::python
