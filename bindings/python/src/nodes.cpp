#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>

#include "bound_arrays.hpp"
#include "model.hpp"
#include "names.hpp"
#include "outputs.hpp"

namespace surefoot::python {
namespace {

using Kind = NodeAttribute::Kind;

constexpr int kKinds = static_cast<int>(Kind::Types) + 1;

/// Text where it is UTF-8, else its bytes.
nb::object text_or_bytes(const std::string& held) {
  PyObject* decoded = PyUnicode_DecodeUTF8(held.data(), static_cast<Py_ssize_t>(held.size()), nullptr);
  if (decoded != nullptr) return nb::steal(decoded);
  PyErr_Clear();
  return nb::bytes(held.data(), held.size());
}

std::string string_in(nb::handle given) {
  if (nb::isinstance<nb::str>(given)) return nb::cast<std::string>(given);
  const nb::bytes held = nb::cast<nb::bytes>(given);
  return {held.c_str(), held.size()};
}

struct ToPython {
  nb::object operator()(const std::string& value) const { return text_or_bytes(value); }
  nb::object operator()(const std::vector<std::string>& values) const {
    nb::list list;
    for (const std::string& value : values) list.append(text_or_bytes(value));
    return list;
  }
  nb::object operator()(const std::shared_ptr<const Tensor>& tensor) const {
    return to_python(value_or_raise(tensor->clone()));
  }
  nb::object operator()(const NodeAttribute::Encoded& encoded) const {
    return nb::bytes(encoded.bytes.data(), encoded.bytes.size());
  }
  nb::object operator()(const auto& value) const { return nb::cast(value); }
};

nb::tuple to_tuple(const NodeAttribute& attribute) {
  const nb::object value = attribute.reference.empty() ? std::visit(ToPython{}, attribute.value) : nb::none();
  return nb::make_tuple(attribute.name, text(to_string(attribute.kind)), value, attribute.reference);
}

Kind kind_of(const std::string& name) {
  static const auto kNames = [] {
    std::array<std::string_view, kKinds> names;
    for (int i = 0; i < kKinds; ++i) names[static_cast<std::size_t>(i)] = to_string(static_cast<Kind>(i));
    return names;
  }();
  return static_cast<Kind>(place_of(name, kNames, "kind of attribute"));
}

std::vector<std::string> strings_in(nb::handle given) {
  std::vector<std::string> strings;
  for (nb::handle each : given) strings.push_back(string_in(each));
  return strings;
}

NodeAttribute::Value value_of(const std::string& name, Kind kind, nb::handle given) {
  switch (kind) {
    case Kind::Float:
      return nb::cast<float>(given);
    case Kind::Int:
      return nb::cast<std::int64_t>(given);
    case Kind::String:
      return string_in(given);
    case Kind::Floats:
      return nb::cast<std::vector<float>>(given);
    case Kind::Ints:
      return nb::cast<std::vector<std::int64_t>>(given);
    case Kind::Strings:
      return strings_in(given);
    case Kind::Tensor:
      if (!nb::isinstance<nb::bytes>(given)) return std::make_shared<const Tensor>(owned_tensor(name, given));
      [[fallthrough]];
    default:
      return NodeAttribute::Encoded{string_in(given)};
  }
}

NodeAttribute attribute_of(nb::handle given) {
  const nb::tuple parts = nb::cast<nb::tuple>(given);
  NodeAttribute made{.name = nb::cast<std::string>(parts[0]),
                     .kind = kind_of(nb::cast<std::string>(parts[1]))};
  made.reference = nb::cast<std::string>(parts[3]);
  if (made.reference.empty()) made.value = value_of(made.name, made.kind, parts[2]);
  return made;
}

Node node_of(const nb::tuple& parts) {
  Node node{.op = nb::cast<std::string>(parts[0]),
            .inputs = nb::cast<std::vector<std::string>>(parts[1]),
            .outputs = nb::cast<std::vector<std::string>>(parts[2])};
  for (nb::handle attribute : parts[3]) node.attributes.push_back(attribute_of(attribute));
  node.domain = nb::cast<std::string>(parts[4]);
  node.name = nb::cast<std::string>(parts[5]);
  node.doc_string = nb::cast<std::string>(parts[6]);
  return node;
}

nb::tuple node(OpenModel& self, const std::string& name) {
  const Node found = self.call([&](Model& model) { return model.nodes().get(name); });
  nb::list attributes;
  for (const NodeAttribute& attribute : found.attributes) attributes.append(to_tuple(attribute));
  return nb::make_tuple(found.op, found.inputs, found.outputs, attributes, found.domain, found.name,
                        found.doc_string);
}

void set_node(OpenModel& self, const std::string& name, const nb::tuple& parts) {
  const Node wanted = node_of(parts);
  self.call([&](Model& model) { return model.nodes().set(name, wanted); });
}

std::string insert_node(OpenModel& self, const nb::tuple& parts, const std::string& graph) {
  const Node wanted = node_of(parts);
  return self.call([&](Model& model) { return model.nodes().insert(wanted, graph); });
}

nb::list check_nodes(OpenModel& self) {
  const auto problems = self.with([](Model& model) { return model.nodes().check(); });
  nb::list list;
  for (const GraphProblem& problem : problems)
    list.append(nb::make_tuple(problem.node, problem.value, problem.what));
  return list;
}

}  // namespace

void bind_nodes(nb::class_<OpenModel>& model) {
  model.def("node", node, nb::arg("name"))
      .def("node_names",
           [](OpenModel& self) { return self.with([](Model& it) { return it.nodes().names(); }); })
      .def(
          "has_node",
          [](OpenModel& self, const std::string& name) {
            return self.with([&](Model& it) { return it.nodes().contains(name); });
          },
          nb::arg("name"))
      .def("set_node", set_node, nb::arg("name"), nb::arg("parts"))
      .def("insert_node", insert_node, nb::arg("parts"), nb::arg("graph"))
      .def(
          "remove_node",
          [](OpenModel& self, const std::string& name) {
            self.call([&](Model& it) { return it.nodes().remove(name); });
          },
          nb::arg("name"))
      .def(
          "rename_node",
          [](OpenModel& self, const std::string& from, const std::string& to) {
            self.call([&](Model& it) { return it.nodes().rename(from, to); });
          },
          nb::arg("from_name"), nb::arg("to_name"))
      .def("check_nodes", check_nodes);
}

}  // namespace surefoot::python
