#include "session.hpp"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "bound_arrays.hpp"
#include "errors.hpp"
#include "events.hpp"
#include "inputs.hpp"
#include "measuring.hpp"
#include "model_source.hpp"
#include "outputs.hpp"
#include "plan.hpp"
#include "surefoot/session.hpp"

namespace surefoot::python {
namespace {

/// A session together with the bytes that it may have to read again.
class OpenSession {
 public:
  OpenSession(nb::object model, SessionOptions options) : source_(std::in_place, std::move(model)) {
    auto opened = [&] {
      const nb::gil_scoped_release released;
      return source_->bytes() ? Session::open(*source_->bytes(), std::move(options))
                              : Session::open(source_->path(), std::move(options));
    }();
    session_.emplace(value_or_raise(std::move(opened)));
    name_outputs();
  }
  OpenSession(Session session, nb::object owner) : owner_(std::move(owner)), session_(std::move(session)) {
    name_outputs();
  }
  OpenSession(const OpenSession&) = delete;
  OpenSession& operator=(const OpenSession&) = delete;
  ~OpenSession() { close(); }

  /// ORT's threads end here, and may log before they do, for which they need Python's lock. A run in
  /// another thread keeps its own handle.
  void close() {
    std::optional<Session> last = std::exchange(session_, std::nullopt);
    const nb::gil_scoped_release released;
    last.reset();
  }

  Session session() const {
    if (session_) return *session_;
    raise({.code = ErrorCode::InvalidState, .what = "the session is closed", .hint = "open the model again"});
  }
  bool is_open() const { return session_.has_value(); }
  /// As Python's strings, in the model's order.
  const std::vector<nb::object>& output_names() const { return output_names_; }

 private:
  void name_outputs() {
    for (const ValueInfo& output : session_->info().outputs) output_names_.push_back(nb::cast(output.name));
  }

