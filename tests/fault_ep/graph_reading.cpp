#include "graph_reading.hpp"

namespace surefoot::fault_ep {
namespace {

const OrtApi& api() { return *host().api; }

using TextGetter = OrtStatus*(ORT_API_CALL*)(const OrtNode*, const char**) noexcept;
std::string text_of(const OrtNode* node, TextGetter get) {
  const char* text = "";
  check(get(node, &text));
  return text;
}

/// Null where the node lacks it; ORT answers that with an error up to 1.23 and with null later.
const OrtOpAttr* find_attribute(const OrtNode* node, const char* name) {
  const OrtOpAttr* attribute = nullptr;
  if (!succeeded(api().Node_GetAttributeByName(node, name, &attribute))) return nullptr;
  return attribute;
}

template <class T>
T number_attribute(const OrtNode* node, const char* name, OrtOpAttrType type, T fallback) {
  const OrtOpAttr* attribute = find_attribute(node, name);
  if (attribute == nullptr) return fallback;
  T value{};
  std::size_t size = 0;
  check(api().ReadOpAttr(attribute, type, &value, sizeof value, &size));
  return value;
}

using ShapeInfo = std::unique_ptr<OrtTensorTypeAndShapeInfo, void (*)(OrtTensorTypeAndShapeInfo*)>;
Dimensions dims_of(const OrtValue* value) {
  OrtTensorTypeAndShapeInfo* raw = nullptr;
  check(api().GetTensorTypeAndShape(value, &raw));
  const ShapeInfo info(raw,
                       [](OrtTensorTypeAndShapeInfo* shape) { api().ReleaseTensorTypeAndShapeInfo(shape); });
  std::size_t rank = 0;
  check(api().GetDimensionsCount(info.get(), &rank));
  Dimensions dims(rank);
  check(api().GetDimensions(info.get(), dims.data(), rank));
  return dims;
}

}  // namespace

std::vector<const OrtNode*> nodes_of(const OrtGraph* graph) {
  std::size_t count = 0;
  check(api().Graph_GetNumNodes(graph, &count));
  std::vector<const OrtNode*> nodes(count);
  check(api().Graph_GetNodes(graph, nodes.data(), count));
  return nodes;
}

std::string name_of(const OrtNode* node) { return text_of(node, api().Node_GetName); }
std::string op_of(const OrtNode* node) { return text_of(node, api().Node_GetOperatorType); }
std::string domain_of(const OrtNode* node) { return text_of(node, api().Node_GetDomain); }

std::vector<const OrtValueInfo*> inputs_of(const OrtNode* node) {
  std::size_t count = 0;
  check(api().Node_GetNumInputs(node, &count));
  std::vector<const OrtValueInfo*> values(count);
  check(api().Node_GetInputs(node, values.data(), count));
  return values;
}

std::vector<const OrtValueInfo*> outputs_of(const OrtNode* node) {
  std::size_t count = 0;
  check(api().Node_GetNumOutputs(node, &count));
  std::vector<const OrtValueInfo*> values(count);
  check(api().Node_GetOutputs(node, values.data(), count));
  return values;
}

std::string name_of(const OrtValueInfo* value) {
  const char* name = "";
  if (value != nullptr) check(api().GetValueInfoName(value, &name));
  return name;
}

std::vector<std::string> names_of(const std::vector<const OrtValueInfo*>& values) {
  std::vector<std::string> names;
  for (const OrtValueInfo* value : values) names.push_back(name_of(value));
  return names;
}

bool is_float(const OrtValueInfo* value) {
  if (value == nullptr) return true;
  const OrtTypeInfo* type = nullptr;
  check(api().GetValueInfoTypeInfo(value, &type));
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  check(api().CastTypeInfoToTensorInfo(type, &tensor));
  if (tensor == nullptr) return false;
  ONNXTensorElementDataType element = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  check(api().GetTensorElementType(tensor, &element));
  return element == ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT;
}

const OrtValue* constant_of(const OrtValueInfo* value) {
  if (value == nullptr) return nullptr;
  bool is_constant = false;
  check(api().ValueInfo_IsConstantInitializer(value, &is_constant));
  if (!is_constant) return nullptr;
  const OrtValue* constant = nullptr;
  check(api().ValueInfo_GetInitializerValue(value, &constant));
  return constant;
}

float float_attribute(const OrtNode* node, const char* name, float fallback) {
  return number_attribute(node, name, ORT_OP_ATTR_FLOAT, fallback);
}

std::int64_t int_attribute(const OrtNode* node, const char* name, std::int64_t fallback) {
  return number_attribute(node, name, ORT_OP_ATTR_INT, fallback);
}

/// The first read only asks for the size, and ORT answers it with an error status.
std::string text_attribute(const OrtNode* node, const char* name) {
  const OrtOpAttr* attribute = find_attribute(node, name);
  if (attribute == nullptr) return "";
  std::size_t size = 0;
  succeeded(api().ReadOpAttr(attribute, ORT_OP_ATTR_STRING, nullptr, 0, &size));
  std::string text(size, '\0');
  if (size != 0) check(api().ReadOpAttr(attribute, ORT_OP_ATTR_STRING, text.data(), size, &size));
  return text;
}

LentTensor::LentTensor(const OrtValue* value) : dims_(dims_of(value)) {
  const void* data = nullptr;
  check(api().GetTensorData(value, &data));
  data_ = static_cast<const float*>(data);
}

}  // namespace surefoot::fault_ep
