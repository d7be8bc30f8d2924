#include "plan.hpp"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "names.hpp"

namespace surefoot::python {
namespace {

namespace nb = nanobind;

nb::object shape_of(const ValueType& type) {
  if (!type.shape) return nb::none();
  nb::list axes;
  for (const Dimension& axis : *type.shape)
    axes.append(nb::make_tuple(axis.size, axis.name, axis.denotation));
  return axes;
}

nb::tuple to_tuple(const ValueType& type) {
  nb::list inner;
  for (const ValueType& each : type.inner) inner.append(to_tuple(each));
  return nb::make_tuple(text(to_string(type.kind)), text(to_string(type.element)), shape_of(type), inner,
                        type.optional, type.sparse, to_string(type));
}

nb::list opsets_of(const ModelInfo& info) {
  nb::list list;
  for (const OpsetImport& opset : info.opsets) list.append(nb::make_tuple(opset.domain, opset.version));
  return list;
}

nb::list ops_of(const ModelInfo& info) {
  nb::list list;
  for (const OpCount& op : info.ops) list.append(nb::make_tuple(op.domain, op.op, op.count));
  return list;
}

nb::list external_data_of(const ModelInfo& info) {
  nb::list list;
  for (const ExternalData& data : info.external_data)
    list.append(nb::make_tuple(data.tensor, data.location, data.offset, data.bytes));
  return list;
}

}  // namespace

nb::list to_list(const std::vector<ValueInfo>& values) {
  nb::list list;
  for (const ValueInfo& value : values)
    list.append(nb::make_tuple(value.name, to_tuple(value.type), value.required));
  return list;
}

nb::dict to_dict(const ModelInfo& info) {
  nb::dict fields;
  fields["format"] = text(to_string(info.format));
  fields["ir_version"] = info.ir_version;
  fields["producer_name"] = info.producer_name;
  fields["producer_version"] = info.producer_version;
  fields["domain"] = info.domain;
  fields["graph_name"] = info.graph_name;
  fields["doc_string"] = info.doc_string;
  fields["model_version"] = info.model_version;
  fields["opsets"] = opsets_of(info);
  fields["metadata"] = info.metadata;
  fields["inputs"] = to_list(info.inputs);
  fields["outputs"] = to_list(info.outputs);
  fields["ops"] = ops_of(info);
  fields["node_count"] = info.node_count;
  fields["initializer_count"] = info.initializer_count;
  fields["initializer_bytes"] = info.initializer_bytes;
  fields["external_data"] = external_data_of(info);
  fields["file_bytes"] = info.file_bytes;
  return fields;
}

}  // namespace surefoot::python
