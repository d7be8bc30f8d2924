#include "report/json.hpp"

namespace surefoot::reporting {

Json json_of(const ValueInfo& value) {
  return {{"name", value.name}, {"type", to_string(value.type)}, {"required", value.required}};
}

Json json_of(const OpCount& op) { return {{"domain", op.domain}, {"op", op.op}, {"count", op.count}}; }

Json json_of(const OpsetImport& opset) { return {{"domain", opset.domain}, {"version", opset.version}}; }

Json json_of_model(const Report& report) {
  const ModelInfo& model = report.model;
  return {{"path", report.path.string()},
          {"format", to_string(model.format)},
          {"file_bytes", model.file_bytes},
          {"ir_version", model.ir_version},
          {"producer", model.producer_name},
          {"producer_version", model.producer_version},
          {"graph", model.graph_name},
          {"opsets", list_of(model.opsets)},
          {"nodes", model.node_count},
          {"weights", model.initializer_count},
          {"weight_bytes", model.initializer_bytes},
          {"inputs", list_of(model.inputs)},
          {"outputs", list_of(model.outputs)},
          {"operators", list_of(model.ops)}};
}

}  // namespace surefoot::reporting
