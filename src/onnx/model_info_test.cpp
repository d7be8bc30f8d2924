#include "surefoot/model_info.hpp"

#include <gtest/gtest.h>

#include "onnx/model_writer.hpp"

namespace surefoot {
namespace {

using onnx::map_type;
using onnx::optional_type;
using onnx::sequence_type;
using onnx::sparse_tensor_type;
using onnx::tensor_type;
constexpr auto kFloat = ElementType::Float32;

TEST(ValueTypeText, WritesSizesNamesAndUnknownAxes) {
  EXPECT_EQ(to_string(tensor_type(kFloat, {1, 3, "height", ""})), "float32[1,3,height,?]");
}

TEST(ValueTypeText, WritesAScalarAsItsElementType) {
  EXPECT_EQ(to_string(tensor_type(ElementType::Int64, {})), "int64");
}

TEST(ValueTypeText, TellsAnUnknownRankFromAnUnknownAxis) {
  EXPECT_EQ(to_string(tensor_type(kFloat)), "float32[...]");
  EXPECT_EQ(to_string(tensor_type(kFloat, {""})), "float32[?]");
}

TEST(ValueTypeText, WritesAZeroSizedAxis) {
  EXPECT_EQ(to_string(tensor_type(kFloat, {0, 4})), "float32[0,4]");
}

TEST(ValueTypeText, WritesSequencesMapsAndOptionals) {
  EXPECT_EQ(to_string(sequence_type(tensor_type(kFloat, {""}))), "seq(float32[?])");
  EXPECT_EQ(to_string(map_type(ElementType::Int64, tensor_type(kFloat))), "map(int64,float32)");
  EXPECT_EQ(to_string(sequence_type(map_type(ElementType::String, tensor_type(kFloat)))),
            "seq(map(string,float32))");
  EXPECT_EQ(to_string(optional_type(sequence_type(tensor_type(kFloat, {2})))), "optional(seq(float32[2]))");
  EXPECT_EQ(to_string(sparse_tensor_type(kFloat, {2, 3})), "sparse(float32[2,3])");
}

TEST(ValueTypeText, CallsATypeThatIsNotStatedUnknown) {
  EXPECT_EQ(to_string(ValueType{.kind = ValueKind::None}), "unknown");
  EXPECT_EQ(to_string(ValueType{.kind = ValueKind::Sequence}), "seq(unknown)");
}

TEST(ModelFormatText, IsTheUsualFileExtension) {
  EXPECT_EQ(to_string(ModelFormat::Onnx), "onnx");
  EXPECT_EQ(to_string(ModelFormat::OrtFormat), "ort");
}

}  // namespace
}  // namespace surefoot