  std::optional<ModelSource> source_;
  nb::object owner_;
  std::optional<Session> session_;
  std::vector<nb::object> output_names_;
};

/// Stops every run that was given it, from any thread.
class StopSource {
 public:
  void stop() { source_.request_stop(); }
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
};

std::vector<std::string> names_in(nb::handle names) {
  if (PyUnicode_Check(names.ptr())) throw nb::type_error("a list of output names is wanted, not one string");
  std::vector<std::string> list;
  for (nb::handle name : nb::list(names)) list.emplace_back(name_of(name));
  return list;
}

/// Whether these are all outputs in the model's order: the run that needs no list.
bool are_all(const std::vector<std::string>& names, const std::vector<ValueInfo>& outputs) {
  return std::ranges::equal(names, outputs, {}, {}, &ValueInfo::name);
}

Outputs run(const Session& session, nb::dict feed, const RunOptions& options) {
  const CallInputs inputs(session.info(), std::move(feed));
  auto outputs = [&] {
    const nb::gil_scoped_release released;
    return session.infer(inputs.inputs(), options);
  }();
  return value_or_raise(std::move(outputs));
}

RunOptions run_options(const Session& session, nb::handle names) {
  RunOptions options;
  if (!names.is_none()) options.outputs = names_in(names);
  if (are_all(options.outputs, session.info().outputs)) options.outputs.clear();
  return options;
}

nb::list values_of(Outputs&& outputs) {
  nb::list values = nb::steal<nb::list>(made(PyList_New(static_cast<Py_ssize_t>(outputs.size()))).release());
  for (std::size_t i = 0; i < outputs.size(); ++i)
    PyList_SetItem(values.ptr(), static_cast<Py_ssize_t>(i),
                   to_python(std::move(outputs[i])).release().ptr());
  return values;
}

nb::list run_with(const OpenSession& self, nb::handle names, nb::dict feed, const StopSource* stop,
                  std::map<std::string, std::string> config, std::string tag) {
  const Session session = self.session();
  RunOptions options = run_options(session, names);
  if (stop != nullptr) options.stop = stop->token();
  options.config = std::move(config);
  options.tag = std::move(tag);
  return values_of(run(session, std::move(feed), options));
}

/// onnxruntime's signature, so that its callers reach the library without a step in Python.
nb::list run_list(const OpenSession& self, nb::handle names, nb::dict feed, nb::handle options) {
  if (!options.is_none()) {
    const nb::object call = nb::module_::import_("surefoot.drop_in.run_options").attr("call_of")(options);
    return run_with(self, names, std::move(feed), nb::cast<const StopSource*>(call[0]),
                    nb::cast<std::map<std::string, std::string>>(call[1]), nb::cast<std::string>(call[2]));
  }
  const Session session = self.session();
  return values_of(run(session, std::move(feed), run_options(session, names)));
}

/// The dict itself, or one of what another mapping holds.
nb::dict dict_of(nb::handle mapping) {
  if (PyDict_Check(mapping.ptr())) return nb::borrow<nb::dict>(mapping);
  return nb::cast<nb::dict>(nb::handle(reinterpret_cast<PyObject*>(&PyDict_Type))(mapping));
}

/// Outputs by name, all or those that are wanted: Session.infer itself, so that its callers reach the library
/// without a step in Python.
nb::dict infer(const OpenSession& self, nb::handle inputs, nb::handle names, const StopSource* stop,
               nb::handle config, const char* tag) {
  const Session session = self.session();
  RunOptions options = run_options(session, names);
  if (stop != nullptr) options.stop = stop->token();
  if (!config.is_none()) options.config = nb::cast<std::map<std::string, std::string>>(dict_of(config));
  options.tag = tag;
  const bool all = options.outputs.empty();
  Outputs outputs = run(session, dict_of(inputs), options);
  nb::dict named;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    named[all ? self.output_names()[i] : nb::cast(outputs.name(i))] = to_python(std::move(outputs[i]));
  return named;
}

void run_into(const OpenSession& self, nb::dict feed, nb::dict into) {
  const Session session = self.session();
  const CallInputs inputs(session.info(), std::move(feed));
  std::vector<nb::object> held;
  std::vector<Output> outputs;
  for (const auto& [name, array] : into) {
    held.push_back(nb::borrow(name));
    held.push_back(nb::borrow(array));
    const std::string_view output = name_of(name);
    outputs.push_back({output, writable_in_place("output `" + std::string(output) + "`", array)});
  }
  auto done = [&] {
    const nb::gil_scoped_release released;
    return session.infer_into(inputs.inputs(), outputs);
  }();
  value_or_raise(std::move(done));
}

nb::list events_of(const OpenSession& self) { return to_list(self.session().events()); }

nb::tuple cache_of(const OpenSession& self) {
  const CacheState state = self.session().cache();
  const std::string_view use = to_string(state.use);
  return nb::make_tuple(nb::str(use.data(), use.size()), state.form,
                        state.reason ? to_exception(*state.reason) : nb::none());
}

void retry(const OpenSession& self) {
  Session session = self.session();
  waiting([&] { return session.retry(); });
}

nb::tuple placement(const OpenSession& self) {
  const Session session = self.session();
  return to_tuple(waiting([&] { return session.placement(); }));
}

nb::tuple measure_placement(const OpenSession& self, nb::dict feed) {
  const Session session = self.session();
  const CallInputs inputs(session.info(), std::move(feed));
  return to_tuple(waiting([&] { return session.measure_placement(inputs.inputs()); }));
}

}  // namespace

Session session_of(nb::handle open_session) {
  if (!nb::isinstance<OpenSession>(open_session)) throw nb::type_error("an open session is wanted");
  return nb::cast<const OpenSession&>(open_session).session();
}

nb::object open_session_of(Session session, nb::object owner) {
  return nb::cast(std::make_unique<OpenSession>(std::move(session), std::move(owner)));
}

void bind_session(nb::module_& module) {
  nb::class_<StopSource>(module, "StopSource").def(nb::init<>()).def("stop", &StopSource::stop);
  nb::class_<OpenSession>(module, "Session")
      .def(nb::init<nb::object, SessionOptions>(), nb::arg("model"), nb::arg("options"))
      .def("run", run_list, nb::arg("output_names").none(), nb::arg("input_feed"),
           nb::arg("run_options").none() = nb::none())
      .def("run_with", run_with, nb::arg("names").none(), nb::arg("feed"), nb::arg("stop").none(),
           nb::arg("config"), nb::arg("tag"))
      .def("infer", infer, nb::arg("inputs"), nb::kw_only(), nb::arg("outputs").none() = nb::none(),
           nb::arg("stop").none() = nb::none(), nb::arg("config").none() = nb::none(), nb::arg("tag") = "")
      .def("run_into", run_into, nb::arg("feed"), nb::arg("into"))
      .def("close", &OpenSession::close)
      .def_prop_ro("is_open", &OpenSession::is_open)
      .def("info", [](const OpenSession& self) { return to_dict(self.session().info()); })
      .def("plan", [](const OpenSession& self) { return to_tuple(self.session().plan()); })
      .def("events", events_of)
      .def("provider", [](const OpenSession& self) { return self.session().provider(); })
      .def("providers", [](const OpenSession& self) { return self.session().providers(); })
      .def("runtime", [](const OpenSession& self) { return self.session().runtime(); })
      .def("cache", cache_of)
      .def("retry", retry)
      .def("placement", placement)
      .def("measure_placement", measure_placement, nb::arg("feed"))
      .def("profiles", [](const OpenSession& self) { return self.session().profiles(); })
      .def("end_profiling",
           [](const OpenSession& self) { return value_or_raise(self.session().end_profiling()); });
}

}  // namespace surefoot::python
