#include "prepared.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "bound_arrays.hpp"
#include "element_types.hpp"
#include "errors.hpp"
#include "events.hpp"
#include "inputs.hpp"
#include "names.hpp"
#include "outputs.hpp"
#include "session.hpp"
#include "surefoot/prepared_run.hpp"

namespace surefoot::python {
namespace {

using Feedback = std::map<std::string, std::string>;  ///< output to input

/// The place of one input or output.
struct Slot {
  std::string name;
  nb::object array;      ///< bound to it; null: the memory is the library's
  bool lasting = false;  ///< of the library's memory: whether it lives as long as the run
  bool lent = false;     ///< of an output: the array is ours, bound for as long as it fits
};

/// The shape, where it is known.
std::optional<Shape> sizes_of(const ValueType& type) {
  if (!type.shape || !std::ranges::all_of(*type.shape, &Dimension::is_fixed)) return {};
  Shape shape;
  for (const Dimension& axis : *type.shape) shape.push_back(axis.size);
  return shape;
}

std::string label(std::string_view side, std::string_view name) {
  return std::string(side) + " `" + std::string(name) + "`";
}

/// A prepared run that reads and writes arrays: those of its own are allocated here, so that whoever holds
/// one may keep it, whatever becomes of the run.
class PreparedArrays {
 public:
  PreparedArrays(nb::object session, PrepareOptions options, const Feedback& fed)
      : session_(std::move(session)), run_(prepared(session_of(session_), std::move(options))) {
    for (const auto& [output, input] : fed) value_or_raise(run_->feed_back(output, input));
    for (const ValueInfo& info : run_->inputs()) add_input(info, fed);
    for (const ValueInfo& info : run_->outputs()) add_output(info, fed);
  }
  PreparedArrays(const PreparedArrays&) = delete;
  PreparedArrays& operator=(const PreparedArrays&) = delete;
  /// It may be the session's last user: see OpenSession::close.
  ~PreparedArrays() {
    const nb::gil_scoped_release released;
    run_.reset();
  }

  PreparedRun& run() { return *run_; }
  const PreparedRun& run() const { return *run_; }
  std::vector<Slot>& inputs() { return inputs_; }
  std::vector<Slot>& outputs() { return outputs_; }

 private:
  static PreparedRun prepared(const Session& session, PrepareOptions options) {
    auto made = [&] {
      const nb::gil_scoped_release released;
      return session.prepare(std::move(options));
    }();
    return value_or_raise(std::move(made));
  }

  static nb::object zeros(const ValueInfo& info) {
    const auto shape = sizes_of(info.type);
    if (!shape || element_bits(info.type.element) < 8) return {};
    return to_python(value_or_raise(Tensor::zeros(info.type.element, *shape)));
  }

  void add_input(const ValueInfo& info, const Feedback& fed) {
    Slot slot{.name = info.name};
    slot.lasting = std::ranges::any_of(fed, [&](const auto& pair) { return pair.second == info.name; });
    if (!slot.lasting) slot.array = zeros(info);
    if (slot.array.is_valid())
      value_or_raise(run_->bind_input(info.name, readable_in_place("input", slot.array)));
    inputs_.push_back(std::move(slot));
  }

  void add_output(const ValueInfo& info, const Feedback& fed) {
    Slot slot{.name = info.name, .lasting = fed.contains(info.name)};
    if (!slot.lasting) slot.array = zeros(info);
    slot.lent = slot.array.is_valid();
    if (slot.lent) value_or_raise(run_->lend_output(info.name, writable_in_place("output", slot.array)));
    outputs_.push_back(std::move(slot));
  }

