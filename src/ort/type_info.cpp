#include "ort/type_info.hpp"

#include "ort/element.hpp"

namespace surefoot::ort {
namespace {

Result<std::vector<Dimension>> dimensions(const Api& api, const OrtTensorTypeAndShapeInfo* tensor) {
  std::size_t rank = 0;
  auto got = api.call(fn::GetDimensionsCount, tensor, &rank);
  std::vector<std::int64_t> sizes(rank);
  std::vector<const char*> names(rank, nullptr);
  if (got) got = api.call(fn::GetDimensions, tensor, sizes.data(), rank);
  if (got) got = api.call(fn::GetSymbolicDimensions, tensor, names.data(), rank);
  if (!got) return fail(std::move(got).error());
  std::vector<Dimension> axes(rank);
  for (std::size_t i = 0; i < rank; ++i)
    axes[i] = {.size = sizes[i], .name = names[i] == nullptr ? "" : names[i]};
  return axes;
}

Result<ValueType> tensor_type(const Api& api, const OrtTypeInfo* info, bool sparse) {
  const OrtTensorTypeAndShapeInfo* tensor = nullptr;
  ONNXTensorElementDataType element = {};
  auto got = api.call(fn::CastTypeInfoToTensorInfo, info, &tensor);
  if (got && tensor != nullptr) got = api.call(fn::GetTensorElementType, tensor, &element);
  if (!got) return fail(std::move(got).error());
  ValueType type{.element = from_ort(element), .sparse = sparse};
  if (tensor == nullptr) return type;
  // ORT < 1.24 reports rank 0 for a scalar and for a shape that it does not know; the model file tells them
  // apart, where it states a shape.
  if (api.has(fn::TensorTypeAndShape_HasShape) && !api.get(fn::TensorTypeAndShape_HasShape)(tensor))
    return type;
  auto axes = dimensions(api, tensor);
  if (!axes) return fail(std::move(axes).error());
  type.shape = std::move(*axes);
  return type;
}

/// The type inside `outer`, which `get` hands out and the caller owns.
template <class Outer>
Result<ValueType> inner_type(const Api& api, const Function<OrtStatus*(const Outer*, OrtTypeInfo**)>& get,
                             const Outer* outer) {
  auto info = make<OrtTypeInfo>(api, get, outer);
  if (!info) return fail(std::move(info).error());
  return value_type(api, info->get());
}

Result<ValueType> sequence_type(const Api& api, const OrtTypeInfo* info) {
  const OrtSequenceTypeInfo* sequence = nullptr;
  auto got = api.call(fn::CastTypeInfoToSequenceTypeInfo, info, &sequence);
  if (!got) return fail(std::move(got).error());
  return inner_type(api, fn::GetSequenceElementType, sequence).transform([](ValueType&& item) {
    return ValueType{.kind = ValueKind::Sequence, .inner = {std::move(item)}};
  });
}

Result<ValueType> map_type(const Api& api, const OrtTypeInfo* info) {
  const OrtMapTypeInfo* map = nullptr;
  ONNXTensorElementDataType key = {};
  auto got = api.call(fn::CastTypeInfoToMapTypeInfo, info, &map);
  if (got) got = api.call(fn::GetMapKeyType, map, &key);
  if (!got) return fail(std::move(got).error());
  return inner_type(api, fn::GetMapValueType, map).transform([key](ValueType&& value) {
    return ValueType{.kind = ValueKind::Map, .element = from_ort(key), .inner = {std::move(value)}};
  });
}

Result<ValueType> optional_type(const Api& api, const OrtTypeInfo* info) {
  const OrtOptionalTypeInfo* optional = nullptr;
  auto got = api.call(fn::CastTypeInfoToOptionalTypeInfo, info, &optional);
  if (!got) return fail(std::move(got).error());
  return inner_type(api, fn::GetOptionalContainedTypeInfo, optional).transform([](ValueType&& held) {
    held.optional = true;
    return std::move(held);
  });
}

}  // namespace

Result<ValueType> value_type(const Api& api, const OrtTypeInfo* info) {
  ONNXType type = ONNX_TYPE_UNKNOWN;
  if (auto got = api.call(fn::GetOnnxTypeFromTypeInfo, info, &type); !got)
    return fail(std::move(got).error());
  switch (type) {
    case ONNX_TYPE_SEQUENCE:
      return sequence_type(api, info);
    case ONNX_TYPE_MAP:
      return map_type(api, info);
    case ONNX_TYPE_OPTIONAL:
      return optional_type(api, info);
    case ONNX_TYPE_SPARSETENSOR:
      return tensor_type(api, info, true);
    default:
      return tensor_type(api, info, false);
  }
}

}  // namespace surefoot::ort
