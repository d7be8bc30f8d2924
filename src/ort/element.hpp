/// Element types in ORT's numbering.
#pragma once

#include "ort/abi.hpp"
#include "surefoot/element_type.hpp"

namespace surefoot::ort {

/// Equal up to float4e2m1; onnx.proto and ORT then number three types each in its own order.
constexpr ONNXTensorElementDataType to_ort(ElementType type) noexcept {
  switch (type) {
    case ElementType::Float8E8M0:
      return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0;
    case ElementType::UInt2:
      return ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2;
    case ElementType::Int2:
      return ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2;
    default:
      return static_cast<ONNXTensorElementDataType>(type);
  }
}

constexpr ElementType from_ort(ONNXTensorElementDataType type) noexcept {
  switch (type) {
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0:
      return ElementType::Float8E8M0;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2:
      return ElementType::UInt2;
    case ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2:
      return ElementType::Int2;
    default:
      return static_cast<ElementType>(type);
  }
}

}  // namespace surefoot::ort