  nb::object session_;  ///< holds the bytes that a session may have to read again
  std::optional<PreparedRun> run_;
  std::vector<Slot> inputs_, outputs_;
};

/// The slot of that name, or null: the library then has the error.
Slot* find(std::vector<Slot>& slots, std::string_view name) {
  const auto at = std::ranges::find(slots, name, &Slot::name);
  return at == slots.end() ? nullptr : &*at;
}

/// An array over memory that lives as long as the run does.
nb::object view_in(nb::handle self, const MutableTensorView& view) {
  const nb::object type = numpy_type(view.type);
  nb::object array = made(PyArray_NewFromDescr(
      &PyArray_Type, reinterpret_cast<PyArray_Descr*>(nb::object(type).release().ptr()),
      static_cast<int>(view.shape.size()), reinterpret_cast<const npy_intp*>(view.shape.data()), nullptr,
      view.bytes.data(), NPY_ARRAY_CARRAY, nullptr));
  if (PyArray_SetBaseObject(as_array(array), nb::borrow(self).release().ptr()) != 0) throw nb::python_error();
  return array;
}

nb::object copy_of(const TensorView& view) {
  Shape shape(view.shape.begin(), view.shape.end());
  return to_python(value_or_raise(Tensor::from_bytes(view.type, std::move(shape), view.bytes)));
}

nb::object input(nb::handle of, const std::string& name) {
  auto& self = nb::cast<PreparedArrays&>(of);
  const Slot* slot = find(self.inputs(), name);
  if (slot != nullptr && slot->array.is_valid()) return slot->array;
  const MutableTensorView view = value_or_raise(self.run().input_view(name));
  if (element_bits(view.type) >= 8) return view_in(of, view);
  raise({.code = ErrorCode::Unsupported,
         .what = label("input", name) + " is packed, and has no array: it can only be assigned to"});
}

/// Lets an array go that the last run gave up: the output has another shape than the model's names say.
void drop_stale(const PreparedRun& run, Slot& slot) {
  if (!slot.lent || !slot.array.is_valid()) return;
  const auto view = run.output_view(slot.name);
  if (view && view->bytes.data() != PyArray_DATA(as_array(slot.array))) slot.array.reset();
}

nb::object output(nb::handle of, const std::string& name) {
  auto& self = nb::cast<PreparedArrays&>(of);
  Slot* slot = find(self.outputs(), name);
  if (slot != nullptr) drop_stale(self.run(), *slot);
  if (slot != nullptr && slot->array.is_valid()) return slot->array;
  const TensorView view = value_or_raise(self.run().output_view(name));
  if (!slot->lasting || element_bits(view.type) < 8) return copy_of(view);
  auto* const bytes = const_cast<std::byte*>(view.bytes.data());
  return view_in(of, {.type = view.type, .shape = view.shape, .bytes = {bytes, view.bytes.size()}});
}

void copy_into(const Slot& slot, const TensorView& given) {
  const MutableTensorView into = {
      element_type_of(PyArray_DESCR(as_array(slot.array))), shape_of(as_array(slot.array)), {}};
  if (given.type != into.type || !std::ranges::equal(given.shape, into.shape))
    raise({.code = ErrorCode::InvalidInput,
           .what = label("input", slot.name) + " is " + std::string(to_string(given.type)) +
                   to_string(given.shape) + ", the prepared run wants " + std::string(to_string(into.type)) +
                   to_string(into.shape)});
  if (!PyArray_ISWRITEABLE(as_array(slot.array)))
    raise({.code = ErrorCode::InvalidArgument,
           .what = label("input", slot.name) + " is bound to an array that may only be read",
           .hint = "bind another array, or write to that memory"});
  if (!given.bytes.empty())
    std::memmove(PyArray_DATA(as_array(slot.array)), given.bytes.data(), given.bytes.size());
}

void write(PreparedArrays& self, const std::string& name, nb::handle value) {
  nb::dict feed;
  feed[name.c_str()] = value;
  const CallInputs call(self.run().session().info(), feed);
  if (call.inputs().front().value != nullptr)
    raise({.code = ErrorCode::InvalidInput, .what = label("input", name) + " wants a tensor"});
  const TensorView& given = call.inputs().front().tensor;
  const Slot* slot = find(self.inputs(), name);
  if (slot != nullptr && slot->array.is_valid()) return copy_into(*slot, given);
  value_or_raise(self.run().write(name, given));
}

void bind_input(PreparedArrays& self, const std::string& name, nb::handle value) {
  nb::object array = array_over(value);
  value_or_raise(self.run().bind_input(name, readable_in_place(label("input", name), array)));
  find(self.inputs(), name)->array = std::move(array);
}

void bind_output(PreparedArrays& self, const std::string& name, nb::handle value) {
  nb::object array = array_over(value);
  value_or_raise(self.run().bind_output(name, writable_in_place(label("output", name), array)));
  Slot& slot = *find(self.outputs(), name);
  slot.array = std::move(array);
  slot.lent = false;
}

Result<void> run_within(PreparedRun& run, double seconds) {
  // Beyond any clock's range: no limit.
  if (!(seconds < 1e9)) return run.run();
  return run.run(std::chrono::microseconds(static_cast<std::int64_t>(std::max(0.0, seconds) * 1e6)));
}

void run(PreparedArrays& self, nb::handle timeout) {
  const bool limited = !timeout.is_none();
  const double seconds = limited ? nb::cast<double>(timeout) : 0;
  auto done = [&] {
    const nb::gil_scoped_release released;
    return limited ? run_within(self.run(), seconds) : self.run().run();
  }();
  value_or_raise(std::move(done));
}

nb::list names_of(const std::vector<Slot>& slots) {
  nb::list names;
  for (const Slot& slot : slots) names.append(slot.name);
  return names;
}

nb::list events_of(const PreparedArrays& self) { return to_list(self.run().session().events()); }

nb::tuple graph_of(const PreparedArrays& self) {
  const GraphState& graph = self.run().graph();
  return nb::make_tuple(text(to_string(graph.wanted)), graph.captured,
                        graph.reason ? to_exception(*graph.reason) : nb::none());
}

std::optional<GraphCapture> capture_of(const std::optional<std::string>& name) {
  static constexpr std::array<std::string_view, 3> kCaptures = {"off", "try", "require"};
  if (!name) return {};
  return static_cast<GraphCapture>(place_of(*name, kCaptures, "graph capture"));
}

void make(PreparedArrays* self, nb::object session, std::map<std::string, Shape> shapes,
          std::map<std::string, std::int64_t> dimensions, std::vector<std::string> outputs,
          std::map<std::string, std::string> config, const std::optional<std::string>& graph,
          const Feedback& feed_back) {
  new (self) PreparedArrays(std::move(session),
                            {.shapes = std::move(shapes),
                             .dimensions = std::move(dimensions),
                             .outputs = std::move(outputs),
                             .config = std::move(config),
                             .graph = capture_of(graph)},
                            feed_back);
}

}  // namespace

void bind_prepared(nb::module_& module) {
  nb::class_<PreparedArrays>(module, "PreparedRun")
      .def("__init__", make, nb::arg("session"), nb::arg("shapes"), nb::arg("dimensions"), nb::arg("names"),
           nb::arg("config"), nb::arg("graph").none(), nb::arg("feed_back"))
      .def("run", run, nb::arg("timeout").none() = nb::none())
      .def("warm_up", [](PreparedArrays& self) { waiting([&] { return self.run().warm_up(); }); })
      .def("graph_state", graph_of)
      .def("cancel", [](PreparedArrays& self) { self.run().cancel(); })
      .def("input", input, nb::arg("name"))
      .def("output", output, nb::arg("name"))
      .def("write", write, nb::arg("name"), nb::arg("value").none())
      .def("bind_input", bind_input, nb::arg("name"), nb::arg("memory"))
      .def("bind_output", bind_output, nb::arg("name"), nb::arg("memory"))
      .def("input_names", [](PreparedArrays& self) { return names_of(self.inputs()); })
      .def("output_names", [](PreparedArrays& self) { return names_of(self.outputs()); })
      .def("raw_events", events_of)
      .def_prop_ro("provider", [](const PreparedArrays& self) { return self.run().session().provider(); });
}

}  // namespace surefoot::python
