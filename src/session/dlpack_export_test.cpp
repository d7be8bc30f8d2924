#include "session/dlpack_export.hpp"

#include <gmock/gmock.h>

#include <cstddef>

#if __has_include(<dlpack/dlpack.h>)
#include <dlpack/dlpack.h>
#define HAS_DLPACK_HEADER 1
#endif

namespace surefoot::session {
namespace {

using ::testing::ElementsAre;

DlpackSource source(ElementType type, std::span<const std::int64_t> shape,
                    std::shared_ptr<const void> owner = {}) {
  static float memory[6] = {};
  return {.data = memory,
          .device = {dlpack::DeviceType::Cpu, 0},
          .type = type,
          .shape = shape,
          .owner = std::move(owner)};
}

TEST(ExportDlpack, DescribesMemoryRowByRow) {
  const Shape shape = {2, 3, 4};
  const auto made = export_dlpack(source(ElementType::Float32, shape)).value();
  const dlpack::Tensor& tensor = made->tensor;
  EXPECT_EQ(tensor.rank, 3);
  EXPECT_THAT(std::span(tensor.shape, 3), ElementsAre(2, 3, 4));
  EXPECT_THAT(std::span(tensor.strides, 3), ElementsAre(12, 4, 1));
  EXPECT_EQ(tensor.type.code, dlpack::TypeCode::Float);
  EXPECT_EQ(tensor.type.bits, 32);
}

TEST(ExportDlpack, KeepsTheOwnerUntilItIsDeleted) {
  auto owner = std::make_shared<int>(7);
  const Shape shape = {1};
  auto made = export_dlpack(source(ElementType::Int8, shape, owner)).value();
  EXPECT_EQ(owner.use_count(), 2);
  dlpack::ManagedTensor* raw = made.release();
  raw->deleter(raw);
  EXPECT_EQ(owner.use_count(), 1);
}

TEST(ExportDlpack, RefusesWhatDlpackHasNoNameFor) {
  const Shape shape = {1};
  EXPECT_EQ(export_dlpack(source(ElementType::String, shape)).error().code, ErrorCode::Unsupported);
  EXPECT_EQ(export_dlpack(source(ElementType::Int4, shape)).error().code, ErrorCode::Unsupported);
}

#ifdef HAS_DLPACK_HEADER
#define SAME_PLACE(ours, our_member, theirs, their_member)                        \
  EXPECT_EQ(offsetof(dlpack::ours, our_member), offsetof(::theirs, their_member)) \
      << #theirs "::" #their_member

TEST(ExportDlpack, IsLaidOutAsTheOfficialHeaderHasIt) {
  EXPECT_EQ(sizeof(dlpack::ManagedTensor), sizeof(::DLManagedTensor));
  EXPECT_EQ(sizeof(dlpack::Tensor), sizeof(::DLTensor));
  EXPECT_EQ(sizeof(dlpack::DataType), sizeof(::DLDataType));
  SAME_PLACE(ManagedTensor, context, DLManagedTensor, manager_ctx);
  SAME_PLACE(ManagedTensor, deleter, DLManagedTensor, deleter);
  SAME_PLACE(Tensor, data, DLTensor, data);
  SAME_PLACE(Tensor, device, DLTensor, device);
  SAME_PLACE(Tensor, rank, DLTensor, ndim);
  SAME_PLACE(Tensor, type, DLTensor, dtype);
  SAME_PLACE(Tensor, shape, DLTensor, shape);
  SAME_PLACE(Tensor, strides, DLTensor, strides);
  SAME_PLACE(Tensor, offset_bytes, DLTensor, byte_offset);
  EXPECT_EQ(static_cast<int>(dlpack::DeviceType::Cuda), kDLCUDA);
  EXPECT_EQ(static_cast<int>(dlpack::DeviceType::Rocm), kDLROCM);
  EXPECT_EQ(static_cast<int>(dlpack::DeviceType::Extension), kDLExtDev);
  EXPECT_EQ(static_cast<int>(dlpack::TypeCode::Bfloat), kDLBfloat);
  EXPECT_EQ(static_cast<int>(dlpack::TypeCode::Complex), kDLComplex);
}
#endif

}  // namespace
}  // namespace surefoot::session
