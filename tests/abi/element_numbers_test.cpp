/// Holds the translation of element types into ORT's numbers against the official header.
#include <gtest/gtest.h>
#include <onnxruntime_c_api.h>

#include "ort/element.hpp"

namespace surefoot::ort {
namespace {

struct Pair {
  ElementType ours;
  ::ONNXTensorElementDataType official;
};

constexpr Pair kPairs[] = {
    {ElementType::Undefined, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED},
    {ElementType::Float32, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT},
    {ElementType::UInt8, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT8},
    {ElementType::Int8, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_INT8},
    {ElementType::UInt16, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT16},
    {ElementType::Int16, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_INT16},
    {ElementType::Int32, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_INT32},
    {ElementType::Int64, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_INT64},
    {ElementType::String, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_STRING},
    {ElementType::Bool, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_BOOL},
    {ElementType::Float16, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT16},
    {ElementType::Float64, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_DOUBLE},
    {ElementType::UInt32, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT32},
    {ElementType::UInt64, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT64},
    {ElementType::Complex64, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX64},
    {ElementType::Complex128, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_COMPLEX128},
    {ElementType::BFloat16, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_BFLOAT16},
    {ElementType::Float8E4M3FN, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FN},
    {ElementType::Float8E4M3FNUZ, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E4M3FNUZ},
    {ElementType::Float8E5M2, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2},
    {ElementType::Float8E5M2FNUZ, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E5M2FNUZ},
    {ElementType::UInt4, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT4},
    {ElementType::Int4, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_INT4},
    {ElementType::Float4E2M1, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT4E2M1},
    {ElementType::UInt2, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_UINT2},
    {ElementType::Int2, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_INT2},
    {ElementType::Float8E8M0, ::ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT8E8M0},
};

TEST(ElementNumbers, AreOrtsOwnOnTheWayIn) {
  for (const auto& [ours, official] : kPairs)
    EXPECT_EQ(static_cast<int>(to_ort(ours)), static_cast<int>(official)) << to_string(ours);
}

TEST(ElementNumbers, AreOursAgainOnTheWayOut) {
  for (const auto& [ours, official] : kPairs)
    EXPECT_EQ(from_ort(static_cast<ONNXTensorElementDataType>(official)), ours) << to_string(ours);
}

}  // namespace
}  // namespace surefoot::ort
